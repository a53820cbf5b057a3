import { zipSync } from "fflate";
import { accountCalls } from "../../deliberation/account_calls.ts";
import { conditionRuns } from "../../live/run_experiment.ts";
import { isComplete } from "../../record/accounting.ts";
import type { LedgerRun } from "../../record/ledger_run.ts";
import { foldAll } from "../../record/protocol.ts";
import type { Ledger } from "../../record/read_ledger.ts";
import type { DeliberationEvent } from "../../schema/deliberation_event.ts";
import type { ChatReply, Usage } from "../../schema/model_call.ts";
import { known } from "../../core/options.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";
import { deliberation } from "../../deliberation/deliberate.ts";
import { INSPECT_VERSION, OWN_LOG } from "./inspect.ts";

type Json = Record<string, unknown>;

/** Texts of the files of a log, by name: one JSON, and the parts of its zipped form. */
export interface InspectLog {
  readonly json: string;
  readonly zip: Uint8Array;
}

/**
 * A committee's ledger as a log of Inspect AI (version 2): one sample, whose epochs are the replicates; a seat is an agent, a
 * round a span, a call a model event. Runs that are not complete are samples with their cause as the error.
 *
 * What a ledger does not hold is left out, not made up: prompts (a model event's input is empty), token counts that no
 * endpoint reported, and times of single calls (every event has the date of the declaration).
 *
 * Source: `EvalLog` and what it holds in `inspect_ai/log/_log.py`, the events in `inspect_ai/event/`, and the names of the
 * zipped files in `inspect_ai/log/_recorders/eval.py`.
 */
export function inspectLog(ledger: Ledger): InspectLog {
  const { declaration: { name, hash, condition, council, seed, synthetic, promptPack, at, target, made } } = ledger;
  const { accounting } = conditionRuns(ledger),
    { packet } = condition,
    attempts = Map.groupBy(ledger.runs, (run) => run.replicate);
  const samples = Array.from({ length: target }, (_, replicate) => {
    const own = attempts.get(replicate) ?? [];
    return sampleOf(ledger, replicate, own.find(isComplete) ?? own.at(-1));
  });
  const usage = modelUsage(samples.flatMap(({ events }) => events));
  const models = [...new Set(condition.seats.map(({ model }) => model))];
  const head = {
    version: INSPECT_VERSION,
    status: "success",
    eval: {
      ...{ run_id: hash, created: at, task: name, task_id: hash, task_version: 0, model: models.join(", ") },
      dataset: { name: packet.id, samples: 1, sample_ids: [packet.id], shuffled: false },
      model_args: {},
      config: { epochs: target },
      packages: { "chaos-lab": made.library },
      tags: synthetic ? ["synthetic"] : [],
      metadata: {
        ...{ schema: OWN_LOG, condition: hash, prompts: promptPack, council, seed, synthetic, accounting },
        agents: condition.seats.map(({ label }) => label),
        options: packet.options.map((_, k) => OPTION_LETTERS[k]!),
        calls: accountCalls(ledger),
      },
    },
    plan: { name: "deliberation", steps: [], config: {} },
    results: {
      total_samples: target,
      completed_samples: accounting.realised,
      scores: ["decision", "shares"].map((scorer) => ({ name: scorer, scorer, params: {}, metrics: {} })),
    },
    stats: { started_at: at, completed_at: at, model_usage: usage },
  };
  const whole = samples.map((sample) => ({ ...sample, model_usage: modelUsage(sample.events) }));
  return { json: `${JSON.stringify({ ...head, samples: whole })}\n`, zip: zipped(head, whole) };
}

type Sample = ReturnType<typeof sampleOf> & { readonly model_usage: Json };

/** One replicate; `run` is absent if it was never begun. */
function sampleOf({ declaration }: Ledger, replicate: number, run: LedgerRun | undefined) {
  const { condition, at, synthetic, hash } = declaration, { packet, seats } = condition;
  const cause = run === undefined ? "not_started" : run.damaged ? "damaged" : causeOf(run);
  const state = run && !run.damaged ? foldAll(deliberation, condition, run.events) : undefined;
  const messages = (state?.turns ?? []).map(({ round, seat, argument, state, repaired }) => ({
    ...{ role: "assistant", content: argument, source: "generate", model: seats[seat]!.model },
    metadata: { agent: seats[seat]!.label, round, ...state, repaired },
  }));
  const last = state && run?.measured?.means.at(-1), decision = state?.decided?.decision;
  const question = [packet.background, packet.question].join("\n\n");
  return {
    ...{ id: packet.id, epoch: replicate + 1, input: question, choices: packet.options.map(({ text }) => text) },
    target: packet.answer ?? "",
    messages: [{ role: "user", content: question, source: "input" }, ...messages],
    output: { model: seats[0]!.model, choices: [], completion: decision ?? "" },
    scores: known({
      decision: decision === undefined ? undefined : { value: decision, answer: decision },
      shares: last && { value: Object.fromEntries(last.map((share, k) => [OPTION_LETTERS[k]!, share])) },
    }),
    metadata: { replicate, synthetic, condition: hash, ...known({ decision }) },
    store: {},
    events: run && !run.damaged ? eventsOf(declaration, run.events) : [],
    ...{ uuid: `${hash}-${replicate}`, started_at: at, completed_at: at },
    ...(cause !== undefined && { error: { message: cause, traceback: "", traceback_ansi: "" } }),
  };
}

