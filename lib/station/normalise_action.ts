import { nameFinder } from "./normalise_names.ts";

/** The 22 canonical actions, and other words for them. */
export const findAction = nameFinder({
  speak: ["say", "talk", "statement"],
  propose: ["proposal", "propose_plan", "submit_proposal", "make_proposal", "file_proposal"],
  endorse: ["support", "back", "approve", "support_proposal", "endorse_proposal"],
  oppose: ["reject", "object", "oppose_proposal", "reject_proposal"],
  vote: ["cast_vote", "vote_on_proposal"],
  form_coalition: ["coalition", "ally", "form_alliance", "build_coalition", "join_coalition"],
  defect: ["leave_coalition", "break_coalition"],
  leak: ["leak_information"],
  fact_check: ["verify", "debunk", "fact_check_rumor", "check_rumor"],
  spread_rumor: ["spread_rumour", "rumor", "rumour"],
  moderate: ["moderation", "moderate_rumor"],
  appeal: ["appeal_to_faction", "plead"],
  bribe: ["offer_bribe"],
  auction: ["auction_seats"],
  allocate: ["allocation", "allocate_resources"],
  sabotage: [],
  repair: ["fix", "repair_power"],
  audit: ["investigate", "request_audit"],
  broadcast: ["announce", "public_broadcast", "announcement"],
  poll: ["survey"],
  fork_proposal: ["fork", "amend", "amend_proposal", "counter_proposal", "counter_propose"],
  observe: ["wait", "watch", "no_action"],
}, "action");

/** The fields of a reply. */
export const findField = nameFinder({
  action: ["act", "action_name", "action_type", "type", "move"],
  proposal: ["plan", "proposed_plan", "proposal_plan"],
  target: ["target_id", "proposal_id", "rumor_id", "rumour_id", "role_id", "target_role", "target_proposal"],
  support: ["in_favour", "in_favor", "for", "approve", "vote"],
  statement: ["message", "text", "speech", "public_statement", "comment"],
}, "key");

/** Objects that hold the whole reply. */
export const findReplyWrapper = nameFinder({ response: ["reply", "output", "result", "answer", "data"] }, "key");

const BOOLEAN_WORDS = new Map([
  ...["true", "yes", "for", "aye", "support"].map((word) => [word, true] as const),
  ...["false", "no", "against", "nay", "oppose"].map((word) => [word, false] as const),
]);

/** What a word for yes or no means. */
export const booleanWord = (word: string): boolean | undefined => BOOLEAN_WORDS.get(word.trim().toLowerCase());
