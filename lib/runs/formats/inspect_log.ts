import { groups, mean, rollups, sort, sum } from "d3-array";
import { strToU8, zipSync } from "fflate";
import * as z from "zod";
import { committeeMean } from "../../core/numbers.ts";
import { known } from "../../core/options.ts";
import { isComplete, isOpen, missingCause, type RunAccounting } from "../../record/accounting.ts";
import { type LedgerRun, outcomesOf } from "../../record/ledger_run.ts";
import { answeredOf, type Columns, type Recorded, type RunEvent } from "../../record/protocol.ts";
import { Accounted } from "../../record/run_source.ts";
import type { ChatReply, ChatRequest } from "../../schema/model_call.ts";

/** The key of a log's metadata, and of a sample's store, under which this library writes. */
export const OWN = "chaos_lab";

/** What the metadata of a log says that this library wrote: enough to read its samples without a mapping. */
export const OwnLog = z.looseObject({
  schema: z.literal("run-log/1"),
  condition: z.string().min(1).describe("name of the condition"),
  options: z.array(z.string()).min(1).describe("names of the measured values"),
  agents: z.array(z.string()).min(1).describe("labels in seat order"),
  synthetic: z.boolean(),
  scored: z.boolean().describe("whether complete runs hold a summary, from which they are scored"),
  accounting: Accounted.accounting,
  calls: Accounted.calls.optional(),
});

/** The value of a score in a log. */
export type ScoreValue = string | number | boolean | Readonly<Record<string, number>>;

/** A planned run of a condition: a sample of its log. */
export interface LoggedRun {
  /** Name of what all replicates of the sample share, such as a scenario or a seed. */
  readonly id: string;
  /** From 0; the epochs of a sample count from 1. */
  readonly replicate: number;
  /** Name of the run, unless the replicate is. */
  readonly run?: string;
  readonly plan: unknown;
  readonly seed: number;
  readonly input: string;
  readonly choices?: readonly string[] | undefined;
  readonly attempts: readonly LedgerRun<RunEvent>[];
  /** The summary from which a complete run is scored, in protocols that have one, and the scores to show of it. */
  readonly summary?: object | undefined;
  readonly scores?: Readonly<Record<string, ScoreValue>> | undefined;
}

/** The settings of a seat's calls, where events hold no requests. */
interface LoggedSeat extends Partial<Pick<ChatRequest, "maxTokens" | "reasoningEffort">> {
  readonly label: string;
  readonly model: string;
}

/** A condition as a log shows it: its record, whatever the protocol. */
export interface LoggedCondition {
  readonly protocol: Pick<Recorded<unknown, RunEvent>, "columns" | "callsUsed">;
  readonly name: string;
  /** Content hash of the plan. */
  readonly hash: string;
  /** ISO time at which the condition was declared, or its first run begun. */
  readonly at: string;
  readonly synthetic: boolean;
  readonly seats: readonly LoggedSeat[];
  readonly sampling: Partial<Pick<ChatRequest, "temperature" | "maxTokens">>;
  readonly accounting: RunAccounting;
  readonly calls?: object | undefined;
  /** What else is known of the record: hashes, seeds, versions. */
  readonly about: object;
  /** What the measured values are; `shares` by default. */
  readonly measured?: string;
  readonly runs: readonly LoggedRun[];
  /** Of a run: the words with which a seat gave its state in a round. */
  said?(events: readonly RunEvent[]): (round: number, seat: number) => string | undefined;
}

type Sample = ReturnType<typeof sampleOf>;

/**
 * A condition as a log of Inspect AI: a run is a sample, a replicate its epoch.
 *
 * A round is a span, an agent's turn in it a span of type agent, a call a model event, and every event of the protocol an
 * info event. A run that is not complete is a sample whose error is the cause; further attempts are the sample's
 * `error_retries`. Requests are shown where the record holds them. Records hold no time of single calls: events have the
 * time of the condition, and `working_start` adds up the latencies that endpoints reported.
 *
 * Source: UK AI Security Institute, inspect_ai 0.3.260, `_view/inspect-openapi.json`: `EvalLog`, version 2.
 */
