import { draftPlan } from "../draft_plan.ts";
import { PARAMETERS } from "../parameters.ts";
import { backed, lead, type Policy, top } from "../plans.ts";

/**
 * Score chaser: everybody backs the first plan at once, the same is filed twice again, then the council broadcasts to
 * the end. It looks at no office's troubles: depth, speed, ties and order count for the score, whatever else happens.
 */
export const chaser: Policy = (sight, rng) => {
  const { files, leaning } = PARAMETERS.chaser;
  const best = top(sight.open, lead);
  if (best === undefined && sight.round <= files) return { action: "propose", plan: draftPlan(sight, leaning, rng) };
  if (best !== undefined && !backed(sight, best)) return { action: "endorse", target: best.id };
  return { action: "broadcast" };
};
