// @ts-types="@types/d3-array"
import { least, mean, sum } from "d3-array";
import { contentHash } from "../../core/json.ts";
import { checkOptions, known } from "../../core/options.ts";
import { mapLimited } from "../../core/pool.ts";
import { createRng, type Rng } from "../../core/rng.ts";
import { callsOf } from "../../deliberation/calls_of.ts";
import { checkCondition } from "../../deliberation/deliberate.ts";
import { conditionWords } from "../../deliberation/label_conditions.ts";
import { noise, noisePlan } from "../../deliberation/noise.ts";
import { type ChatModel, seatedModel } from "../../model/chat_model.ts";
import { playRun } from "../../record/collected.ts";
import type { Condition } from "../../schema/condition.ts";
import type { DeliberationEvent } from "../../schema/deliberation_event.ts";
import type { ChatReply } from "../../schema/model_call.ts";
import { divergence } from "../../stats/divergence.ts";
import { exactInterval } from "../../stats/exact_interval.ts";
import { percentileInterval } from "../../stats/intervals.ts";
import { equalPairs } from "../../stats/replies.ts";
import { resampleCounts } from "../../stats/resampling.ts";
import { type ConditionColumns, conditionColumns } from "./rows.ts";

/** What one request of many equal ones brought. */
interface Told {
  /** Tells the prompts apart. */
  readonly prompt: string;
  /** Absent where no usable reply came: it equals no other. */
  readonly reply?: ChatReply | undefined;
  /** Shares of the options by its STATE line; absent where none can be read. */
  readonly preferences?: readonly number[] | undefined;
}

/** The place where a reply first differs from the most frequent one to the same prompt. */
export interface FirstDifference {
  /** From 1, counted in `unit`s: tokens where both replies have log-probabilities. */
  readonly at: number;
  readonly unit: "token" | "word";
  /** Absent where the reply has come to its end. */
  readonly wrote?: string;
  /** As the most frequent reply goes on; absent where it has come to its end. */
  readonly most?: string;
  /** Difference of log-probability between the two best tokens there, nats; absent where it is not known. */
  readonly margin?: number;
}

/** How far replies to equal requests differ. Shares of pairs count pairs to the same prompt; unknown values are absent. */
export type NoiseRow = ConditionColumns & {
  /** Model of the seats that were asked. */
  readonly model: string;
  /** Requests in flight at once; absent for the ledgers of runs. */
  readonly concurrency?: number;
  /** Different prompts that were sent twice or more. */
  readonly prompts: number;
  /** Requests, without a usable reply too; these are `missing`, and equal no other. */
  readonly replies: number;
  readonly missing: number;
  /** Share of pairs that are equal to the last character. */
  readonly equal?: number;
  /** Different replies to a prompt, in the mean over prompts. */
  readonly distinct?: number;
  /** Share of replies that differ from the most frequent one to their prompt, with its 95 % interval. */
  readonly differ?: number;
  readonly low?: number;
  readonly high?: number;
  /** The earliest first difference, its unit, and the margin there. */
  readonly at?: number;
  readonly unit?: "token" | "word";
  readonly margin?: number;
  /** Mean distance between two states to one prompt: differences below it are noise here. */
  readonly distance?: number;
  /** Different fingerprints, and the share of equal pairs among those of one fingerprint. */
  readonly fingerprints?: number;
  readonly equalByFingerprint?: number;
  /** Different numbers of cached tokens, and the share of equal pairs among those of one number. */
  readonly cached?: number;
  readonly equalByCached?: number;
  /** Share of later replies that equal the first one to their prompt; share of equal pairs among the later ones. */
  readonly equalToFirst?: number;
  readonly equalLater?: number;
  /** One for each reply that differs from the most frequent one. */
  readonly differences: readonly FirstDifference[];
};

/** Which prompts of the runs are compared: each run's first one, or every prompt that came twice or more. */
export type NoisePrompts = "first" | "all";

/** Runs of a condition, or of the noise protocol, as they answered. */
interface AnsweredRuns {
  readonly label: string;
  readonly condition: Condition;
  readonly runs: readonly { readonly events: readonly DeliberationEvent[] }[];
  /** Model that is named; by default that of the seat that speaks first. */
  readonly model?: string;
  readonly concurrency?: number;
}

export interface NoiseFloorOptions {
  /** Requests of each prompt and level, 2 or more. */
  readonly n: number;
  /** Requests in flight at once, a row each; by default 1. A council's own limit holds beside it. */
  readonly concurrency?: number | readonly number[] | undefined;
  /** Of the requests, which all have the same, and of the resampling of prompts. */
  readonly seed: number;
  /** Label of the seat whose first prompt is sent; by default the one that speaks first. */
  readonly seat?: string | undefined;
  /** `all`: the first prompt of every seat. */
  readonly prompts?: NoisePrompts | undefined;
}

