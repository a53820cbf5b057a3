/**
 * What can be wrong with one line of somebody else's runs:
 *
 * - `incomplete`: a round, an agent or a number is missing, null or NaN;
 * - `duplicate`: the run has the name or all the states of one before it;
 * - `malformed`: it is not JSON, or does not fit the file's name, its mapping or the runs before it.
 */
export const RUN_FLAWS = ["incomplete", "duplicate", "malformed"] as const;
export type RunFlawCode = typeof RUN_FLAWS[number];

/** Stops the reading of one line; whether the whole file stops with it, `importRuns` decides. */
export class RunFlaw extends Error {
  readonly code: RunFlawCode;

  constructor(code: RunFlawCode, message: string) {
    super(message);
    this.code = code;
  }
}
