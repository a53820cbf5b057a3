/**
 * The committee protocol: an async generator of events, and the state as a fold over them.
 *
 * @module
 */
export { deliberate } from "./deliberate.ts";
export { readStateLine } from "./normalise_state_line.ts";
export { parseStateLine } from "./parse_state_line.ts";
export { parseBallot, parseClerkReport } from "./parse_vote.ts";
export { createPrompter } from "./prompt.ts";
export { reread } from "./reread.ts";
export { applyEvent, initialState } from "./state.ts";
