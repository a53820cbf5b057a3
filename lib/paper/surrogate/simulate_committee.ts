import { maxIndex } from "d3-array";
import { contentHash } from "../../core/json.ts";
import type { Rng } from "../../core/rng.ts";
import { createPrompter } from "../../deliberation/prompt.ts";
import { initialState } from "../../deliberation/state.ts";
import { disposition } from "../../model/surrogate/disposition.ts";
import { packetPart } from "../../model/surrogate/read_prompt.ts";
import { type Heard, respond, stanceStrength, transcriptField } from "../../model/surrogate/respond.ts";
import { loadCondition, speakingOrder } from "../../runs/load_condition.ts";
import { listScenarios } from "../../runs/scenarios.ts";
import type { Condition } from "../../schema/condition.ts";
import { type Role, ROLES } from "../../schema/scenario.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";

/** The parts of a condition that the surrogate's mechanism depends on. */
export interface CommitteeSpec {
  readonly scenario: string;
  /** Hash of the packet's text; absent: the wording that the parameters belong to. */
  readonly wording?: string | undefined;
  readonly optionCount: number;
  readonly seats: readonly { readonly model: string; readonly mandate: Role | undefined }[];
  readonly order: readonly number[];
  readonly temperature: number;
  readonly window: number;
  readonly rounds: number;
}

/**
 * A surrogate committee without its words: the same numbers as `deliberate` with the surrogate gives through prompts
 * and parsers, some fifty times faster. For fitting only; a test holds the two routes to equal numbers.
 *
 * @param rngFor the random stream of one call.
 * @returns preferences, shape [T][N][K].
 */
export function simulateCommittee(
  spec: CommitteeSpec,
  parameters: SurrogateParameters,
  rngFor: (round: number, seat: number) => Rng,
): number[][][] {
  const { scenario, wording, optionCount, seats, order, temperature, window, rounds } = spec;
  const { mechanism } = parameters;
  const dispositions = seats.map(({ model, mandate }) =>
    disposition(parameters, { scenario, wording, optionCount, role: mandate, model })
  );
  const rows: (number[] | undefined)[] = seats.map(() => undefined);
  const said: Heard[] = [];
  const history: number[][][] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const seat of order) {
      const field = transcriptField(window === 0 ? [] : said.slice(-window), optionCount, mechanism.chairWeight);
      const { hundredths } = respond(
        dispositions[seat]!,
        field,
        rows[seat],
        temperature,
        mechanism,
        rngFor(round, seat),
      );
      rows[seat] = hundredths.map((h) => h / 100);
      const synthesis = seats[seat]!.mandate === "Chair";
      said.push({ option: maxIndex(hundredths), strength: stanceStrength(hundredths), synthesis });
    }
    history.push(rows.map((row) => row!));
  }
  return history;
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
