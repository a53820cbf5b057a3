/**
 * The Mosaic-9 engine: six roles, six rounds, a clerk and a parser; an async generator of events, folded into the state.
 *
 * @module
 */
export { applyEvent } from "./apply_event.ts";
export { executability } from "./executability.ts";
export { parseProposal } from "./parse_proposal.ts";
export { recap } from "./recap.ts";
export { reread, type StationRun } from "./reread.ts";
export { type Ruleset, runStation } from "./run_station.ts";
export { initialState } from "./state.ts";
export { summarise } from "./summary.ts";
export { weather } from "./weather.ts";
