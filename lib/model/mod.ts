/**
 * The port `ChatModel` and what sits behind it: live endpoints, scripts and recordings, wrapped for retries, limits and
 * recording.
 *
 * @module
 */
export * from "./chat_model.ts";
export * from "./cost.ts";
export * from "./cost.ts";
export * from "./limited.ts";
export * from "./openai_chat.ts";
export * from "./openai_chat.ts";
export * from "./replay.ts";
export * from "./redact.ts";
export * from "./replay.ts";
export { ReplayMismatch } from "./replay.ts";
export * from "./retrying.ts";
export * from "./scripted.ts";
export { STATION_PERSONAS, stationPersona } from "./station/station_persona.ts";
export { surrogate } from "./surrogate/surrogate.ts";
