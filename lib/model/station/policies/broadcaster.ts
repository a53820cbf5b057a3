import { draftPlan } from "../draft_plan.ts";
import { duty } from "../duty.ts";
import { PARAMETERS } from "../parameters.ts";
import { backed, lead, type Policy, top } from "../plans.ts";

/**
 * Broadcaster: most slots go to telling the public what is known and calming the channels; plans come second and move
 * slowly.
 */
export const broadcaster: Policy = (sight, rng) => {
  const { publicFirst, informFirst, inform, calm, propose, endorse, leaning } = PARAMETERS.broadcaster;
  if (rng.next() < (sight.round <= publicFirst ? informFirst : inform)) {
    return duty(sight) ?? { action: sight.rumors.length > 0 && rng.next() < calm ? "moderate" : "broadcast" };
  }
  const best = top(sight.open, lead);
  const chance = rng.next();
  if (best === undefined && chance < propose) return { action: "propose", plan: draftPlan(sight, leaning, rng) };
  if (best !== undefined && !backed(sight, best) && chance < endorse) return { action: "endorse", target: best.id };
  return duty(sight) ?? { action: "speak" };
};
