import type { Trajectory } from "../../stats/trajectory.ts";

/** One run as the page keeps it. */
export interface PageRun {
  readonly replicate: number;
  /** Why it was flagged; such a run is shown and never compared. */
  readonly flaw?: string | undefined;
  /** Committee means, shape [T][K]; whole rounds alone. */
  readonly means: Trajectory;
  /** In the order in which they were spoken. */
  readonly turns: readonly TurnEntry[];
  /** Letter of the final decision; absent where no ballot could be read. */
  readonly decision?: string | undefined;
}

export interface TurnEntry {
  /** 1-based. */
  readonly round: number;
  /** Place in the committee's seats, counted from 0. */
  readonly seat: number;
  readonly argument: string;
  readonly preferences: readonly number[];
  readonly confidence: number;
  readonly tags: readonly string[];
  /** Whether it came from the repair request. */
  readonly repaired: boolean;
}
