import assert from "node:assert/strict";
import * as z from "zod";

/**
 * The fields of Inspect's log format that the logs use: strict, since a misspelt field would be ignored. Source:
 * github.com/UKGovernmentBEIS/inspect_ai 0.3.285, src/inspect_ai/log/_log.py (`EvalLog`, version 2) and model/_model_output.py
 * (`ModelUsage`). `plan` and `stats` may be left out there, but not where the header is read alone. Tried with the package:
 * `read_eval_log`, whole and header_only, and `list_eval_logs`.
 */
const any = z.record(z.string(), z.json());
const count = z.int().min(0);
const Usage = z.strictObject({
  ...{ input_tokens: count, output_tokens: count, total_tokens: count },
  input_tokens_cache_read: count.optional(),
});
const Usages = z.record(z.string(), Usage);
const Message = z.strictObject({
  ...{ id: z.string(), content: z.string(), role: z.literal("assistant"), metadata: any },
});
const Failure = z.strictObject({ message: z.string(), traceback: z.string(), traceback_ansi: z.string() });
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const Score = z.strictObject({ value: z.union([scalar, z.record(z.string(), scalar)]) });
const Sample = z.strictObject({
  ...{ id: z.string(), epoch: z.int().min(1), uuid: z.string(), input: z.string(), target: z.string() },
  ...{ messages: z.array(Message), scores: z.record(z.string(), Score), metadata: any, model_usage: Usages },
  error: Failure.optional(),
});
const Spec = z.strictObject({
  ...{ eval_id: z.string(), run_id: z.string(), created: z.iso.datetime(), task: z.string(), task_id: z.string() },
  ...{ tags: z.array(z.string()), model: z.string(), metadata: any, config: z.strictObject({ epochs: count }) },
  dataset: z.strictObject({ samples: count, sample_ids: z.array(z.string()) }),
});
const Log = z.strictObject({
  ...{ version: z.literal(2), status: z.enum(["started", "success", "cancelled", "error"]), eval: Spec },
  ...{ plan: z.strictObject({}), stats: z.strictObject({ model_usage: Usages }) },
  samples: z.array(Sample),
});

/** A log as its file says it: with every field that the format requires and none that it does not know. */
export function written({ content }: { readonly content: string }): z.infer<typeof Log> {
  const json = JSON.parse(content);
  assert.deepEqual(Log.parse(json), json);
  return json;
}
