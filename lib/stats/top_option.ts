/** The option an agent prefers most. */
export interface TopOption {
  /** Index of the option; the lowest of them in a tie. */
  readonly option: number;
  /** Whether another option is preferred exactly as much. */
  readonly tied: boolean;
}

/** One run's preferences by round and agent, [T][agent][K]. */
export type AgentPreferences = readonly (readonly (readonly number[])[])[];

/**
 * The most preferred option. Ties go to the lowest index, and say so.
 *
 * @param preferences one value an option, [K].
 * @param name what to call them in an error.
 * @throws {RangeError} without options, or on a value that is not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(topOption([0.2, 0.4, 0.4]), { option: 1, tied: true });
 * ```
 */
export function topOption(preferences: readonly number[], name = "preferences"): TopOption {
  if (preferences.length === 0) throw new RangeError(`${name}: must hold at least one option`);
  const bad = preferences.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw new RangeError(`${name}, option ${bad + 1} is ${preferences[bad]}: must be a finite number`);
  const option = preferences.indexOf(Math.max(...preferences));
  return { option, tied: preferences.includes(preferences[option]!, option + 1) };
}

/**
 * The top option of every agent in every round, [T][agent].
 *
 * @throws {RangeError} without rounds, on rounds that differ in agents or agents that differ in options, and on values
 * that are not finite, naming round and agent.
 */
export function topOptions(preferences: AgentPreferences): TopOption[][] {
  const agents = preferences[0]?.length ?? 0, options = preferences[0]?.[0]?.length ?? 0;
  if (preferences.length === 0) throw new RangeError("preferences hold no round");
  return preferences.map((round, t) => {
    if (round.length !== agents || agents === 0) {
      throw new RangeError(`round ${t + 1} has ${round.length} agents: must be ${agents || "at least 1"}`);
    }
    return round.map((state, agent) => {
      const name = `round ${t + 1}, agent ${agent + 1}`;
      if (state.length !== options) throw new RangeError(`${name} has ${state.length} options: must be ${options}`);
      return topOption(state, name);
    });
  });
}

/** In how many states the top option was a tie, over all rounds and agents. */
export function tieCount(preferences: AgentPreferences): number {
  return topOptions(preferences).flat().filter(({ tied }) => tied).length;
}
