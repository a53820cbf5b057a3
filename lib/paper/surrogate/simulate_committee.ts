import { contentHash } from "../../core/json.ts";
import type { Rng } from "../../core/rng.ts";
import { createPrompter } from "../../deliberation/prompt.ts";
import { speakingOrder } from "../../deliberation/seat_condition.ts";
import { initialState } from "../../deliberation/state.ts";
import { packetPart } from "../../model/surrogate/read_prompt.ts";
import { drawNoise } from "../../model/surrogate/respond.ts";
import { loadCondition } from "../../runs/load_condition.ts";
import { listScenarios } from "../../runs/scenarios.ts";
import type { Condition } from "../../schema/condition.ts";
import { type Role, ROLES } from "../../schema/scenario.ts";
import { type CommitteeSpec, runSeated, runSize, type SeatedCommittee } from "./fast_committee.ts";

export type { CommitteeSpec };

/**
 * A surrogate committee without its words: the same numbers as `deliberate` with the surrogate gives through prompts
 * and parsers, some hundred times faster. A test holds the two routes to equal numbers.
 *
 * @param committee from `seatCommittee`, once for all its runs.
 * @param rngFor the random stream of one call.
 * @returns preferences, shape [T][N][K].
 */
export function simulateCommittee(
  committee: SeatedCommittee,
  rngFor: (round: number, seat: number) => Rng,
): number[][][] {
  const { seats, order, rounds, optionCount, noiseShare } = committee;
  const draws = new Float64Array(runSize(committee)), rows = new Uint8Array(draws.length);
  for (let call = 0; call * optionCount < draws.length; call++) {
    const rng = rngFor(1 + Math.floor(call / seats.length), order[call % seats.length]!);
    drawNoise(draws, call * optionCount, optionCount, noiseShare, rng);
  }
  runSeated(committee, { rows, rowsAt: 0, draws, drawsAt: 0 });
  return Array.from({ length: rounds }, (_, round) =>
    seats.map((_, seat) => {
      const at = (round * seats.length + seat) * optionCount, row = new Array<number>(optionCount);
      // Array.from of a part of a typed array takes forty times as long.
      for (let k = 0; k < optionCount; k++) row[k] = rows[at + k]! / 100;
      return row;
    }));
}

/**
 * A committee of five as the paper runs it, by what the surrogate's mechanism sees of it.
 *
 * @param models model id by seat.
 * @param options `ablated`: the seat without its mandate; `temperature` 0, `window` 15 unless given.
 */
export function committeeSpec(
  scenario: string,
  optionCount: number,
  models: Readonly<Record<Role, string>>,
  { roles, ablated, temperature = 0, window = 15 }: {
    roles: boolean;
    ablated?: Role | undefined;
    temperature?: number;
    window?: number;
  },
): CommitteeSpec {
  return {
    scenario,
    optionCount,
    seats: ROLES.map((role) => ({
      model: models[role],
      mandate: roles && role !== ablated ? role : undefined,
    })),
    order: speakingOrder(scenario, ROLES.length),
    temperature,
    window,
    rounds: 20,
  };
}

/** One model in all five seats. */
export function oneModel(model: string): Record<Role, string> {
  return { Chair: model, Welfare: model, Rights: model, Equity: model, Security: model };
}

/** Hash of the scenario packet as a condition's agents read it: what surrogates tell one wording from another by. */
export function packetWording(condition: Condition): string {
  const messages = createPrompter(condition)(initialState(condition), {
    kind: "turn",
    round: 1,
    seat: 0,
    again: false,
  });
  return contentHash(packetPart(messages[1]));
}

/** Hashes of every wording of IM-01 on file, the canonical one first: the scenario that the paper rewords (S4). */
export async function im01Wordings(): Promise<string[]> {
  const { variants } = (await listScenarios()).find(({ id }) => id === "IM-01")!;
  const conditions = [undefined, ...variants].map((variant) => loadCondition({ scenario: "IM-01", variant }));
  return (await Promise.all(conditions)).map(packetWording);
}
