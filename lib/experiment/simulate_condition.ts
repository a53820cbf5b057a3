import { createRng } from "../core/rng.ts";
import type { Condition } from "../schema/condition.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import type { FactsRun } from "./condition_facts.ts";
import { packetWording } from "./packet_wording.ts";
import type { CommitteeSpec } from "./simulate_committee.ts";
import { simulatedRun } from "./simulated_facts.ts";

/**
 * Surrogate runs of a condition without prompts and words, half a millisecond each: for studies that need hundreds.
 *
 * They are drawn from the same law as a surrogate council's runs, but are not the runs of its ledger, nor do they flag
 * any. Like those they are a mechanism's, and say nothing of how far a model's runs spread.
 *
 * @returns preferences [T][N][K], committee means [T][K] and decision of each, the same for the same seed.
 */
export function simulateCondition(
  condition: Condition,
  parameters: SurrogateParameters,
  { replicates, seed }: { replicates: number; seed: number },
): FactsRun[] {
  const rng = createRng(seed).fork("simulated");
  const spec = mechanicalSpec(condition);
  return Array.from({ length: replicates }, (_, replicate) => simulatedRun(spec, parameters, rng.fork(replicate)));
}

/** A condition by what the surrogate's mechanism sees of it. */
export function mechanicalSpec(condition: Condition): CommitteeSpec {
  const { packet, seats, order, temperature, window, rounds } = condition;
  return {
    scenario: packet.id,
    wording: packetWording(condition),
    optionCount: packet.options.length,
    seats: seats.map(({ model, role, mandate }) => ({ model, mandate: mandate === "" ? undefined : role })),
    ...{ order, temperature, window, rounds },
  };
}
