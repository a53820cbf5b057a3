import { draftPlan } from "../draft_plan.ts";
import { duty } from "../duty.ts";
import { PARAMETERS } from "../parameters.ts";
import { backed, type Policy, top, worth } from "../plans.ts";
import type { Deed, Sight } from "../sight.ts";

/**
 * Cautious auditor: checks rumours and the books first, puts up no plan in the opening round, and backs one readily
 * only when nothing in sight is left to check.
 */
export const auditor: Policy = (sight, rng) => {
  const { firstPlan, lastPlan, propose, proposeCommand, endorseClear, endorseUnclear, check, leaning } =
    PARAMETERS.auditor;
  const question = openQuestion(sight);
  if (question && rng.next() < check) return question;
  const best = top(sight.open, (proposal) => worth(sight, proposal));
  const chance = rng.next();
  if (
    best === undefined && sight.round >= firstPlan && sight.round <= lastPlan &&
    chance < (sight.role === "C1_COMMAND" ? proposeCommand : propose)
  ) {
    return { action: "propose", plan: draftPlan(sight, leaning, rng) };
  }
  if (best !== undefined && !backed(sight, best) && chance < (question ? endorseUnclear : endorseClear)) {
    return { action: "endorse", target: best.id };
  }
  return duty(sight) ?? { action: "speak" };
};

/** What could still be looked into now, and has not been this round. */
function openQuestion({ rumors, tokens, news, done }: Sight): Deed | undefined {
  const rumor = rumors.find(({ id }) => !done.has(`fact_check ${id}`));
  if (rumor !== undefined && tokens >= 1) return { action: "fact_check", target: rumor.id };
  return news.has("X3_JOURNALIST") && tokens >= 2 && !done.has("audit") ? { action: "audit" } : undefined;
}
