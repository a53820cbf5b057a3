interface Interval {
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/**
 * Whether a published value lies inside our 95 % interval: "inside", "published above", "published below", "not published"
 * or "no interval". It says whether the two can be told apart at this number of replicates; of a surrogate it says how
 * well a mechanism imitates a number, not whether the number is right.
 *
 * @param percentile a second interval; where it says otherwise, that stands behind: "inside (percentile: published above)".
 */
export function verdict(published: number | undefined, interval: Interval, percentile = interval): string {
  const [one, other] = [place(published, interval), place(published, percentile)];
  return one === other ? one : `${one} (percentile: ${other})`;
}

function place(published: number | undefined, { low, high }: Interval): string {
  if (published === undefined) return "not published";
  if (low === undefined || high === undefined) return "no interval";
  if (published > high) return "published above";
  return published < low ? "published below" : "inside";
}
