/**
 * Heights for labels that should stand at `wanted` and must keep `gap` pixels between them: crowded ones move up, at the
 * top down again; their order stays. Within `top` and `bottom` where there is room. In the order of `wanted`.
 */
export function spreadLabels(
  wanted: readonly number[],
  { gap, top, bottom }: { gap: number; top: number; bottom: number },
): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed: number[] = [];
  // Upwards first, so that nothing leaves at the bottom; then downwards from the top.
  let limit = bottom;
  for (const i of order.toReversed()) {
    placed[i] = Math.min(wanted[i]!, limit);
    limit = placed[i]! - gap;
  }
  limit = top;
  for (const i of order) {
    placed[i] = Math.max(placed[i]!, limit);
    limit = placed[i]! + gap;
  }
  return placed;
}
