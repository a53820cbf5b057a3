import { fail, type Issue, ok, type Result } from "../core/result.ts";
import { createRng } from "../core/rng.ts";
import { type ChatModel, ModelError } from "../model/chat_model.ts";
import type { ChatReply, ChatRequest } from "../schema/model_call.ts";
import { OPTION_LETTERS, type ScenarioPacket } from "../schema/scenario.ts";
import type { WordingJudge } from "../schema/wording_judge.ts";
import { loadWordingJudge } from "../storage/wording_judge.ts";
import { type MeaningScore, parseMeaning } from "./parse_meaning.ts";

/** Who judges, and how. */
export interface JudgeWordingOptions {
  readonly chat: ChatModel;
  /** Every call's seed follows from it and the two wordings' names. */
  readonly seed: number;
  /** Default: `scenarios/prompts/judge/wording.json`. */
  readonly judge?: WordingJudge | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far a rewording keeps the meaning of the original. */
export interface WordingScore extends MeaningScore {
  /** Whether the score reaches the judge's `preserved`. */
  readonly preserved: boolean;
}

/** One rewording as judged. */
export interface JudgedWording {
  /** The rewording's variant; undefined for the canonical text. */
  readonly variant: string | undefined;
  readonly score: Result<WordingScore, Issue>;
  /** What the judge sent, readable or not; absent where nothing came. It says whether it is `synthetic`. */
  readonly reply?: ChatReply;
}

/**
 * Asks a model how well each rewording of a scenario preserves the meaning of the original, from 0 to 10.
 *
 * One call a rewording, in their order, each judged against `original` alone. For all pairs, as one may read "each
 * variant pair", call it with every wording as the original in turn. The original among the rewordings shows what the
 * judge gives to equal texts. A reply that cannot be read, or did not come, is an issue in its place: it is not asked for
 * again, and no score is made up. A judge is a language model's opinion; a test of the texts' figures stands beside it.
 *
 * Source: Shimao et al., S4.2: GPT-4o, 0-10, all pairs at least 8.5.
 *
 * @param original the wording whose meaning is to be preserved.
 * @param rewordings packets of the same scenario with the same option labels in the same order.
 * @throws {RangeError} before any call, when a rewording is of another scenario or has other options.
 * @throws {ModelError} when the endpoint refuses every call (`auth`, `quota`).
 * @throws the signal's reason when aborted.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { scripted } from "../model/scripted.ts";
 * import { loadScenario } from "../storage/scenarios.ts";
 * const [original, formal] = [await loadScenario("IM-01"), await loadScenario("IM-01", { variant: "formal" })];
 * const [judged] = await judgeWording(original, [formal], { chat: scripted(['{"meaning": 9}']), seed: 1 });
 * assert.deepEqual(judged!.score, { ok: true, value: { meaning: 9, repairs: [], preserved: true } });
 * ```
 */
export async function judgeWording(
  original: ScenarioPacket,
  rewordings: readonly ScenarioPacket[],
  { chat, seed, judge, signal }: JudgeWordingOptions,
): Promise<JudgedWording[]> {
  for (const rewording of rewordings) checkRewording(original, rewording);
  const by = judge ?? await loadWordingJudge();
  const judged: JudgedWording[] = [];
  for (const rewording of rewordings) {
    const request = judgeRequest(original, rewording, by, seed);
    judged.push({ variant: rewording.variant, ...await score(request, by, chat, signal) });
  }
  return judged;
}

async function score(
  request: ChatRequest,
  { preserved }: WordingJudge,
  chat: ChatModel,
  signal: AbortSignal | undefined,
): Promise<Omit<JudgedWording, "variant">> {
  try {
    const reply = await chat(request, { signal });
    const read = parseMeaning(reply.text);
    return { score: read.ok ? ok({ ...read.value, preserved: read.value.meaning >= preserved }) : read, reply };
  } catch (error) {
    if (!(error instanceof ModelError) || error.fatal) throw error;
    const { code, message, received } = error;
    return { score: fail({ code, message }), ...(received && { reply: received }) };
  }
}

function judgeRequest(
  original: ScenarioPacket,
  rewording: ScenarioPacket,
  judge: WordingJudge,
  seed: number,
): ChatRequest {
  const { model, temperature, maxTokens, system } = judge;
  const content = fill(judge.request, {
    original: wordingText(original, judge),
    rewording: wordingText(rewording, judge),
  });
  const { key } = createRng(seed).fork("judge-wording").fork(original.id).fork(wordingName(original)).fork(
    wordingName(rewording),
  );
  return {
    model,
    messages: [{ role: "system", content: system }, { role: "user", content }],
    temperature,
    seed: key,
    maxTokens,
  };
}

function wordingText({ title, background, options, question }: ScenarioPacket, { packet, option }: WordingJudge) {
  const lines = options.map((own, i) => fill(option, { letter: OPTION_LETTERS[i]!, ...own }));
  return fill(packet, { title, background, question, options: lines.join("\n") });
}

function checkRewording(original: ScenarioPacket, rewording: ScenarioPacket): void {
  if (rewording.id !== original.id) throw new RangeError(`a rewording must be of ${original.id}, got ${rewording.id}`);
  const [wanted, got] = [original, rewording].map(({ options }) => options.map(({ label }) => label).join(" / "));
  if (got === wanted) return;
  const name = `${rewording.id}, ${wordingName(rewording)}`;
  throw new RangeError(`${name}: a rewording's options must be ${wanted}, in this order, got ${got}`);
}

/** No variant can be called this: a variant's name holds no capital. */
const wordingName = ({ variant = "CANONICAL" }: ScenarioPacket): string => variant;

/** In one pass, so that a value is never searched for placeholders itself; the schema knows the names. */
const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!);
