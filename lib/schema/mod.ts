/**
 * The shapes of what is declared, asked and recorded, and the names that several rooms share.
 *
 * @module
 */
export type { Condition, ConditionGrid, ConditionKnobs, ConditionSpec } from "./condition.ts";
export type { DeliberationEvent, StateVector } from "./deliberation_event.ts";
export type { ChatReply, ChatRequest, ModelCall } from "./model_call.ts";
export { NON_USE } from "./quality_names.ts";
export { OPTION_LETTERS, type Role, ROLES, type ScenarioPacket } from "./scenario.ts";
export type { SeedCard } from "./seed_card.ts";
export type { StationEvent } from "./station_event.ts";
export type { Proposal } from "./station_reply.ts";
export type { StationSummary } from "./station_summary.ts";
export { SurrogateParameters } from "./surrogate_parameters.ts";