export function inspectLog(condition: LoggedCondition) {
  const { name, hash, at, synthetic, seats, sampling: { temperature, maxTokens }, accounting, runs } = condition;
  const samples = runs.map((run) => sampleOf(condition, run));
  const { names, agents } = condition.protocol.columns(runs[0]!.plan, []);
  const own = {
    ...{ schema: "run-log/1", condition: name, hash, synthetic, options: names, agents, ...condition.about },
    ...{ scored: runs.some(({ summary }) => summary !== undefined), accounting, ...known({ calls: condition.calls }) },
    timestamps: "of the condition: a record holds no time of single calls",
  };
  const ids = [...new Set(runs.map(({ id }) => id))], tags = synthetic ? ["synthetic"] : [], metadata = { [OWN]: own };
  const config = known({ temperature, max_tokens: maxTokens }), id = hash.slice(0, 22);
  const results = resultsOf(samples);
  return {
    version: 2,
    status: Object.keys(accounting.causes).some(isOpen) ? "cancelled" : "success",
    eval: {
      ...{ eval_id: id, run_id: id, created: at, task: name, task_id: id, task_version: 0, task_attribs: {} },
      ...{ task_args: {}, task_args_passed: {}, tags },
      dataset: { name: ids.length === 1 ? ids[0]! : name, samples: ids.length, sample_ids: ids, shuffled: false },
      model: [...new Set(seats.map(({ model }) => model))].join(", "),
      ...{ model_generate_config: config, model_args: {} },
      config: { epochs: Math.max(...samples.map(({ epoch }) => epoch)), fail_on_error: false, log_samples: true },
      ...{ packages: {}, metadata, scorers: results.scores.map(({ name }) => ({ name })) },
    },
    plan: { name: "run", steps: [{ solver: "run", params: {}, params_passed: {} }], config },
    results,
    stats: {
      ...{ started_at: at, completed_at: "" },
      ...{ model_usage: usageByModel(samples.map(({ model_usage }) => model_usage)), role_usage: {} },
      connection_limit_history: [],
    },
    ...{ invalidated: false, tags, metadata, samples },
  };
}
export type InspectLog = ReturnType<typeof inspectLog>;

// A lone surrogate is valid in JSON, but Inspect's reader refuses it. `<` is escaped, so that a viewer may put the text
// into a page.
const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) => typeof part === "string" ? part.toWellFormed() : part)
    .replaceAll("<", String.raw`\u003c`);

/** A log as one JSON file. */
export const inspectJson = (log: InspectLog): string => `${jsonOf(log)}\n`;

/** A log as a zip (`.eval`). Source: inspect_ai, `log/_recorders/eval.py`. */
export function inspectZip({ samples, ...header }: InspectLog): Uint8Array {
  const { version, eval: spec, plan } = header, summaries = samples.map(summaryOf);
  const parts = {
    "_journal/start.json": { version, eval: spec, plan },
    ...Object.fromEntries(samples.map((sample) => [`samples/${sample.id}_epoch_${sample.epoch}.json`, sample])),
    "_journal/summaries/1.json": summaries,
    "summaries.json": summaries,
    "header.json": header,
  };
  const files = Object.entries(parts).map(([name, part]) => [name, strToU8(jsonOf(part))]);
  // A fixed time: the same record gives the same bytes.
  return zipSync(Object.fromEntries(files), { mtime: "1980-01-01T12:00:00" });
}

function summaryOf({ messages, error, output: _, store: __, events: ___, ...sample }: Sample) {
  const { attachments: _a, error_retries, ...kept } = sample;
  return {
    ...{ ...kept, ...known({ error: error?.message, retries: error_retries?.length }) },
    ...{ completed: true, message_count: messages.length },
  };
}