/**
 * The noise of an instrument: a condition's first prompt, sent n times at each level of load, and how far the replies
 * differ. What replicates differ by beyond it may come from deliberation; what they differ by within it does not.
 *
 * @returns one row a level, for Plot.
 * @throws {RangeError} on n below 2. @throws {UserError} on a seat that the condition does not have.
 *
 * @example Who answers by the words alone answers equal requests alike
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadCondition } from "../live/load_condition.ts";
 * import { surrogateCouncil } from "../live/council.ts";
 * const condition = await loadCondition({ scenario: "HL-01" });
 * const rows = await noiseFloor(await surrogateCouncil(), condition, { n: 4, concurrency: [1, 4], seed: 1 });
 * assert.deepEqual(rows.map(({ equal, high }) => [equal, high]), [[1, 3 / 4], [1, 3 / 4]]);
 * ```
 */
export async function noiseFloor(
  council: ChatModel | { readonly chat: ChatModel },
  condition: Condition,
  options: NoiseFloorOptions,
): Promise<NoiseRow[]> {
  const { n, concurrency = 1, seed, ...of } = checkOptions("noiseFloor", options, "n! concurrency seed! seat prompts");
  if (!Number.isSafeInteger(n) || n < 2) {
    throw new RangeError(`n is ${n}: must be 2 or more, so that replies can differ`);
  }
  checkCondition(condition);
  const chat = seatedModel({ council }), answered: AnsweredRuns[] = [];
  for (const level of [concurrency].flat()) {
    const plan = noisePlan(condition, { ...of, concurrency: level }),
      replicates = Array.from({ length: n }, (_, i) => i);
    const runs = await mapLimited(replicates, level, (replicate) => playRun(noise, plan, { chat, replicate, seed }));
    answered.push({ label: conditionWords(condition), condition, runs, concurrency: level });
  }
  return noiseRows(answered, { seed, prompts: "all" });
}

/**
 * The noise in runs that were made: what replies to equal prompts differ by, one row a condition.
 *
 * @param options `prompts`: by default `first`, since all replicates share it; `all` also compares later rounds where runs
 * have had the same words so far. `seed`: of the resampling of prompts, by default 1.
 */
export function noiseRows(
  conditions: readonly AnsweredRuns[],
  options: { readonly prompts?: NoisePrompts | undefined; readonly seed?: number | undefined } = {},
): NoiseRow[] {
  const { prompts = "first", seed = 1 } = checkOptions("noiseRows", options, "prompts seed");
  return conditions.map((one) => noiseRow(one, toldIn(one, prompts), createRng(seed)));
}

/** The replies to compare, in the order of runs. */
function toldIn({ condition, runs, concurrency }: AnsweredRuns, prompts: NoisePrompts): Told[] {
  return runs.flatMap(({ events }) => {
    const answers = events.filter((event) => "seat" in event);
    // Of the noise protocol a seat has one prompt; in a committee the first speaker's is that of all runs.
    const isFirst = prompts === "first" || concurrency !== undefined;
    const asked = isFirst ? [] : [...callsOf(condition, events)].map(({ request: { seed: _, ...asked } }) => asked);
    return (prompts === "first" ? answers.slice(0, 1) : answers).map(({ kind, seat, reply, reading }, i): Told => ({
      prompt: isFirst ? `${seat}` : contentHash(asked[i]),
      reply: reading.kind === "missing" ? undefined : reply,
      preferences: kind === "turn.answered" && "value" in reading ? reading.value.preferences : undefined,
    }));
  });
}

function noiseRow({ label, condition, model, concurrency }: AnsweredRuns, all: readonly Told[], rng: Rng): NoiseRow {
  const groups = groupsBy(all, ({ prompt }) => prompt).filter(({ length }) => length > 1), told = groups.flat();
  const differences = groups.flatMap(differencesOf), earliest = least(differences, ({ at }) => at);
  const fingerprint = ({ reply }: Told) => reply?.fingerprint, cached = ({ reply }: Told) => reply?.usage?.cachedTokens;
  const differing = groups.map((own) => ({ part: own.length - mostOf(own).length, whole: own.length }));
  const sizes = groups.map((own) => new Set(own.flatMap(({ reply }) => reply?.text ?? [])).size);
  const { unit, margin } = earliest ?? {};
  return {
    ...conditionColumns({ label, condition, runs: [] }),
    ...known({ synthetic: told.some(({ reply }) => reply?.synthetic) || undefined, concurrency }),
    model: model ?? condition.seats[condition.order[0]!]!.model,
    ...{ prompts: groups.length, replies: told.length, missing: told.filter(({ reply }) => !reply).length },
    ...known({ equal: equalShare(groups), distinct: mean(sizes) }),
    ...shareThatDiffers(differing, rng),
    ...known({ at: earliest?.at, unit, margin, distance: mean(groups, distanceOf) }),
    ...known({ fingerprints: countOf(told, fingerprint), equalByFingerprint: equalWithin(groups, fingerprint) }),
    ...known({ cached: countOf(told, cached), equalByCached: equalWithin(groups, cached) }),
    ...known({ equalToFirst: mean(groups, toFirst), equalLater: equalShare(groups.map((own) => own.slice(1))) }),
    differences,
  };
}

