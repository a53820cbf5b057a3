import { groups, rollups, sum } from "d3-array";
import * as z from "zod";
import { contentHash } from "../../core/json.ts";
import { known } from "../../core/options.ts";
import { causesOf, isOpen } from "../../record/accounting.ts";
import { Accounted } from "../../record/run_source.ts";
import type { ChatReply } from "../../schema/model_call.ts";

/** The key of a log's metadata, and of a sample's store, under which this library writes. */
export const OWN = "chaos_lab";

/** What the metadata of a log says that this library wrote: enough to read its samples without a mapping. */
export const OwnLog = z.looseObject({
  schema: z.literal("run-log/1"),
  condition: z.string().min(1).describe("name of the condition"),
  options: z.array(z.string()).min(1).describe("names of the measured values"),
  agents: z.array(z.string()).min(1).describe("labels in seat order"),
  synthetic: z.boolean(),
  scored: z.boolean().describe("whether runs are scored by q and class, and have no shares"),
  accounting: Accounted.accounting,
  calls: Accounted.calls.optional(),
});

/** A reply, the model that was asked for it, and whose turn it was. */
export interface LoggedReply {
  readonly model: string;
  readonly reply: ChatReply;
  readonly agent?: string | undefined;
  readonly round?: number | undefined;
}

/** The value of a score in a log. */
type ScoreValue = string | number | boolean | Readonly<Record<string, number>>;

/** A planned run of a condition: a sample of its log. */
export interface LoggedRun {
  /** Name of what all replicates of the sample share, such as a scenario or a seed. */
  readonly id: string;
  /** From 0; the epochs of a sample count from 1. */
  readonly replicate: number;
  /** Name of the run. */
  readonly run: string;
  readonly seed: number;
  readonly input: string;
  readonly choices?: readonly string[] | undefined;
  /** Replies of the attempt that counts, or else of the last one; of others, which were paid for too, in `unsaid`. */
  readonly said: readonly LoggedReply[];
  readonly unsaid?: readonly LoggedReply[] | undefined;
  /** Why the run is missing; absent where it is complete. */
  readonly cause?: string | undefined;
  readonly scores?: Readonly<Record<string, ScoreValue>> | undefined;
  /** Every agent's shares by round, as a plain run has them. */
  readonly rounds?: readonly object[] | undefined;
}

/** A condition as a log shows it. */
export interface LoggedCondition {
  readonly name: string;
  readonly synthetic: boolean;
  readonly options: readonly string[];
  readonly agents: readonly string[];
  /** Whether its runs have scores alone, and no shares. */
  readonly scored: boolean;
  /** ISO time (UTC) at which the condition was declared, or its first run begun. */
  readonly at: string;
  readonly models: readonly string[];
  /** What else is known of the record: the plan's hash, the council, versions, counts of calls. */
  readonly about: { readonly hash: string; readonly council: string } & Readonly<Record<string, unknown>>;
  readonly runs: readonly LoggedRun[];
}

/**
 * A condition as a log of Inspect AI: a run is a sample, a replicate its epoch. A sample has the replies as messages, scores and
 * token counts; a run that is not complete has its cause as the error. Ids follow from plan, council and seeds.
 *
 * Source: UK AI Security Institute, inspect_ai 0.3.285, `log/_log.py`: `EvalLog`, version 2.
 */
export function inspectLog({ name, at, models, runs, about, ...condition }: LoggedCondition) {
  const { hash, council } = about, seeds = [...new Set(runs.map(({ seed }) => seed))].sort((a, b) => a - b);
  const id = contentHash({ hash, council, seeds }).slice(0, 22), ids = [...new Set(runs.map(({ id }) => id))];
  const accounting = causesOf(name, runs.map(({ cause }) => cause));
  return {
    version: 2,
    status: Object.keys(accounting.causes).some(isOpen) ? "cancelled" : "success",
    eval: {
      ...{ eval_id: id, run_id: id, created: at, task: name, task_id: id },
      tags: condition.synthetic ? ["synthetic"] : [],
      dataset: { name: ids.length === 1 ? ids[0]! : name, samples: ids.length, sample_ids: ids },
      model: [...new Set(models)].join(", "),
      config: { epochs: 1 + Math.max(...runs.map(({ replicate }) => replicate)) },
      metadata: { [OWN]: { schema: "run-log/1", condition: name, ...condition, accounting, ...about } },
    },
    // Without a plan Inspect reads no header alone, so that its viewer would list nothing.
    plan: { name: "run", steps: [] },
    results: {
      ...{ total_samples: runs.length, completed_samples: accounting.realised },
      scores: groups(runs.flatMap(({ scores = {} }) => Object.entries(scores)), ([name]) => name)
        .map(([name, own]) => ({ name, scorer: name, metrics: metricsOf(own.map(([, value]) => value)) })),
    },
    stats: { started_at: at, model_usage: usageByModel(runs) },
    samples: runs.map((run) => sampleOf(run, `${id}-${run.run}`)),
  };
}
export type InspectLog = ReturnType<typeof inspectLog>;

