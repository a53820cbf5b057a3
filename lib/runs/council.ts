import { contentHash } from "../core/json.ts";
import { known } from "../core/known.ts";
import { unknownName } from "../core/nearest.ts";
import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { type Environment, openaiFromEnvironment } from "../model/openai_chat.ts";
import { queued } from "../model/queued.ts";
import { surrogate } from "../model/surrogate/surrogate.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { openRecording } from "./recording.ts";
import { loadSurrogateParameters } from "./scenarios.ts";

/** Who fills the seats, and what the record says of it. */
export interface Council {
  readonly chat: ChatModel;
  /** Goes into the ledger; only the same council can resume a ledger. */
  readonly identity: string;
  /** Whether no language model takes part. */
  readonly synthetic: boolean;
  /** Whether calls cost money. */
  readonly live: boolean;
  /** Runs under way at once. */
  readonly concurrency: number;
  /** The model that every seat is asked from; by default each seat's own. */
  readonly model?: string | undefined;
}

/** Surrogates with the project's fitted parameters, or with others. */
export async function surrogateCouncil(parameters?: SurrogateParameters): Promise<Council> {
  const chosen = parameters ?? await loadSurrogateParameters();
  const identity = `surrogate:${contentHash(chosen).slice(0, 12)}`;
  return { chat: surrogate(chosen), identity, synthetic: true, live: false, concurrency: 1 };
}

/** How a live council is asked; every part has a default. */
export interface LiveOptions {
  /** Calls in flight at once, over all seats and runs; 8 by default. */
  readonly concurrency?: number | undefined;
  /** How long an endpoint that answers nothing is waited for, in milliseconds; 15 minutes by default. */
  readonly patienceMs?: number | undefined;
  /** Whether the temperature is sent; a model that takes none is asked without, and the record says so. */
  readonly sendTemperature?: boolean | undefined;
  /** The name under which the token limit is sent. */
  readonly maxTokensName?: "max_tokens" | "max_completion_tokens" | undefined;
  /** Told when the endpoint has to be waited for, and when it answers again. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

const LIVE_CONCURRENCY = 8;
const PATIENCE_MS = 15 * 60_000;

/** Language models behind an OpenAI-compatible endpoint. Throws a UserError where the environment names no key. */
export function liveCouncil(env: Environment, options: LiveOptions = {}): Council {
  const { concurrency = LIVE_CONCURRENCY, patienceMs = PATIENCE_MS, onNotice, ...sending } = options;
  // The seed only spreads waits; no result depends on it.
  const chat = queued(openaiFromEnvironment(env, known(sending)), {
    concurrency,
    patienceMs,
    rng: createRng(0),
    onNotice,
  });
  return { chat, identity: `live:${endpointOf(env)}`, synthetic: false, live: true, concurrency };
}

/** Host and path asked, without what may be secret in a URL: another endpoint is another council. */
function endpointOf(env: Environment): string {
  const base = env.get("OPENAI_BASE_URL")?.trim();
  if (!base) return "openai";
  const { host, pathname } = new URL(base);
  return host + pathname.replace(/\/$/, "");
}

/** Recorded calls, answered again: see `openRecording`. */
export async function replayCouncil(path: string): Promise<Council> {
  const { chat, synthetic } = await openRecording(path);
  return { chat, identity: "replay", synthetic, live: false, concurrency: 1 };
}

/**
 * A council by the name given on the command line: `surrogate`, `live`, `live:MODEL` or `replay:PATH`.
 *
 * @throws {UserError} on another name, a missing key or a recording that cannot be read.
 */
export async function openCouncil(name: string, env: Environment, options?: LiveOptions): Promise<Council> {
  if (name === "surrogate") return await surrogateCouncil();
  const model = modelNamedBy(name);
  if (name === "live" || model !== undefined) return { ...liveCouncil(env, options), ...(model && { model }) };
  if (name.startsWith("replay:")) return await replayCouncil(name.slice("replay:".length));
  if (name === "replay") throw new UserError("--council replay needs a path: --council replay:PATH", { exitCode: 2 });
  throw unknownName("council", name, ["surrogate", "live", "live:MODEL", "replay:PATH"]);
}

/** The model that a council such as `live:MODEL` puts into every seat; undefined where the seats keep their own. */
export function modelNamedBy(council: string): string | undefined {
  if (!council.startsWith("live:")) return undefined;
  const model = council.slice("live:".length).trim();
  if (model !== "") return model;
  throw new UserError("--council live: names no model; write live:MODEL or live", { exitCode: 2 });
}
