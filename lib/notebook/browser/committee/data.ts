import type { Trajectory } from "../../../stats/trajectory.ts";

/** What the explorer of committees is given: as JSON, so that an absent key is not known. */
export interface CommitteeData {
  /** Where the resampling's chance comes from. */
  readonly seed: number;
  readonly resamples: number;
  readonly conditions: readonly ConditionEntry[];
  readonly runs: readonly RunEntry[];
}

/** A condition whose replicates are compared. */
export interface ConditionEntry {
  /** Such as `HL-01, roles on`. */
  readonly label: string;
  readonly synthetic: boolean;
  /** How many runs were planned; `means` holds those that are complete. */
  readonly target: number;
  /** Committee-mean preferences, shape [R][T][K]. */
  readonly means: readonly Trajectory[];
}

/** A run to read through, with all that was said. */
export interface RunEntry {
  readonly label: string;
  readonly synthetic: boolean;
  /** Names of the K options, such as `A: Single-payer`. */
  readonly options: readonly string[];
  /** Names of the seats, in seat order. */
  readonly seats: readonly string[];
  /** Letter of the final decision; absent where no ballot could be read. */
  readonly decision?: string | undefined;
  /** In the order in which they were spoken. */
  readonly turns: readonly TurnEntry[];
}

export interface TurnEntry {
  /** 1-based. */
  readonly round: number;
  /** Place in `seats`, counted from 0. */
  readonly seat: number;
  readonly argument: string;
  readonly preferences: readonly number[];
  readonly confidence: number;
  readonly tags: readonly string[];
  /** Only where it came from the repair request. */
  readonly repaired?: true | undefined;
  /** The sum as written, only where the preferences were rescaled. */
  readonly writtenSum?: number | undefined;
}