/** The name of a log's file, which begins with its time: Inspect's viewer lists no other `.json`. */
export const inspectFile = ({ eval: { created, task, task_id } }: InspectLog): string =>
  `${created.slice(0, 19).replaceAll(":", "-")}+00-00_${task.replace(/[^\p{L}\p{N}.,=-]+/gu, "-")}_${task_id}.json`;

/** A log as JSON. Inspect's reader refuses lone surrogates; `<` is escaped, so that a viewer may put the text into a page. */
export const inspectJson = (log: InspectLog): string =>
  JSON.stringify(log, (_, part) => typeof part === "string" ? part.toWellFormed() : part)
    .replaceAll("<", String.raw`\u003c`) + "\n";

function sampleOf(run: LoggedRun, uuid: string) {
  const { id, replicate, input, choices, said, cause, scores = {}, rounds = [] } = run;
  return {
    ...{ id, epoch: replicate + 1, uuid, input, ...known({ choices }), target: "" },
    messages: said.map(({ model: _, reply, ...turn }, i) => ({
      ...{ id: `${uuid}-m${i + 1}`, role: "assistant", content: reply.text, source: "generate" },
      ...known({ model: reply.servedModel }),
      metadata: known({ ...turn, synthetic: reply.synthetic }),
    })),
    scores: Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, { value }])),
    metadata: known({ run: run.run, replicate, seed: run.seed, cause }),
    store: { [OWN]: { rounds } },
    model_usage: usageByModel([run]),
    ...(cause !== undefined && { error: { message: cause, traceback: cause, traceback_ansi: cause } }),
  };
}

/** The mean of a score's numbers over its runs; of words, the share of the runs that have each. */
function metricsOf(values: readonly ScoreValue[]): Record<string, { readonly name: string; readonly value: number }> {
  const entries = values.flatMap((value): (readonly [string, number])[] =>
    typeof value === "object" ? Object.entries(value) : [typeof value === "number" ? ["mean", value] : [`${value}`, 1]]
  );
  const means = rollups(entries, (own) => sum(own, ([, value]) => value) / values.length, ([name]) => name);
  return Object.fromEntries(means.map(([name, value]) => [name, { name, value }]));
}

/** Tokens by model, those of failed tries too; a count that nobody reports stays absent. */
function usageByModel(runs: readonly LoggedRun[]): Record<string, Record<string, number>> {
  const counts = runs.flatMap(({ said, unsaid = [] }) => [...said, ...unsaid]).flatMap(({ model, reply }) =>
    [reply, ...reply.failedTries ?? []].flatMap(({ usage }) =>
      usage ? Object.entries(tokensOf(usage)).map(([name, n]) => ({ model, name, n })) : []
    )
  );
  const byModel = rollups(counts, (own) => sum(own, ({ n }) => n), ({ model }) => model, ({ name }) => name);
  return Object.fromEntries(byModel.map(([model, totals]) => [model, Object.fromEntries(totals)]));
}

/** Tokens as Inspect counts them: those read from a cache are not among its input tokens. Source: `ModelUsage`. */
function tokensOf(usage: NonNullable<ChatReply["usage"]>): Record<string, number> {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, usd } = usage;
  return {
    ...{ input_tokens: Math.max(0, promptTokens - (cachedTokens ?? 0)), output_tokens: completionTokens },
    total_tokens: promptTokens + completionTokens,
    ...known({ input_tokens_cache_read: cachedTokens, reasoning_tokens: reasoningTokens, total_cost: usd }),
  };
}
