import { checkCount } from "./check_option.ts";
import { type AgentPreferences, topOptions } from "./top_option.ts";

/**
 * First round in which at least `majority` agents share a top option; undefined when that never happens.
 *
 * Ties for the top go to the lowest option (count them with `tieCount`). "Never" is not a number of rounds: where a
 * distribution is plotted it stands at T + 1, as in the paper's Figure S4, and a mean of times leaves it out and says so.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", Figure S4.
 *
 * @param preferences one run, [T][agent][K].
 * @param options `majority`: how many agents, by default 3 (of the paper's 5).
 * @returns the round, 1-based.
 * @throws {RangeError} when there are fewer agents than `majority`, or on values that are not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const a = [0.9, 0.1], b = [0.2, 0.8];
 * assert.equal(timeToMajority([[a, b], [b, b]], { majority: 2 }), 2);
 * ```
 */
export function timeToMajority(
  preferences: AgentPreferences,
  { majority = 3 }: { majority?: number | undefined } = {},
): number | undefined {
  checkCount("majority", majority);
  const tops = topOptions(preferences);
  const agents = tops[0]!.length;
  if (agents < majority) throw new RangeError(`majority is ${majority}: there are only ${agents} agents`);
  const round = tops.findIndex((top) => largestBloc(top.map(({ option }) => option)) >= majority);
  return round < 0 ? undefined : round + 1;
}

function largestBloc(options: readonly number[]): number {
  return Math.max(...options.map((option) => options.filter((other) => other === option).length));
}
