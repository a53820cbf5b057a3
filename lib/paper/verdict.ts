/** How a published value stands to a measured interval. */
export type Verdict = "inside" | "published above" | "published below" | "not published" | "no interval";

/**
 * Whether a published value lies inside our 95 % interval. It says whether the two can be told apart at this number of
 * replicates; of a surrogate it says how well a mechanism imitates a number, not whether the number is right.
 */
export function verdict(
  published: number | undefined,
  { low, high }: { low?: number | undefined; high?: number | undefined },
): Verdict {
  if (published === undefined) return "not published";
  if (low === undefined || high === undefined) return "no interval";
  if (published > high) return "published above";
  return published < low ? "published below" : "inside";
}
