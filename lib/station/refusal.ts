import type { Mosaic } from "../schema/mosaic.ts";
import { type ActionName, COUNCIL, type CouncilRole } from "../schema/station_ids.ts";
import { constant, RULES } from "./rules.ts";
import type { StationState } from "./state.ts";

/** Why a readable action has no effect. */
export type RefusalCode =
  | "action_not_allowed"
  | "unknown_proposal"
  | "proposal_not_open"
  | "own_proposal"
  | "unknown_role"
  | "own_role"
  | "unknown_rumor"
  | "no_tokens";

const TOKENS: Partial<Record<ActionName, string>> = {
  fact_check: "factTokens",
  audit: "auditTokens",
  poll: "pollTokens",
};

/**
 * Whether an action is open to a role now: its office may do it, what it aims at exists, and it can be paid for. A
 * refused action counts as the role's act of the round and is recorded with its code.
 */
export function refusal(
  state: StationState,
  role: CouncilRole,
  { action, target }: { action: ActionName; target?: string | undefined },
  rules: Mosaic = RULES,
): RefusalCode | undefined {
  if (rules.actions[action].roles?.includes(role) === false) return "action_not_allowed";
  const tokens = TOKENS[action];
  if (tokens !== undefined && state.tokens < constant(rules.act, tokens)) return "no_tokens";
  switch (action) {
    case "endorse":
    case "oppose":
    case "vote":
    case "fork_proposal": {
      const proposal = state.proposals.find(({ id }) => id === target);
      if (proposal === undefined) return "unknown_proposal";
      if (proposal.status !== "open") return "proposal_not_open";
      return action === "endorse" && proposal.by === role ? "own_proposal" : undefined;
    }
    case "form_coalition":
    case "bribe":
      if (!COUNCIL.some((other) => other === target)) return "unknown_role";
      return target === role ? "own_role" : undefined;
    case "fact_check":
      return target === undefined || state.rumors.some(({ id }) => id === target) ? undefined : "unknown_rumor";
    default:
      return undefined;
  }
}
