import assert from "node:assert/strict";
import * as z from "zod";
import { inspectJson, type InspectLog } from "@/runs/formats/inspect_log.ts";

/**
 * The fields of Inspect's log format that the logs use: strict, since a misspelt field would be ignored. Source:
 * github.com/UKGovernmentBEIS/inspect_ai 0.3.285, src/inspect_ai/log/_log.py (`EvalLog`, version 2) and model/_model_output.py
 * (`ModelUsage`). `plan` and `stats` may be left out there, but not where the header is read alone.
 */
const any = z.record(z.string(), z.json());
const count = z.int().min(0);
const Usage = z.strictObject({
  ...{ input_tokens: count, output_tokens: count, total_tokens: count },
  ...{ input_tokens_cache_read: count.optional(), reasoning_tokens: count.optional() },
  total_cost: z.number().optional(),
});
const Usages = z.record(z.string(), Usage);
const Message = z.strictObject({
  ...{ id: z.string(), content: z.string(), source: z.enum(["input", "generate"]), role: z.literal("assistant") },
  ...{ model: z.string().optional(), metadata: any },
});
const Failure = z.strictObject({ message: z.string(), traceback: z.string(), traceback_ansi: z.string() });
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const Score = z.strictObject({ value: z.union([scalar, z.record(z.string(), scalar)]) });
const Sample = z.strictObject({
  ...{ id: z.string(), epoch: z.int().min(1), uuid: z.string(), input: z.string(), target: z.string() },
  ...{ choices: z.array(z.string()).optional(), messages: z.array(Message), scores: z.record(z.string(), Score) },
  ...{ metadata: any, store: any, model_usage: Usages, error: Failure.optional() },
});
const Spec = z.strictObject({
  ...{ eval_id: z.string(), run_id: z.string(), created: z.iso.datetime(), task: z.string(), task_id: z.string() },
  ...{ tags: z.array(z.string()), model: z.string(), metadata: any, config: z.strictObject({ epochs: count }) },
  dataset: z.strictObject({ name: z.string(), samples: count, sample_ids: z.array(z.string()) }),
});
const Metric = z.strictObject({ name: z.string(), value: z.number() });
const Log = z.strictObject({
  ...{ version: z.literal(2), status: z.enum(["started", "success", "cancelled", "error"]), eval: Spec },
  plan: z.strictObject({ name: z.string(), steps: z.tuple([]) }),
  results: z.strictObject({
    ...{ total_samples: count, completed_samples: count },
    scores: z.array(z.strictObject({ name: z.string(), scorer: z.string(), metrics: z.record(z.string(), Metric) })),
  }),
  stats: z.strictObject({ started_at: z.iso.datetime(), model_usage: Usages }),
  samples: z.array(Sample),
});

/** A log as its file says it: with every field that the format requires and none that it does not know. */
export function written(log: InspectLog): z.infer<typeof Log> {
  const json = JSON.parse(inspectJson(log));
  assert.deepEqual(Log.parse(json), json);
  return json;
}
