/**
 * Why an estimate does not exist. Such an estimate is absent, never zero, infinite or NaN.
 *
 * - `too-few-replicates`: a slope needs two replicates, an interval three that differ from one another;
 * - `no-divergence`: the replicates are the same in every round, so there is no logarithm to fit;
 * - `too-few-rounds`: fewer than three rounds are left to fit a slope through;
 * - `missing-rounds`: in some round of the window D is zero, so an interval would rest on another window.
 */
export type UndefinedReason = "too-few-replicates" | "no-divergence" | "too-few-rounds" | "missing-rounds";
