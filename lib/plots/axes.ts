/**
 * Ticks that enclose the values on a logarithmic axis: 1, 2 and 5 times powers of ten, or only the powers (and only
 * every so many) where more than three decades are spanned. The first and the last are the axis' ends.
 *
 * @param values finite and above zero.
 */
export function logTicks(values: readonly number[]): number[] {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const from = Math.floor(Math.log10(low));
  const to = Math.ceil(Math.log10(high));
  if (to - from > 3) {
    const stride = Math.ceil((to - from) / 8);
    const powers = Math.ceil((to - from) / stride) + 1;
    return Array.from({ length: powers }, (_, i) => Number(`1e${from + i * stride}`));
  }
  const ticks = [];
  for (let power = from - 1; power <= to + 1; power++) {
    ticks.push(...[1, 2, 5].map((step) => Number(`${step}e${power}`)));
  }
  const first = ticks.findLastIndex((tick) => tick <= low);
  const last = ticks.findIndex((tick) => tick >= high);
  return ticks.slice(first, Math.max(last, first + 1) + 1);
}
