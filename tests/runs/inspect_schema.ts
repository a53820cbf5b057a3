import assert from "node:assert/strict";
import * as z from "zod";
import { inspectJson, type InspectLog } from "@/runs/formats/inspect_log.ts";

/**
 * The fields of Inspect's log format that the logs use, as published: strict, since a misspelt field would be ignored.
 * Source: github.com/UKGovernmentBEIS/inspect_ai 0.3.260, commit 499e6152e7b8fc8cbd8ac5283536572aa6e4ab17,
 * src/inspect_ai/_view/inspect-openapi.json (`EvalLog`, version 2, `EvalSample`, `EvalSampleSummary`). What is required
 * there is required here; of what may be left out there, the logs use what is named here.
 */
const any = z.record(z.string(), z.json());
const count = z.int().min(0);
const Usage = z.strictObject({
  ...{ input_tokens: count, output_tokens: count, total_tokens: count },
  ...{
    input_tokens_cache_read: count.optional(),
    reasoning_tokens: count.optional(),
    total_cost: z.number().optional(),
  },
});
const Usages = z.record(z.string(), Usage);
const Message = z.strictObject({
  ...{ id: z.string(), content: z.string(), source: z.enum(["input", "generate"]), role: z.literal("assistant") },
  ...{ model: z.string().optional(), metadata: any },
});
const STOPS = ["stop", "max_tokens", "model_length", "tool_calls", "content_filter", "unknown"];
const Input = z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() });
const Output = z.strictObject({
  model: z.string(),
  choices: z.array(z.strictObject({ message: Message, stop_reason: z.enum(STOPS) })),
  completion: z.string(),
  ...{ usage: Usage.optional(), time: z.number().optional(), metadata: any.optional() },
});
const Config = z.strictObject({
  ...{
    temperature: z.number().optional(),
    max_tokens: count.optional(),
    seed: z.int().optional(),
    reasoning_effort: z.string().optional(),
  },
});
const event = { uuid: z.string(), timestamp: z.iso.datetime(), working_start: z.number() };
const span = { ...event, span_id: z.string(), id: z.string() };
const Event = z.discriminatedUnion("event", [
  z.strictObject({
    ...{ event: z.literal("span_begin"), ...span, parent_id: z.string().optional() },
    ...{ type: z.string(), name: z.string() },
  }),
  z.strictObject({ event: z.literal("span_end"), ...span }),
  z.strictObject({
    event: z.literal("info"),
    ...event,
    span_id: z.string().optional(),
    source: z.string(),
    data: z.json(),
  }),
  z.strictObject({
    ...{
      event: z.literal("model"),
      ...event,
      span_id: z.string().optional(),
      model: z.string(),
      input: z.array(Input),
    },
    ...{ tools: z.array(z.json()), tool_choice: z.enum(["auto", "any", "none"]), config: Config, output: Output },
    ...{ retries: count.optional(), error: z.string().optional() },
  }),
]);
const Failure = z.strictObject({ message: z.string(), traceback: z.string(), traceback_ansi: z.string() });
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const Score = z.strictObject({
  value: z.union([scalar, z.record(z.string(), scalar)]),
  ...{ answer: z.string().optional(), explanation: z.string().optional(), metadata: any.optional() },
  history: z.tuple([]),
});
const summary = {
  ...{
    id: z.string(),
    epoch: z.int().min(1),
    input: z.string(),
    choices: z.array(z.string()).optional(),
    target: z.string(),
  },
  ...{ metadata: any, scores: z.record(z.string(), Score).optional(), model_usage: Usages, role_usage: Usages },
  uuid: z.string(),
};
export const Summary = z.strictObject({
  ...{
    ...summary,
    error: z.string().optional(),
    retries: count.optional(),
    completed: z.boolean(),
    message_count: count,
  },
});
const Sample = z.strictObject({
  ...{ ...summary, messages: z.array(Message), output: Output, store: any, events: z.array(Event) },
  ...{ attachments: z.record(z.string(), z.string()), error: Failure.optional() },
  error_retries: z.array(Failure.extend({ events: z.array(Event) })).optional(),
});
const Spec = z.strictObject({
  ...{ eval_id: z.string(), run_id: z.string(), created: z.iso.datetime(), task: z.string(), task_id: z.string() },
  ...{ task_version: z.int(), task_attribs: any, task_args: any, task_args_passed: any, tags: z.array(z.string()) },
  dataset: z.strictObject({
    ...{ name: z.string(), samples: count, sample_ids: z.array(z.string()), shuffled: z.boolean() },
  }),
  ...{ model: z.string(), model_generate_config: Config, model_args: any, packages: z.record(z.string(), z.string()) },
  config: z.strictObject({ epochs: count, fail_on_error: z.boolean(), log_samples: z.boolean() }),
  ...{ metadata: any, scorers: z.array(z.strictObject({ name: z.string() })) },
});
const Step = z.strictObject({ solver: z.string(), params: any, params_passed: any });
const Plan = z.strictObject({ name: z.string(), steps: z.array(Step), config: Config });
const Metric = z.strictObject({ name: z.string(), value: z.number(), params: any });
export const header = {
  version: z.literal(2),
  status: z.enum(["started", "success", "cancelled", "error"]),
  eval: Spec,
  plan: Plan,
  results: z.strictObject({
    ...{ total_samples: count, completed_samples: count },
    scores: z.array(z.strictObject({
      ...{ name: z.string(), scorer: z.string(), scored_samples: count, unscored_samples: count, params: any },
      metrics: z.record(z.string(), Metric),
    })),
  }),
  stats: z.strictObject({
    started_at: z.iso.datetime(),
    completed_at: z.union([z.iso.datetime(), z.literal("")]),
    ...{ model_usage: Usages, role_usage: Usages, connection_limit_history: z.tuple([]) },
  }),
  ...{ invalidated: z.boolean(), tags: z.array(z.string()), metadata: any },
};
const Log = z.strictObject({ ...header, samples: z.array(Sample) });

export type WrittenLog = z.infer<typeof Log>;

/** A log as its file says it. */
export const asWritten = (log: InspectLog): WrittenLog => JSON.parse(inspectJson(log));

/** Asserts that a log has every field that the format requires and none that it does not know. */
export function assertLog(log: InspectLog): WrittenLog {
  const written = asWritten(log);
  assert.deepEqual(Log.parse(written), written);
  return written;
}
