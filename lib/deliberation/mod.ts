/**
 * The committee protocol: an async generator of events, and the state as a fold over them.
 *
 * @module
 */
export { conditionName } from "./condition_name.ts";
export { conditionHash, deliberate } from "./deliberate.ts";
export { parseStateLine } from "./parse_state_line.ts";
export { parseBallot, parseClerkReport } from "./parse_vote.ts";
export { applyEvent, committeeMeans, initialState, preferencesByRound } from "./state.ts";
