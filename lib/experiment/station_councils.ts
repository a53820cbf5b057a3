import { unknownName } from "../core/unknown_name.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { Environment } from "../model/openai_from_environment.ts";
import { STATION_PERSONAS, stationPersona } from "../model/station/station_persona.ts";
import { liveCouncil } from "./council.ts";

/** Who fills the six roles, and what the record says of it. */
export interface StationCouncil {
  readonly chat: ChatModel | "none";
  /** Goes into summaries and folder names. */
  readonly label: string;
  /** Whether no language model takes part. */
  readonly synthetic: boolean;
  readonly live: boolean;
  /** Model id asked for. */
  readonly model: string;
}

/**
 * A station council by name: `none` (the clerk alone), a persona, or `live:MODEL` through the endpoint that
 * OPENAI_API_KEY and OPENAI_BASE_URL name.
 *
 * @throws {UserError} on another name (exit code 2, offering the nearest), or where no key is set.
 */
export function stationCouncil(name: string, env: Environment): StationCouncil {
  if (name === "none") return { chat: "none", label: "none", synthetic: true, live: false, model: "none" };
  if (name === "live" || name === "live:") {
    throw new UserError("--council live needs a model: --council live:MODEL", { exitCode: 2 });
  }
  if (name.startsWith("live:")) {
    const model = name.slice("live:".length);
    return { chat: liveCouncil(env).chat, label: model, synthetic: false, live: true, model };
  }
  if (!STATION_PERSONAS.some((persona) => persona === name)) {
    throw unknownName("station council", name, ["none", ...STATION_PERSONAS, "live:MODEL"]);
  }
  const chat = stationPersona(name as typeof STATION_PERSONAS[number]);
  return { chat, label: name, synthetic: true, live: false, model: `surrogate/${name}` };
}
