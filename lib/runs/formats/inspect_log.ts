import { groups, rollups, sort, sum } from "d3-array";
import { strToU8, zipSync } from "fflate";
import * as z from "zod";
import { committeeMean } from "../../core/numbers.ts";
import { known } from "../../core/options.ts";
import { scriptJson } from "../../core/text.ts";
import { accountCalls } from "../../deliberation/account_calls.ts";
import { deliberation } from "../../deliberation/deliberate.ts";
import { accountRuns, isComplete, isOpen, missingCause } from "../../record/accounting.ts";
import type { LedgerRun } from "../../record/ledger_run.ts";
import { foldAll } from "../../record/protocol.ts";
import type { Ledger } from "../../record/read_ledger.ts";
import { Accounted } from "../../record/run_source.ts";
import type { Condition } from "../../schema/condition.ts";
import type { DeliberationEvent } from "../../schema/deliberation_event.ts";
import type { ChatReply } from "../../schema/model_call.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";

/** The key of a log's metadata, and of a sample's store, under which this library writes. */
export const OWN = "chaos_lab";

/** What the metadata of a log says that this library wrote: enough to read its samples without a mapping. */
export const OwnLog = z.looseObject({
  schema: z.literal("committee-log/1"),
  condition: z.string().min(1).describe("name of the ledger"),
  options: z.array(z.string()).min(2),
  agents: z.array(z.string()).min(2).describe("labels in seat order"),
  synthetic: z.boolean(),
  ...Accounted,
});

type Call = Extract<DeliberationEvent, { seat: number }>;
type Sample = ReturnType<typeof sampleOf>;

/**
 * A committee's ledger as a log of Inspect AI: one sample, whose epochs are the replicates.
 *
 * A round is a span, a seat's turn in it a span of type agent, and a call a model event. A replicate without a complete
 * run is a sample whose error is the cause; further attempts are the sample's `error_retries`. Ledgers hold no prompts,
 * so inputs of model events are empty. Ledgers hold no time of single calls either: events have the time of the
 * declaration, and `working_start` adds up the latencies that endpoints reported.
 *
 * Source: UK AI Security Institute, inspect_ai 0.3.260, `_view/inspect-openapi.json`: `EvalLog`, version 2.
 */
export function inspectLog(ledger: Ledger) {
  const { declaration, runs } = ledger, { name, condition, hash, at, target } = declaration;
  const attempts = Map.groupBy(runs, ({ replicate }) => replicate);
  const samples = Array.from(
    { length: target },
    (_, replicate) => sampleOf(ledger, replicate, attempts.get(replicate) ?? []),
  );
  const { id } = condition.packet, metadata = metadataOf(ledger), { accounting } = metadata[OWN];
  const model = [...new Set(condition.seats.map(({ model }) => model))].join(", ");
  const config = configOf(ledger);
  return {
    version: 2,
    status: Object.keys(accounting.causes).some(isOpen) ? "cancelled" : "success",
    eval: {
      ...{ eval_id: hash.slice(0, 22), run_id: hash.slice(0, 22), created: at },
      ...{ task: name, task_id: hash.slice(0, 22), task_version: 0, task_attribs: {} },
      ...{ task_args: {}, task_args_passed: {}, tags: metadata[OWN].synthetic ? ["synthetic"] : [] },
      dataset: { name: id, samples: 1, sample_ids: [id], shuffled: false },
      ...{ model, model_generate_config: config, model_args: {} },
      config: { epochs: target, fail_on_error: false, log_samples: true },
      ...{ packages: {}, metadata, scorers: [{ name: "decision" }, { name: "shares" }] },
    },
    plan: { name: "committee", steps: [{ solver: "committee", params: {}, params_passed: {} }], config },
    results: resultsOf(samples),
    stats: {
      ...{ started_at: at, completed_at: "" },
      ...{ model_usage: usageByModel(samples.map(({ model_usage }) => model_usage)), role_usage: {} },
      connection_limit_history: [],
    },
    invalidated: false,
    ...{ tags: metadata[OWN].synthetic ? ["synthetic"] : [], metadata, samples },
  };
}
export type InspectLog = ReturnType<typeof inspectLog>;

