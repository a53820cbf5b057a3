import type { Rng } from "../core/rng.ts";
import { disposition } from "../model/surrogate/disposition.ts";
import { type Heard, respond, stanceStrength, topOption, transcriptField } from "../model/surrogate/respond.ts";
import type { Role } from "../schema/role.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";

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
      said.push({ option: topOption(hundredths), strength: stanceStrength(hundredths), synthesis });
    }
    history.push(rows.map((row) => row!));
  }
  return history;
}
