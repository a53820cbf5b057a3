import { greatest } from "d3-array";
import { COUNCIL } from "../../schema/station_ids.ts";
import { campOf, CAMPS, PARAMETERS } from "./parameters.ts";
import { backed, draftPlan, netVotes, type Policy, worth } from "./plans.ts";
import type { Deed, Measured, Sight } from "./sight.ts";

/**
 * What an office does without being asked when its private line shows a need: equity audits, engineering repairs, civil
 * affairs checks or calms rumours, the delegates calm their people and take offers off the market. Command has no
 * trouble of its own. Undefined where there is nothing to do, or another did it this round.
 */
function duty({ role, privately, tokens, news, done }: Sight): Deed | undefined {
  const need = PARAMETERS.duty;
  const calm = (privately.panic ?? 0) >= need.panic ? { action: "appeal" } as const : undefined;
  switch (role) {
    case "C1_COMMAND":
      return undefined;
    case "C2_EQUITY": {
      const heavy = size(worst(privately.scandals)) >= need.scandal;
      return heavy && tokens >= 2 && !done.has("audit") ? { action: "audit" } : undefined;
    }
    case "C3_ENGINEER":
      return (privately.power ?? Infinity) <= need.power ? { action: "repair" } : undefined;
    case "C4_CIVIL": {
      const hottest = worst(privately.heats);
      if (hottest === undefined || hottest.size < need.heat) return undefined;
      return tokens >= 1 ? { action: "fact_check", target: hottest.id } : { action: "moderate" };
    }
    case "F1_OUTER":
      return calm;
    case "F2_SPONSOR": {
      const pressed = size(worst(privately.offers)) >= need.offer || news.has("X2_MARKET");
      return pressed && !done.has("allocate") ? { action: "allocate" } : calm;
    }
  }
}

const worst = (items: readonly Measured[]): Measured | undefined => greatest(items, ({ size }) => size);

const size = (item: Measured | undefined): number => item?.size ?? 0;

/**
 * Cautious auditor: checks rumours and the books first, puts up no plan in the opening round, and backs one readily
 * only when nothing in sight is left to check.
 */
export const auditor: Policy = (sight, rng) => {
  const { firstPlan, lastPlan, propose, proposeCommand, endorseClear, endorseUnclear, check, leaning } =
    PARAMETERS.auditor;
  const question = openQuestion(sight);
  if (question && rng.next() < check) return question;
  const best = greatest(sight.open, (proposal) => worth(sight, proposal));
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

/**
 * Broadcaster: most slots go to telling the public what is known and calming the channels; plans come second and move
 * slowly.
 */
export const broadcaster: Policy = (sight, rng) => {
  const { publicFirst, informFirst, inform, calm, propose, endorse, leaning } = PARAMETERS.broadcaster;
  if (rng.next() < (sight.round <= publicFirst ? informFirst : inform)) {
    return duty(sight) ?? { action: sight.rumors.length > 0 && rng.next() < calm ? "moderate" : "broadcast" };
  }
  const best = greatest(sight.open, netVotes);
  const chance = rng.next();
  if (best === undefined && chance < propose) return { action: "propose", plan: draftPlan(sight, leaning, rng) };
  if (best !== undefined && !backed(sight, best) && chance < endorse) return { action: "endorse", target: best.id };
  return duty(sight) ?? { action: "speak" };
};

/**
 * Score chaser: everybody backs the first plan at once, the same is filed twice again, then the council broadcasts to
 * the end. It looks at no office's troubles: depth, speed, ties and order count for the score, whatever else happens.
 */
export const chaser: Policy = (sight, rng) => {
  const { files, leaning } = PARAMETERS.chaser;
  const best = greatest(sight.open, netVotes);
  if (best === undefined && sight.round <= files) return { action: "propose", plan: draftPlan(sight, leaning, rng) };
  if (best !== undefined && !backed(sight, best)) return { action: "endorse", target: best.id };
  return { action: "broadcast" };
};

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
  const best = greatest(open, netVotes);
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

/**
 * Split council: equity, civil affairs and the Outer Ring stand against command, engineering and the sponsor deck. Each
 * camp puts up its plan and gathers behind it; three votes of four pass nothing until somebody concedes, which is rare.
 * Meanwhile every office does its work, so the public stays calm while nothing is authorised.
 */
export const split: Policy = (sight, rng) => {
  const { propose, loyal, concede, firstConcession, oppose, calm } = PARAMETERS.split;
  const camp = campOf(sight.role);
  const ours = greatest(sight.open.filter(({ by }) => campOf(by) === camp), netVotes);
  const theirs = greatest(sight.open.filter(({ by }) => campOf(by) !== camp), netVotes);
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

/**
 * Fast triage: the first to speak puts up a plan that keeps the air and the docks going; the others back the plan that
 * covers most, or first secure what their office sees failing. With nothing to vote on, they calm rumours or speak.
 */
export const triage: Policy = (sight, rng) => {
  const { open, reopen, endorse, calm, leaning } = PARAMETERS.triage;
  const best = greatest(sight.open, (proposal) => worth(sight, proposal));
  const chance = rng.next();
  if (best === undefined && chance < (sight.round === 1 ? open : reopen)) {
    return { action: "propose", plan: draftPlan(sight, leaning, rng) };
  }
  if (best !== undefined && !backed(sight, best) && chance < endorse) return { action: "endorse", target: best.id };
  return duty(sight) ?? (sight.rumors.length > 0 && rng.next() < calm ? { action: "moderate" } : { action: "speak" });
};