/** A log as one JSON file. `<` is escaped, so that a viewer may put the text into a page. */
export const inspectJson = (log: InspectLog): string => `${scriptJson(log)}\n`;

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
  const files = Object.entries(parts).map(([name, part]) => [name, strToU8(scriptJson(part))]);
  // A fixed time: the same ledger gives the same bytes.
  return zipSync(Object.fromEntries(files), { mtime: "1980-01-01T12:00:00" });
}

function summaryOf({ messages, error, ...sample }: Sample) {
  const { id, epoch, input, choices, target, metadata, scores, model_usage, role_usage, uuid } = sample;
  return {
    ...{ id, epoch, input, choices, target, metadata, scores, model_usage, role_usage, uuid },
    ...known({ error: error?.message }),
    ...{ completed: true, message_count: messages.length },
  };
}

function metadataOf(ledger: Ledger) {
  const { name, hash, promptPack, council, seed, synthetic, made, condition } = ledger.declaration;
  return {
    [OWN]: {
      ...{ schema: "committee-log/1", condition: name, hash, promptPack, council, seed, synthetic, made },
      options: OPTION_LETTERS.slice(0, condition.packet.options.length),
      agents: condition.seats.map(({ label }) => label),
      ...{ accounting: accountRuns(ledger), calls: accountCalls(ledger) },
      timestamps: "of the declaration: a ledger holds no time of single calls",
    },
  };
}

const configOf = ({ declaration: { condition: { temperature, maxTokens } } }: Ledger) => ({
  temperature,
  max_tokens: maxTokens,
});

/** One replicate: its complete attempt, or else its last one with the cause of its failure. */
function sampleOf(ledger: Ledger, replicate: number, attempts: readonly LedgerRun[]) {
  const { condition, hash, seed } = ledger.declaration, { packet } = condition;
  const run = attempts.find(isComplete) ?? attempts.at(-1), uuid = `${hash.slice(0, 16)}-${replicate + 1}`;
  const cause = run && isComplete(run) ? undefined : missingCause(run), transcript = transcriptOf(ledger, uuid, run);
  const retries = attempts.filter((attempt) => attempt !== run).map((attempt) => ({
    ...errorOf(missingCause(attempt)),
    events: transcriptOf(ledger, `${uuid}-${attempt.attempt}`, attempt).events,
  }));
  const whole = run && cause === undefined ? deliberation.columns(condition, run.events) : undefined;
  const decided = whole && run!.events.find((event) => event.kind === "run.decided");
  const calls = attempts.flatMap(({ events }) => events.filter(isCall));
  return {
    ...{ id: packet.id, epoch: replicate + 1, input: packet.question, target: "" },
    choices: packet.options.map(({ label }) => label),
    ...{ messages: transcript.messages, output: transcript.output },
    ...(whole && { scores: scoresOf(whole.rounds.at(-1)!, decided) }),
    metadata: known({
      ...{ replicate, seed, attempt: run?.attempt, outcome: cause === undefined ? "complete" : "incomplete", cause },
      ...{ synthetic: calls.some(({ reply }) => reply?.synthetic), decision: whole?.decision, decided },
    }),
    store: { [OWN]: { rounds: whole ? roundsOf(whole.rounds, condition, run!.events) : [] } },
    ...{ events: transcript.events, model_usage: usageByModel(calls.map((call) => usageOf(ledger, call))) },
    ...{ role_usage: {}, uuid, attachments: {} },
    ...known({ error: cause === undefined ? undefined : errorOf(cause) }),
    ...(retries.length > 0 && { error_retries: retries }),
  };
}

const errorOf = (cause: string) => ({ message: cause, traceback: cause, traceback_ansi: cause });

const isCall = (event: DeliberationEvent): event is Call => "seat" in event;