/** Why a run does not count; undefined for one that does. */
function causeOf(run: LedgerRun): string | undefined {
  if (isComplete(run)) return undefined;
  const unanswered = run.unanswered.at(-1);
  return run.closed?.cause ?? (unanswered ? `unanswered:${unanswered.code}` : "unfinished");
}

/** Rounds, ballots and the clerk's report as spans, with the calls in them as model events. */
function eventsOf({ condition, at }: Ledger["declaration"], events: readonly DeliberationEvent[]): Json[] {
  const made: Json[] = [], { temperature, maxTokens, seats } = condition;
  const base = { timestamp: at, working_start: 0 };
  let open: string | undefined;
  const span = (id: string | undefined) => {
    if (open === id) return;
    if (open !== undefined) made.push({ ...base, event: "span_end", id: open, span_id: open });
    if (id !== undefined) made.push({ ...base, event: "span_begin", id, span_id: id, name: id, type: "round" });
    open = id;
  };
  for (const event of events) {
    if (!("seat" in event)) continue;
    span("round" in event ? `round ${event.round}` : event.kind === "clerk.answered" ? "clerk" : "ballots");
    const { seat, seed, reply, reading } = event, { label, model } = seats[seat]!;
    made.push({
      ...{ ...base, event: "model", span_id: open, model, role: label, input: [], tools: [], tool_choice: "none" },
      config: { temperature, max_tokens: maxTokens, seed },
      output: outputOf(model, reply),
      ...(reading.kind === "missing" && { error: reading.code }),
      metadata: { seat, reading: reading.kind, ...("again" in event && { again: event.again }) },
    });
  }
  span(undefined);
  return made;
}

/** Reasons for the end of a reply, as Inspect calls them. */
const STOPS: Readonly<Record<string, string>> = {
  stop: "stop",
  length: "max_tokens",
  content_filter: "content_filter",
};

function outputOf(asked: string, reply: ChatReply | undefined): Json {
  if (reply === undefined) return { model: asked, choices: [], completion: "" };
  const { text, servedModel: model = asked, finishReason = "", usage, latencyMs } = reply;
  const message = { role: "assistant", content: text, source: "generate", model };
  return {
    ...{ model, choices: [{ message, stop_reason: STOPS[finishReason] ?? "unknown" }], completion: text },
    ...known({ usage: usage && usageOf(usage), time: latencyMs === undefined ? undefined : latencyMs / 1000 }),
  };
}

const usageOf = ({ promptTokens, completionTokens, cachedTokens, reasoningTokens, usd }: Usage): Json => ({
  ...{ input_tokens: promptTokens, output_tokens: completionTokens, total_tokens: promptTokens + completionTokens },
  ...known({ input_tokens_cache_read: cachedTokens, reasoning_tokens: reasoningTokens, total_cost: usd }),
});

/** Tokens by model; a model whose endpoint reports none is not in it. */
function modelUsage(events: readonly Json[]): Json {
  const usage: Record<string, Record<string, number>> = {};
  for (const { model, output } of events) {
    const own = (output as { usage?: Record<string, number> } | undefined)?.usage;
    if (own === undefined) continue;
    const sums = usage[String(model)] ??= {};
    for (const [name, count] of Object.entries(own)) sums[name] = (sums[name] ?? 0) + count;
  }
  return usage;
}

/** The zipped form: each sample a file, and beside them what a viewer reads first. */
function zipped(head: Json, samples: readonly Sample[]): Uint8Array {
  const summaries = samples.map(({ messages, output: _, store: __, events: ___, error, ...rest }) => (
    { ...rest, ...(error && { error: error.message }), completed: true, message_count: messages.length }
  ));
  const files: Readonly<Record<string, unknown>> = {
    "_journal/start.json": { version: head.version, eval: head.eval, plan: head.plan },
    "_journal/summaries/1.json": summaries,
    ...Object.fromEntries(samples.map((sample) => [`samples/${sample.id}_epoch_${sample.epoch}.json`, sample])),
    "summaries.json": summaries,
    "header.json": head,
  };
  const bytes = Object.entries(files).map(([name, value]) => [name, new TextEncoder().encode(JSON.stringify(value))]);
  // One date in all: the same ledger gives the same bytes.
  return zipSync(Object.fromEntries(bytes) as Record<string, Uint8Array>, { mtime: "2000-01-01" });
}