/** One planned run: its complete attempt, or else its last one with the cause of its failure. */
function sampleOf(condition: LoggedCondition, planned: LoggedRun) {
  const { id, replicate, run: name = String(replicate), plan, seed, input, choices, attempts, summary } = planned;
  const run = attempts.find(isComplete) ?? attempts.at(-1), uuid = `${condition.hash.slice(0, 16)}-${name}`;
  const cause = run && isComplete(run) ? undefined : missingCause(run);
  const { messages, output, events, model_usage } = transcriptOf(condition, plan, uuid, run);
  const retries = attempts.filter((attempt) => attempt !== run).map((attempt) => ({
    ...errorOf(missingCause(attempt)),
    transcript: transcriptOf(condition, plan, `${uuid}-${attempt.attempt}`, attempt),
  }));
  const whole = run && cause === undefined ? condition.protocol.columns(plan, run.events) : undefined;
  const synthetic = attempts.some((attempt) => outcomesOf(attempt).some(({ reply }) => reply?.synthetic));
  const shown = whole && Object.entries({ ...measuresOf(whole, condition.measured), ...planned.scores });
  return {
    ...{ id, epoch: replicate + 1, input, ...known({ choices }), target: "", messages, output },
    ...(shown && { scores: Object.fromEntries(shown.map(([name, value]) => [name, { value, history: [] }])) }),
    metadata: known({
      ...{ run: name, replicate, seed, attempt: run?.attempt, outcome: whole ? "complete" : "incomplete", cause },
      ...{ synthetic, decision: whole?.decision, clerk: whole?.clerk },
    }),
    store: { [OWN]: { rounds: whole ? roundsOf(whole, condition.said?.(run!.events)) : [], ...known({ summary }) } },
    events,
    model_usage: usageByModel([model_usage, ...retries.map(({ transcript }) => transcript.model_usage)]),
    ...{ role_usage: {}, uuid, attachments: {} },
    ...known({ error: cause === undefined ? undefined : errorOf(cause) }),
    ...(retries.length > 0 && {
      error_retries: retries.map(({ transcript: { events }, ...error }) => ({ ...error, events })),
    }),
  };
}

const errorOf = (cause: string) => ({ message: cause, traceback: cause, traceback_ansi: cause });

/** The final decision, where there is one, and the mean of the values after the last round. */
function measuresOf({ names, rounds, decision }: Columns, measured = "shares"): Readonly<Record<string, ScoreValue>> {
  const means = rounds.length > 0 ? committeeMean(rounds.at(-1)!) : undefined;
  return {
    ...(decision !== undefined && { decision }),
    ...(means && { [measured]: Object.fromEntries(means.map((value, k) => [names[k]!, value])) }),
  };
}

/** Every agent's values by round, as a plain run has them, and its words where it spoke. */
const roundsOf = (
  { agents, rounds }: Columns,
  said: (round: number, seat: number) => string | undefined = () => undefined,
) =>
  rounds.map((round, t) => {
    const states = agents.map((agent, seat) => ({ agent, pref: round[seat], argument: said(t + 1, seat) }));
    return { round: t + 1, states: states.map(known) };
  });

/** Of each score how many runs have each word, and the mean of its numbers. */
function resultsOf(samples: readonly Sample[]) {
  const scores = samples.map(({ scores }) => scores).filter((own) => own !== undefined);
  const byName = groups(scores.flatMap((own) => Object.entries(own)), ([name]) => name);
  return {
    ...{ total_samples: samples.length, completed_samples: scores.length },
    scores: byName.map(([name, own]) => ({
      ...{ name, scorer: name, scored_samples: own.length, unscored_samples: samples.length - own.length, params: {} },
      metrics: Object.fromEntries(
        metricsOf(own.map(([, { value }]) => value)).map(([name, value]) => [name, { name, value, params: {} }]),
      ),
    })),
  };
}

function metricsOf(values: readonly ScoreValue[]): (readonly [string, number])[] {
  const entries = values.flatMap((value) => Object.entries(typeof value === "object" ? value : { mean: value }));
  const numbers = entries.filter((entry): entry is [string, number] => typeof entry[1] === "number");
  const words = entries.filter(([, value]) => typeof value !== "number").map(([, value]) => String(value));
  const means = rollups(numbers, (own) => mean(own, ([, value]) => value)!, ([name]) => name);
  return [...means, ...sort(rollups(words, (own) => own.length, (word) => word), ([word]) => word)];
}

