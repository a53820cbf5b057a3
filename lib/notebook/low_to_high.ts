/** An interval in words, `0.0172 to 0.0639`; undefined where it does not exist. For tables. */
export function lowToHigh(
  { low, high }: { low?: number | undefined; high?: number | undefined },
  digits = 4,
): string | undefined {
  return low === undefined || high === undefined ? undefined : `${low.toFixed(digits)} to ${high.toFixed(digits)}`;
}
