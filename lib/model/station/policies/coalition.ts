import { COUNCIL } from "../../../schema/station_ids.ts";
import { draftPlan } from "../draft_plan.ts";
import { duty } from "../duty.ts";
import { PARAMETERS } from "../parameters.ts";
import { backed, lead, type Policy, top } from "../plans.ts";

/**
 * Coalition builder: ties itself to another role before it talks of plans, puts up plans that take from nobody in
 * particular, and backs early what its partners have put up or back; to others' plans it comes more slowly.
 */
export const coalition: Policy = (sight, rng) => {
  const { tiesFirst, propose, gathered, repropose, endorseTied, endorseOther, leaning } = PARAMETERS.coalition;
  const { role, tied, open } = sight;
  const strangers = COUNCIL.filter((other) => other !== role && !tied.includes(other));
  const chance = rng.next();
  if (tied.length < tiesFirst) return { action: "form_coalition", target: strangers[rng.int(strangers.length)]! };
  const best = top(open, lead);
  if (best === undefined && chance < (tied.length < gathered ? propose : repropose)) {
    return { action: "propose", plan: draftPlan(sight, leaning, rng) };
  }
  if (best !== undefined && !backed(sight, best)) {
    const near = tied.some((other) => (best.votes[other] ?? 0) > 0);
    if (chance < (near ? endorseTied : endorseOther)) return { action: "endorse", target: best.id };
  }
  const own = duty(sight);
  if (own) return own;
  return strangers.length > 0 ? { action: "form_coalition", target: strangers[rng.int(strangers.length)]! } : {
    action: "speak",
  };
};