type Usage = Readonly<Record<string, number>>;

/** Tokens as Inspect counts them; undefined where the endpoint reported none. */
function tokensOf({ usage }: Pick<ChatReply, "usage">): Usage | undefined {
  if (usage === undefined) return undefined;
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, usd } = usage;
  return known({
    ...{ input_tokens: promptTokens, output_tokens: completionTokens, total_tokens: promptTokens + completionTokens },
    ...{ input_tokens_cache_read: cachedTokens, reasoning_tokens: reasoningTokens, total_cost: usd },
  }) as Usage;
}

/** The sum of what was reported by model; a count that nobody reports stays absent. */
function usageByModel(parts: readonly Readonly<Record<string, Usage>>[]): Record<string, Usage> {
  const byModel = groups(parts.flatMap((part) => Object.entries(part)), ([model]) => model);
  return Object.fromEntries(byModel.map(([model, own]) => {
    const totals = groups(own.flatMap(([, usage]) => Object.entries(usage)), ([name]) => name);
    return [model, Object.fromEntries(totals.map(([name, own]) => [name, sum(own, ([, amount]) => amount)]))];
  }));
}

/** A call with what came of it, whether an event holds it or names it. */
interface Call {
  readonly request: Pick<ChatRequest, "model"> & Partial<ChatRequest>;
  /** Also one that could not be used. */
  readonly reply: ChatReply | undefined;
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
}

/** An event, the calls behind it, the agent whose turn it is, and the part of the run that it belongs to. */
interface Turn {
  readonly event?: RunEvent;
  readonly calls: readonly Call[];
  readonly agent?: string | undefined;
  readonly stage?: string | undefined;
}

/** The turns of a run; calls that were made for an event which is not there come last. */
function turnsOf(
  { protocol, seats, sampling }: LoggedCondition,
  plan: unknown,
  { events, calls = [] }: LedgerRun<RunEvent>,
): Turn[] {
  const named = calls.map((call): Call => ({ ...call, reply: call.reply ?? call.failure?.received }));
  const used = (count: number) => protocol.callsUsed?.(events.slice(0, count)) ?? 0;
  const wholeRounds = (count = events.length) => protocol.columns(plan, events.slice(0, count)).rounds.length;
  const turns = events.map((event, i): Turn => {
    const { round, role } = event as { readonly round?: number; readonly role?: string };
    const answered = answeredOf(event);
    if (answered === undefined) {
      const stage = round === undefined ? undefined : `round ${round}`;
      return { event, calls: named.slice(used(i), used(i + 1)), agent: role, stage };
    }
    const { seat, seed, reply, reading: { kind, code, message } } = answered, { label, ...settings } = seats[seat]!;
    // Where events do not number their rounds, a round goes on until the values of the next one are there.
    const t = round ?? (wholeRounds(i) < wholeRounds() ? wholeRounds(i) + 1 : undefined);
    return {
      event,
      calls: [{
        request: { ...sampling, ...known(settings), model: settings.model, seed },
        ...{ reply, failure: kind === "missing" ? { code: code!, message: message! } : undefined },
      }],
      agent: label,
      stage: t === undefined ? event.kind.split(".")[0] : `round ${t}`,
    };
  });
  return [...turns, { calls: named.slice(used(events.length)) }];
}

