export { conditionName } from "./condition_name.ts";
export { conditionHash, deliberate, type DeliberateOptions } from "./deliberate.ts";
export { type ParseIssue, parseStateLine } from "./parse_state_line.ts";
export { parseBallot, parseClerkReport } from "./parse_vote.ts";
export { createPrompter } from "./prompt.ts";
export { type DeliberationState, start, type Turn, update } from "./state.ts";
export { committeeMeans, preferencesByRound } from "./state.ts";
