/** How long a page or a kernel is waited for: many times what it needs, since a loaded machine only takes longer. */
export const PATIENCE_MS = 180_000;

/**
 * The middle and the slowest time of the quietest round of moves, in milliseconds: whatever else the machine does only adds to a
 * time. Stops at the first round whose middle lies under `enough`, after ten at the latest.
 *
 * @param round times of as many moves, in milliseconds, sorted.
 */
export async function quietestRound(
  round: () => Promise<readonly number[]>,
  enough: number,
): Promise<{ median: number; slowest: number }> {
  let quietest = { median: Infinity, slowest: Infinity };
  for (let i = 0; i < 10 && quietest.median >= enough; i++) {
    const times = await round();
    const median = times[times.length >> 1]!;
    if (median < quietest.median) quietest = { median, slowest: times.at(-1)! };
  }
  return quietest;
}
