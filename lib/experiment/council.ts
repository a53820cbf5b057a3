import { contentHash } from "../core/canonical_json.ts";
import { createRng } from "../core/rng.ts";
import { unknownName } from "../core/unknown_name.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { limited } from "../model/limited.ts";
import { type Environment, openaiFromEnvironment } from "../model/openai_from_environment.ts";
import { replay } from "../model/replay.ts";
import { retrying } from "../model/retrying.ts";
import { surrogate } from "../model/surrogate/surrogate.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { readCalls } from "../storage/read_calls.ts";
import { loadSurrogateParameters } from "../storage/surrogate_parameters.ts";

/** Who fills the seats, and what the record says of it. */
export interface Council {
  readonly chat: ChatModel;
  /** Goes into the ledger; a ledger is only gone on with by the same council. */
  readonly identity: string;
  /** Whether no language model takes part. */
  readonly synthetic: boolean;
  /** Whether calls cost money. */
  readonly live: boolean;
  /** Runs under way at once. */
  readonly concurrency: number;
}

/** Surrogates with the project's fitted parameters, or with others. */
export async function surrogateCouncil(parameters?: SurrogateParameters): Promise<Council> {
  const chosen = parameters ?? await loadSurrogateParameters();
  const identity = `surrogate:${contentHash(chosen).slice(0, 12)}`;
  return { chat: surrogate(chosen), identity, synthetic: true, live: false, concurrency: 1 };
}

/** Calls in flight at once to a live endpoint, over all seats and runs. */
const LIVE_CONCURRENCY = 8;

/** Language models behind an OpenAI-compatible endpoint. Throws a UserError where the environment names no key. */
export function liveCouncil(env: Environment): Council {
  // The seed only spreads waits; no result depends on it.
  const chat = retrying(limited(openaiFromEnvironment(env), { concurrency: LIVE_CONCURRENCY }), { rng: createRng(0) });
  return { chat, identity: `live:${endpointOf(env)}`, synthetic: false, live: true, concurrency: LIVE_CONCURRENCY };
}

/** Host and path asked, without what may be secret in a URL: another endpoint is another council. */
function endpointOf(env: Environment): string {
  const base = env.get("OPENAI_BASE_URL")?.trim();
  if (!base) return "openai";
  const { host, pathname } = new URL(base);
  return host + pathname.replace(/\/$/, "");
}

/** Recorded calls, answered again. */
export async function replayCouncil(path: string): Promise<Council> {
  const calls = await readCalls(path);
  const synthetic = calls.some(({ reply }) => reply?.synthetic === true);
  return { chat: replay(calls), identity: "replay", synthetic, live: false, concurrency: 1 };
}

/**
 * A council by the name given on the command line: `surrogate`, `live` or `replay:FILE`.
 *
 * @throws {UserError} on another name, a missing key or a recording that cannot be read.
 */
export async function openCouncil(name: string, env: Environment): Promise<Council> {
  if (name === "surrogate") return await surrogateCouncil();
  if (name === "live") return liveCouncil(env);
  if (name.startsWith("replay:")) return await replayCouncil(name.slice("replay:".length));
  if (name === "replay") throw new UserError("--council replay needs a file: --council replay:FILE", { exitCode: 2 });
  throw unknownName("council", name, ["surrogate", "live", "replay:FILE"]);
}
