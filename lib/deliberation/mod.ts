/**
 * The committee protocol: an async generator of events, and the state as a fold over them.
 *
 * @example One committee of a surrogate, and its state after the last event
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadCondition, surrogateCouncil } from "../lab/runs/mod.ts";
 * import { applyEvent, deliberate, initialState } from "./mod.ts";
 * const condition = await loadCondition({ scenario: "IM-01", rounds: 2 });
 * let state = initialState(condition);
 * for await (const event of deliberate(condition, { council: await surrogateCouncil(), replicate: 0, seed: 1 })) {
 *   state = applyEvent(state, event);
 * }
 * assert.equal(state.turns.length, 2 * condition.seats.length);
 * ```
 *
 * @module
 */
export { deliberate } from "./deliberate.ts";
export { parseStateLine } from "./parse_state_line.ts";
export { reread } from "./reread.ts";
export { applyEvent, initialState } from "./state.ts";
