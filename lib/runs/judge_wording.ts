import { z } from "zod";
import { checkOptions } from "../core/options.ts";
import { fail, type Issue, ok, type Result } from "../core/result.ts";
import { template } from "../core/text.ts";
import { createRng } from "../core/rng.ts";
import { readJsonReply } from "../deliberation/parse_vote.ts";
import { type ChatModel, ModelError, type SeatedBy, seatedModel } from "../model/chat_model.ts";
import type { ChatReply, ChatRequest } from "../schema/model_call.ts";
import { OPTION_LETTERS, PromptLines, promptTemplate, type ScenarioPacket } from "../schema/scenario.ts";
import { folderUrl } from "../record/files.ts";
import { readJson } from "../record/read_json.ts";
import type { ScenarioFolder } from "../live/scenarios.ts";

const MeaningScore = z.number().min(0).max(10);

/**
 * The request to a model to judge whether two wordings of a scenario mean the same, as data. The words and the JSON format
 * are this project's own: the deliberation paper (S4.2) gives the judge, the scale and the lowest score, but no prompt.
 */
export type WordingJudge = Record<"id" | "system" | "request" | "option", string> & {
  schema: "wording-judge/1";
  /** Who judges; the paper's was GPT-4o. */
  model: string;
  temperature: number;
  maxTokens: number;
  /** Lowest score that counts as the same meaning; the paper's pairs all reached 8.5. */
  preserved: number;
  /** A wording as the judge sees it. */
  packet: string;
};
export const WordingJudge: z.ZodType<WordingJudge> = z.strictObject({
  schema: z.literal("wording-judge/1"),
  id: z.string().min(1),
  model: z.string().min(1),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1),
  preserved: MeaningScore,
  system: PromptLines,
  request: promptTemplate("original", "rewording"),
  packet: promptTemplate("title", "background", "options", "question"),
  option: promptTemplate("letter", "label", "text"),
});

/** The judge's whole reply: `{"meaning": 9.5}`. */
const MeaningReply = z.strictObject({ meaning: MeaningScore });

const SCENARIOS = new URL("../../scenarios/", import.meta.url);

/**
 * The judge of wordings, `prompts/judge/wording.json`, its texts joined to plain strings.
 *
 * @throws {UserError} when the file is missing or malformed.
 */
export async function loadWordingJudge({ folder = SCENARIOS }: ScenarioFolder = {}): Promise<WordingJudge> {
  return await readJson(new URL("prompts/judge/wording.json", folderUrl(folder)), WordingJudge);
}

/**
 * Reads a judge's reply, `{"meaning": 9.5}`, by the rules of `parseBallot`: a code fence is taken off and named as a
 * repair; anything else that is not exactly this object, with a number from 0 to 10, is an issue.
 *
 * @returns `meaning` from 0 (nothing of the meaning is preserved) to 10 (all of it), never rounded or clipped.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(parseMeaning('{"meaning": 9.5}'), { ok: true, value: { meaning: 9.5, repairs: [] } });
 * assert.equal(parseMeaning("9.5 out of 10").ok, false);
 * ```
 */
export function parseMeaning(text: string) {
  const reply = readJsonReply(text, MeaningReply);
  if (!reply.ok) return reply;
  const { value, repairs, surplusColons } = reply.value;
  if (surplusColons) return fail({ code: "ambiguous" as const, message: "the score is given more than once" });
  return ok({ meaning: value.meaning, repairs });
}

/** The judging model, and its settings. */
export type JudgeWordingOptions = SeatedBy & {
  /** Every call's seed follows from it and the two wordings' names. */
  readonly seed: number;
  /** Default: `scenarios/prompts/judge/wording.json`. */
  readonly judge?: WordingJudge | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** One rewording as judged. */
export interface JudgedWording {
  /** The rewording's variant; undefined for the canonical text. */
  readonly variant: string | undefined;
  /** Score for keeping the meaning of the original, and whether it reaches the judge's `preserved`. */
  readonly score: Result<{ meaning: number; repairs: readonly string[]; preserved: boolean }, Issue>;
  /** The judge's reply, readable or not; absent where nothing came. It says whether it is `synthetic`. */
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
 * import { scripted } from "../model/replay.ts";
 * import { loadScenario } from "../live/scenarios.ts";
 * const [original, formal] = [await loadScenario("IM-01"), await loadScenario("IM-01", { variant: "formal" })];
 * const [judged] = await judgeWording(original, [formal], { council: scripted(['{"meaning": 9}']), seed: 1 });
 * assert.deepEqual(judged!.score, { ok: true, value: { meaning: 9, repairs: [], preserved: true } });
 * ```
 */
export async function judgeWording(
  original: ScenarioPacket,
  rewordings: readonly ScenarioPacket[],
  options: JudgeWordingOptions,
): Promise<JudgedWording[]> {
  const { seed, judge, signal } = checkOptions("judgeWording", options, "council chat seed! judge signal");
  const chat = seatedModel(options);
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

function judgeRequest(original: ScenarioPacket, rewording: ScenarioPacket, judge: WordingJudge, seed: number) {
  const { model, temperature, maxTokens, system } = judge;
  const texts = { original: wordingText(original, judge), rewording: wordingText(rewording, judge) };
  const labels = ["judge-wording", original.id, wordingName(original), wordingName(rewording)];
  const { key } = labels.reduce((rng, label) => rng.fork(label), createRng(seed));
  const user = { role: "user" as const, content: template(judge.request)(texts) };
  return { model, messages: [{ role: "system" as const, content: system }, user], temperature, seed: key, maxTokens };
}

function wordingText({ title, background, options, question }: ScenarioPacket, { packet, option }: WordingJudge) {
  const lines = options.map((own, i) => template(option)({ letter: OPTION_LETTERS[i]!, ...own }));
  return template(packet)({ title, background, question, options: lines.join("\n") });
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
