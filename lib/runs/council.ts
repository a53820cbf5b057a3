import { contentHash } from "../core/json.ts";
import { unknownName } from "../core/nearest.ts";
import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { limited } from "../model/limited.ts";
import { type Environment, openaiFromEnvironment } from "../model/openai_chat.ts";
import { replay } from "../model/replay.ts";
import { retrying } from "../model/retrying.ts";
import { surrogate } from "../model/surrogate/surrogate.ts";
import { ModelCall } from "../schema/model_call.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { readText } from "./files.ts";
import { fieldName, violations } from "./read_json.ts";
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

/**
 * Reads recorded model calls, one JSON object a line, as `run --council live` writes them.
 *
 * @throws {UserError} naming file, line and rule; a torn last line is an error here, since a replay would miss it.
 */
export async function readCalls(path: string): Promise<ModelCall[]> {
  const text = (await readText(path)).trimEnd();
  if (text === "") throw new UserError(`${path}: holds no recorded call`);
  return text.split("\n").map((line, i) => {
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      throw new UserError(`${path}: line ${i + 1} is not JSON; take it off the recording to replay the rest`);
    }
    const checked = violations(ModelCall, json);
    if (checked.ok) return checked.value;
    const { path: field, rule } = checked.violations[0]!;
    throw new UserError(`${path}: line ${i + 1}: ${fieldName(field) || "the whole line"}: ${rule}`);
  });
}