/** A run's messages, its last output, its tokens, and its events, those of a round and of an agent within their spans. */
function transcriptOf(condition: LoggedCondition, plan: unknown, uuid: string, run: LedgerRun<RunEvent> | undefined) {
  const writer = new EventWriter(uuid, condition.at), messages: Message[] = [], usages: Record<string, Usage>[] = [];
  let output: object = { model: "", choices: [], completion: "" };
  for (const { event, calls, agent, stage } of run ? turnsOf(condition, plan, run) : []) {
    writer.enter(stage, agent);
    for (const call of calls) {
      const message = messageOf(`${uuid}-m${messages.length + 1}`, call, { agent, stage });
      const made = modelEvent(call, message);
      writer.write({ event: "model", ...made }, call.reply?.latencyMs);
      if (message) messages.push(message);
      output = made.output;
      const tokens = [...call.reply ? [call.reply] : [], ...call.reply?.failedTries ?? []].map(tokensOf);
      usages.push(...tokens.flatMap((usage) => usage ? [{ [call.request.model]: usage }] : []));
    }
    // The reply stands in the model event.
    if (event) writer.write({ event: "info", source: OWN, data: { ...event, reply: undefined } });
  }
  writer.enter(undefined, undefined);
  for (const { place, code, tries } of run?.unanswered ?? []) {
    writer.write({ event: "info", source: OWN, data: { kind: "unanswered", place, code, tries } });
  }
  return { messages, output, events: writer.events, model_usage: usageByModel(usages) };
}

/** Numbers events and spans, and adds up the time that replies are known to have taken. */
class EventWriter {
  readonly events: object[] = [];
  /** The open spans: that of a round, and in it that of an agent. */
  #open: { readonly id: string; readonly name: string }[] = [];
  #seconds = 0;
  #spans = 0;

  constructor(readonly uuid: string, readonly timestamp: string) {}

  write(event: object, latencyMs = 0): void {
    const { timestamp } = this, working_start = this.#seconds, span = known({ span_id: this.#open.at(-1)?.id });
    this.events.push({ uuid: `${this.uuid}-e${this.events.length + 1}`, timestamp, working_start, ...span, ...event });
    this.#seconds += latencyMs / 1000;
  }

  /** Ends the spans of another stage or agent, and begins those that are not open. */
  enter(stage: string | undefined, agent: string | undefined): void {
    const wanted = [stage, agent].filter((name) => name !== undefined);
    const kept = this.#open.findIndex(({ name }, i) => name !== wanted[i]);
    while (kept >= 0 && this.#open.length > kept) {
      const { id } = this.#open.pop()!;
      this.write({ event: "span_end", span_id: id, id });
    }
    for (const name of wanted.slice(this.#open.length)) {
      const id = `${this.uuid}-s${++this.#spans}`, parent = known({ parent_id: this.#open.at(-1)?.id });
      this.write({ event: "span_begin", span_id: id, id, ...parent, type: name === stage ? "round" : "agent", name });
      this.#open.push({ id, name });
    }
  }
}

type Message = NonNullable<ReturnType<typeof messageOf>>;

function messageOf(id: string, { reply }: Call, turn: Pick<Turn, "agent" | "stage">) {
  if (reply === undefined) return undefined;
  const metadata = known({ ...turn, synthetic: reply.synthetic });
  const made = known({ model: reply.servedModel });
  return { id, content: reply.text, source: "generate", role: "assistant", ...made, metadata };
}

function modelEvent({ request, reply, failure }: Call, message: Message | undefined) {
  const { model, messages = [], temperature, maxTokens, seed, reasoningEffort } = request;
  const { latencyMs, failedTries, fingerprint } = reply ?? {};
  const choices = message ? [{ message, stop_reason: STOPS[reply?.finishReason ?? ""] ?? "unknown" }] : [];
  return {
    ...{ model, input: messages, tools: [], tool_choice: "none" },
    config: known({ temperature, max_tokens: maxTokens, seed, reasoning_effort: reasoningEffort }),
    output: {
      ...{ model: reply?.servedModel ?? "", choices, completion: message?.content ?? "" },
      ...known({ usage: reply && tokensOf(reply), time: latencyMs === undefined ? undefined : latencyMs / 1000 }),
      ...((fingerprint !== undefined || failedTries) && { metadata: known({ fingerprint, failedTries }) }),
    },
    ...known({ retries: failedTries?.length, error: failure && `${failure.code}: ${failure.message}` }),
  };
}

/** Reasons why a model stopped, in Inspect's words. */
const STOPS: Readonly<Record<string, string>> = {
  ...{ stop: "stop", eos: "stop", length: "max_tokens", max_tokens: "max_tokens" },
  ...{ content_filter: "content_filter", tool_calls: "tool_calls" },
};