/** Every agent's shares by round, as a plain run has them, and its argument where it spoke. */
function roundsOf(
  rounds: readonly (readonly (readonly number[])[])[],
  condition: Condition,
  events: readonly DeliberationEvent[],
) {
  const { turns } = foldAll(deliberation, condition, events);
  return rounds.map((round, t) => ({
    round: t + 1,
    states: condition.seats.map(({ label }, seat) => {
      const turn = turns.find((turn) => turn.round === t + 1 && turn.seat === seat);
      return { agent: label, pref: round[seat], ...known({ argument: turn?.argument.toWellFormed() }) };
    }),
  }));
}

type Decided = Extract<DeliberationEvent, { kind: "run.decided" }>;

/** The final decision, where there is one, and the mean shares after the last round. */
function scoresOf(last: readonly (readonly number[])[], decided: Decided | undefined) {
  const { decision, by, votes, clerk } = decided ?? {}, mean = committeeMean(last);
  const shares = Object.fromEntries(mean.map((share, k) => [OPTION_LETTERS[k]!, share]));
  return {
    ...(decision !== undefined && {
      decision: {
        value: decision,
        answer: decision,
        explanation: `by ${by}`,
        metadata: { by, votes, clerk },
        history: [],
      },
    }),
    shares: { value: shares, explanation: "mean over the agents after the last round", history: [] },
  };
}

