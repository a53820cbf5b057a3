import { z } from "zod";
import { Path } from "./run_source.ts";

/** One path or several, of which the first that leads to a value is taken. */
const Paths = (standard: readonly string[], description: string) =>
  z.union([Path, z.array(Path).min(1)])
    .transform((paths) => (typeof paths === "string" ? [paths] : paths))
    .prefault([...standard])
    .describe(description);

/**
 * The places of the measured values in another author's records. A path names fields from the outside in, parted by dots; a number
 * counts list items from 0, and the empty path is the value itself. What a mapping leaves out keeps the standard names.
 */
export const RunMapping = z.strictObject({
  schema: z.literal("run-mapping/1"),
  run: Paths(["run_id", "run", "replicate", "id"], "in a line: what tells runs apart"),
  rounds: Paths(["rounds", "history"], "in a line: the list of rounds, with every agent's state"),
  round: Paths(["round", "t"], "in a round: its number, counted from 0 or 1; may be absent"),
  states: Paths(["states", "agents", ""], "in a round: states by agent, or a list of them"),
  agent: Paths(["role", "agent", "label", "name"], "in a state of a list: whose it is; may be absent"),
  preferences: Paths(["pref", "preferences", ""], "in a state: shares, as a list or as A, B, C or p_A, p_B, p_C"),
  trajectory: Paths(["trajectory", "means"], "in a line: committee means by round and option"),
  decision: Paths(["decision", "final_decision"], "in a line: the final decision; may be absent"),
  synthetic: Paths(["synthetic"], "in a line: whether no language model took part; may be absent"),
});
export type RunMapping = z.infer<typeof RunMapping>;

/** The names that are understood without a mapping. */
export const STANDARD_MAPPING: RunMapping = RunMapping.parse({ schema: "run-mapping/1" });

/**
 * The possible flaws of one line of another author's records:
 *
 * - `incomplete`: a round, an agent or a number is missing, null or NaN;
 * - `duplicate`: the run has the name or all the states of one before it;
 * - `malformed`: it is not JSON, or does not fit the file's name, its mapping or the runs before it.
 */
export const RUN_FLAWS = ["incomplete", "duplicate", "malformed"] as const;
export type RunFlawCode = typeof RUN_FLAWS[number];

/** Stops the reading of one line; whether the whole file stops with it, `importConditionRuns` decides. */
export class RunFlaw extends Error {
  readonly code: RunFlawCode;

  constructor(code: RunFlawCode, message: string) {
    super(message);
    this.code = code;
  }
}
