import { type AgentPreferences, topOptions } from "./top_option.ts";

/**
 * How often each agent's top option changed from one round to the next.
 *
 * Ties for the top go to the lowest option, so an agent that goes from [0.5, 0.5] to [0.4, 0.6] has switched; count
 * ties with `tieCount`.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", Figure S3 and Table S7.
 *
 * @param preferences one run, [T][agent][K].
 * @returns one count an agent, at most T − 1.
 * @throws {RangeError} on no rounds, rounds that differ in agents and values that are not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const a = [0.9, 0.1], b = [0.2, 0.8];
 * assert.deepEqual(switchCounts([[a, a], [b, a], [a, a]]), [2, 0]);
 * ```
 */
export function switchCounts(preferences: AgentPreferences): number[] {
  const tops = topOptions(preferences);
  return tops[0]!.map((_, agent) =>
    tops.filter((round, t) => t > 0 && round[agent]!.option !== tops[t - 1]![agent]!.option).length
  );
}
