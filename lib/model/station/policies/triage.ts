import { draftPlan } from "../draft_plan.ts";
import { duty } from "../duty.ts";
import { PARAMETERS } from "../parameters.ts";
import { backed, type Policy, top, worth } from "../plans.ts";

/**
 * Fast triage: the first to speak puts up a plan that keeps the air and the docks going; the others back the plan that
 * covers most, or first secure what their office sees failing. With nothing to vote on, they calm rumours or speak.
 */
export const triage: Policy = (sight, rng) => {
  const { open, reopen, endorse, calm, leaning } = PARAMETERS.triage;
  const best = top(sight.open, (proposal) => worth(sight, proposal));
  const chance = rng.next();
  if (best === undefined && chance < (sight.round === 1 ? open : reopen)) {
    return { action: "propose", plan: draftPlan(sight, leaning, rng) };
  }
  if (best !== undefined && !backed(sight, best) && chance < endorse) return { action: "endorse", target: best.id };
  return duty(sight) ?? (sight.rumors.length > 0 && rng.next() < calm ? { action: "moderate" } : { action: "speak" });
};
