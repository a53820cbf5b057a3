import type { Mosaic } from "../schema/mosaic.ts";
import type { CouncilRole } from "../schema/station_ids.ts";
import { executability, finalPlan } from "./executability.ts";
import { RULES } from "./rules.ts";
import type { StationProposal, StationState } from "./state.ts";

const sum = (votes: StationProposal["votes"], sign: 1 | -1): number =>
  Object.values(votes).reduce((total, quarters) => total + Math.max(0, sign * quarters), 0);

/** Enough backing: at least 4 whole votes for it (quarters are counted, so 3.75 is not 4). */
export const hasSupport = (votes: StationProposal["votes"], { gate }: Mosaic = RULES): boolean =>
  sum(votes, 1) >= gate.need;

/** Enough of a lead: votes for exceed votes against by at least 2. */
export const hasMargin = (votes: StationProposal["votes"], { gate }: Mosaic = RULES): boolean =>
  sum(votes, 1) - sum(votes, -1) >= gate.margin;

/** At least one faction, Outer Ring or sponsor deck, is among the supporters. */
export const hasFactionBacking = (votes: StationProposal["votes"]): boolean =>
  (["F1_OUTER", "F2_SPONSOR"] as const satisfies CouncilRole[]).some((role) => (votes[role] ?? 0) > 0);

/** Executable enough to be authorised. */
export const isExecutable = (e: number, { gate }: Mosaic = RULES): boolean => e >= gate.executability;

/**
 * The lifecycle gate: support, margin, a faction's backing, executability. That a proposal must clear a gate and meet
 * executability thresholds is published; the support rule is ours. Votes are given as whole votes.
 */
export function gateOutcome(proposal: StationProposal, state: StationState, rules: Mosaic = RULES) {
  const { votes } = proposal;
  const e = executability(proposal, state, rules);
  const passed = hasSupport(votes, rules) && hasMargin(votes, rules) && hasFactionBacking(votes) &&
    isExecutable(e, rules);
  const [support, against] = [sum(votes, 1) / 4, sum(votes, -1) / 4];
  return { support, against, factionBacked: hasFactionBacking(votes), executability: e, passed };
}

/** The stabilisation gate's thresholds (Table 12): executability ≥ 0.58, public order ≥ 0.35, information integrity ≥ 0.40. */
export const holdsThresholds = (
  { e, order, info }: { e: number; order: number; info: number },
  { stabilise }: Mosaic = RULES,
): boolean => e >= stabilise.executability && order >= stabilise.order && info >= stabilise.info;

/** Whether the station is stable at the close: a passed plan was executed, and the three thresholds hold now. */
export function isStabilized(state: StationState, rules: Mosaic = RULES): boolean {
  if (!state.proposals.some(({ status }) => status === "executed")) return false;
  return holdsThresholds({ e: finalPlan(state, rules)!.e, order: state.order, info: state.info }, rules);
}
