/**
 * Models behind one port: live, recorded, scripted, surrogate; and what wraps them.
 *
 * @module
 */
export type { ChatModel } from "./chat_model.ts";
export { openaiChat } from "./openai_chat.ts";
export { recording, replay } from "./replay.ts";
export { scripted } from "./scripted.ts";
export { stationPersona } from "./station/station_persona.ts";
export { surrogate } from "./surrogate/surrogate.ts";
