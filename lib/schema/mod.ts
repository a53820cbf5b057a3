/**
 * Shapes of conditions, requests and records, and the names that several rooms share. Files and models are read with
 * these schemas; a value that passed one is not checked again.
 *
 * @example A condition as people write it: whatever is left out takes the default of the deliberation paper
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const spec: ConditionSpec = { scenario: "HL-01", temperature: 0.7, ablate: "Chair+Equity" };
 * assert.ok(spec.ablate!.split("+").every((role) => ROLES.some((known) => known === role)));
 * ```
 *
 * @module
 */
export type { Condition, ConditionSpec } from "./condition.ts";
export type { DeliberationEvent, StateVector } from "./deliberation_event.ts";
export type { ChatReply } from "./model_call.ts";
export { NON_USE } from "./quality_names.ts";
export { OPTION_LETTERS, type Role, ROLES } from "./scenario.ts";
export type { SeedCard, StationEvent } from "./station_event.ts";
export type { Proposal } from "./station_ids.ts";
export { SurrogateParameters } from "./surrogate_parameters.ts";