/** How many runs chose each option, and the mean final share of each. */
function resultsOf(samples: readonly Sample[]) {
  const scores = samples.flatMap(({ scores }) => scores ?? []);
  const decisions = rollups(scores.flatMap(({ decision }) => decision?.value ?? []), (own) => own.length, (own) => own);
  const letters = Object.keys(scores[0]?.shares.value ?? {});
  const means = letters.map((letter) => [letter, sum(scores, ({ shares }) => shares.value[letter]) / scores.length]);
  const score = (name: string, scored: number, values: readonly (readonly (string | number)[])[]) => ({
    ...{ name, scorer: name, scored_samples: scored, unscored_samples: samples.length - scored, params: {} },
    metrics: Object.fromEntries(values.map(([name, value]) => [name, { name, value, params: {} }])),
  });
  return {
    ...{ total_samples: samples.length, completed_samples: scores.length },
    scores: [
      score("decision", sum(decisions, ([, runs]) => runs), sort(decisions, ([option]) => option)),
      score("shares", scores.length, means),
    ],
  };
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

/** The usage of a call by the model asked for, its failed tries included. */
function usageOf({ declaration: { condition } }: Ledger, { seat, reply }: Call): Record<string, Usage> {
  const told = [...reply ? [reply] : [], ...reply?.failedTries ?? []].map(tokensOf).filter((usage) =>
    usage !== undefined
  );
  return told.length === 0 ? {} : { [condition.seats[seat]!.model]: added(told) };
}

/** The sum of what was reported; a count that nobody reports stays absent. */
function usageByModel(parts: readonly Readonly<Record<string, Usage>>[]): Record<string, Usage> {
  const byModel = groups(parts.flatMap((part) => Object.entries(part)), ([model]) => model);
  return Object.fromEntries(byModel.map(([model, own]) => [model, added(own.map(([, usage]) => usage))]));
}

function added(usages: readonly Usage[]): Usage {
  const totals = groups(usages.flatMap((usage) => Object.entries(usage)), ([name]) => name);
  return Object.fromEntries(totals.map(([name, own]) => [name, sum(own, ([, amount]) => amount)]));
}

/** A run's messages, its last output, and its events, those of a round and of a seat within their spans. */
function transcriptOf(ledger: Ledger, uuid: string, run: LedgerRun | undefined) {
  const calls = run?.events.filter(isCall) ?? [], rounds = groups(calls, stageOf);
  const writer = new EventWriter(uuid, ledger.declaration.at), messages: Message[] = [];
  let output: object = { model: "", choices: [], completion: "" };
  for (const [stage, own] of rounds) {
    const round = writer.begin(stage, "round");
    for (const [seat, said] of groups(own, ({ seat }) => seat)) {
      const turn = writer.begin(ledger.declaration.condition.seats[seat]!.label, "agent", round);
      for (const call of said) {
        const { message, ...event } = modelEvent(ledger, `${uuid}-m${messages.length + 1}`, call);
        writer.write({ event: "model", span_id: turn, ...event }, call.reply?.latencyMs);
        if (message) messages.push(message);
        output = event.output;
      }
      writer.end(turn);
    }
    writer.end(round);
  }
  for (const { place, code, tries } of run?.unanswered ?? []) {
    writer.write({ event: "info", source: OWN, data: { unanswered: place, code, tries } });
  }
  return { messages, output, events: writer.events };
}

const stageOf = (call: Call): string =>
  call.kind === "turn.answered" ? `round ${call.round}` : call.kind === "ballot.answered" ? "ballots" : "clerk";

/** Numbers events and spans, and adds up the time that replies are known to have taken. */
class EventWriter {
  readonly events: object[] = [];
  #seconds = 0;
  #spans = 0;

  constructor(readonly uuid: string, readonly timestamp: string) {}

  write(event: object, latencyMs = 0): void {
    const { timestamp } = this, working_start = this.#seconds;
    this.events.push({ uuid: `${this.uuid}-e${this.events.length + 1}`, timestamp, working_start, ...event });
    this.#seconds += latencyMs / 1000;
  }

  begin(name: string, type: string, parent?: string): string {
    const id = `${this.uuid}-s${++this.#spans}`;
    this.write({ event: "span_begin", span_id: id, id, ...known({ parent_id: parent }), type, name });
    return id;
  }

  end(id: string): void {
    this.write({ event: "span_end", span_id: id, id });
  }
}

type Message = NonNullable<ReturnType<typeof messageOf>>;

function messageOf(ledger: Ledger, id: string, { reply, ...call }: Call) {
  if (reply === undefined) return undefined;
  const { label } = ledger.declaration.condition.seats[call.seat]!, { reading } = call;
  const metadata = known({
    ...{ agent: label, stage: stageOf(call), round: "round" in call ? call.round : undefined, reading: reading.kind },
    preferences: call.kind === "turn.answered" && "value" in call.reading ? call.reading.value.preferences : undefined,
    repairRequest: "again" in call && call.again ? true : undefined,
    synthetic: reply.synthetic,
  });
  // A lone surrogate is valid in JSON, but Inspect's reader refuses it.
  const content = reply.text.toWellFormed();
  return { id, content, source: "generate", role: "assistant", ...known({ model: reply.servedModel }), metadata };
}

function modelEvent(ledger: Ledger, id: string, call: Call) {
  const { condition } = ledger.declaration, { seat, seed, reply, reading } = call;
  const { model, maxTokens = condition.maxTokens, reasoningEffort } = condition.seats[seat]!;
  const message = messageOf(ledger, id, call), { latencyMs, failedTries, fingerprint } = reply ?? {};
  const choices = message ? [{ message, stop_reason: STOPS[reply?.finishReason ?? ""] ?? "unknown" }] : [];
  return {
    ...{ message, model, input: [], tools: [], tool_choice: "none" },
    config: known({
      ...{ temperature: condition.temperature, max_tokens: maxTokens, seed, reasoning_effort: reasoningEffort },
    }),
    output: {
      ...{ model: reply?.servedModel ?? "", choices, completion: message?.content ?? "" },
      ...known({ usage: reply && tokensOf(reply), time: latencyMs === undefined ? undefined : latencyMs / 1000 }),
      ...((fingerprint !== undefined || failedTries) && { metadata: known({ fingerprint, failedTries }) }),
    },
    ...known({
      retries: failedTries?.length,
      error: reading.kind === "missing" ? `${reading.code}: ${reading.message}` : undefined,
    }),
  };
}

/** Reasons why a model stopped, in Inspect's words. */
const STOPS: Readonly<Record<string, string>> = {
  ...{ stop: "stop", eos: "stop", length: "max_tokens", max_tokens: "max_tokens" },
  ...{ content_filter: "content_filter", tool_calls: "tool_calls" },
};