const groupsBy = <T>(told: readonly T[], by: (one: T) => unknown): T[][] => [...Map.groupBy(told, by).values()];

/** The replies to a prompt that are as the most frequent one, the earliest of those that are as frequent. */
const mostOf = (own: readonly Told[]): Told[] =>
  groupsBy(own, ({ reply }) => reply?.text ?? {}).reduce((most, other) => other.length > most.length ? other : most);

/** Share of equal pairs, over the pairs of all groups. */
function equalShare(groups: readonly (readonly Told[])[]): number | undefined {
  const pairs = ({ length: n }: readonly Told[]) => n * (n - 1) / 2, of = sum(groups, pairs);
  const turn = ({ reply }: Told) => ({ events: [{ kind: "turn.answered", seat: 0, round: 1, reply }] });
  return of === 0 ? undefined : sum(groups, (own) => (equalPairs(own.map(turn)).first ?? 0) * pairs(own)) / of;
}

type Key = (told: Told) => unknown;

const equalWithin = (groups: readonly Told[][], key: Key) =>
  equalShare(groups.flatMap((own) => groupsBy(own.filter((one) => key(one) !== undefined), key)));

const countOf = (told: readonly Told[], key: Key): number | undefined =>
  new Set(told.map(key).filter((value) => value !== undefined)).size || undefined;

/** Share of later replies that equal the first. */
const toFirst = ([first, ...later]: readonly Told[]): number =>
  mean(later, ({ reply }) => Number(reply !== undefined && reply.text === first!.reply?.text))!;

/** Mean distance between the states in replies to one prompt. */
function distanceOf(own: readonly Told[]): number | undefined {
  const states = own.flatMap(({ preferences }) => preferences ? [[preferences]] : []);
  return states.length < 2 ? undefined : divergence(states)[0];
}

/** Resamples of prompts. */
const RESAMPLES = 4000;

/** Exact for one prompt, resampled by prompt for several; where none of n differs, up to 3 / n, the rule of three. */
function shareThatDiffers(counts: readonly { readonly part: number; readonly whole: number }[], rng: Rng) {
  const part = sum(counts, ({ part }) => part), whole = sum(counts, ({ whole }) => whole), [one, ...more] = counts;
  if (one === undefined) return {};
  if (part === 0) return { differ: 0, low: 0, high: Math.min(1, 3 / whole) };
  if (more.length === 0) return { differ: part / whole, ...exactInterval(one) };
  const drawn = resampleCounts(rng, counts.length, RESAMPLES);
  const shares = Float64Array.from({ length: RESAMPLES }, (_, row) => {
    const times = (i: number) => drawn[row * counts.length + i]!;
    return sum(counts, ({ part }, i) => times(i) * part) / sum(counts, ({ whole }, i) => times(i) * whole);
  });
  const { low, high } = percentileInterval(shares, 0.95);
  return { differ: part / whole, ...known({ low, high }) };
}

function differencesOf(own: readonly Told[]): FirstDifference[] {
  const [most] = mostOf(own);
  return own.flatMap(({ reply }) =>
    reply && most?.reply && reply.text !== most.reply.text ? [firstDifference(reply, most.reply)] : []
  );
}

function firstDifference(reply: ChatReply, most: ChatReply): FirstDifference {
  const isToken = reply.logprobs !== undefined && most.logprobs !== undefined;
  const wordsOf = ({ text, logprobs }: ChatReply) =>
    isToken ? logprobs!.map(({ token }) => token) : text.split(/(?<=\s)(?=\S)/);
  const [own, other] = [wordsOf(reply), wordsOf(most)];
  const found = own.findIndex((word, i) => word !== other[i]), i = found < 0 ? own.length : found;
  const { logprob, next } = most.logprobs?.[i] ?? {};
  const margin = isToken && logprob !== undefined && next ? Math.abs(logprob - next.logprob) : undefined;
  return { at: i + 1, unit: isToken ? "token" : "word", ...known({ wrote: own[i], most: other[i], margin }) };
}
