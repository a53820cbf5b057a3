import { draftPlan } from "../draft_plan.ts";
import { duty } from "../duty.ts";
import { campOf, CAMPS, PARAMETERS } from "../parameters.ts";
import { backed, lead, type Policy, top } from "../plans.ts";

/**
 * Split council: equity, civil affairs and the Outer Ring stand against command, engineering and the sponsor deck. Each
 * camp puts up its plan and gathers behind it; three votes of four pass nothing until somebody concedes, which is rare.
 * Meanwhile every office does its work, so the public stays calm while nothing is authorised.
 */
export const split: Policy = (sight, rng) => {
  const { propose, loyal, concede, firstConcession, oppose, calm } = PARAMETERS.split;
  const camp = campOf(sight.role);
  const ours = top(sight.open.filter(({ by }) => campOf(by) === camp), lead);
  const theirs = top(sight.open.filter(({ by }) => campOf(by) !== camp), lead);
  const [will, mood] = [rng.next(), rng.next()];
  if (ours === undefined && will < propose) {
    const plan = draftPlan(sight, CAMPS[camp].leaning, rng);
    return theirs ? { action: "fork_proposal", target: theirs.id, plan } : { action: "propose", plan };
  }
  if (ours !== undefined && !backed(sight, ours) && will < loyal) return { action: "endorse", target: ours.id };
  if (theirs !== undefined && !backed(sight, theirs)) {
    if (mood < concede && sight.round >= firstConcession) return { action: "vote", target: theirs.id, support: true };
    const stand = theirs.votes[sight.role] ?? 0;
    if (mood >= concede && mood < concede + oppose && stand === 0) return { action: "oppose", target: theirs.id };
  }
  return duty(sight) ?? (sight.rumors.length > 0 && rng.next() < calm ? { action: "moderate" } : { action: "speak" });
};
