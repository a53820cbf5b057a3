import assert from "node:assert/strict";
import { unzipSync } from "fflate";
import * as z from "zod";
import { accountCalls } from "@/deliberation/account_calls.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { runCondition } from "@/live/run_condition.ts";
import { conditionRuns } from "@/live/run_experiment.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { inspectLog } from "@/runs/formats/inspect_log.ts";
import { importRuns, reasonedRuns } from "@/runs/mod.ts";
import { divergence } from "@/stats/mod.ts";
import { condition, council } from "../councils.ts";
import { withFiles } from "../with_files.ts";

const HOSTILE = `</script>\u202E\u0000 "quoted"`;

/** Surrogates with hostile words and reported tokens, of which every 40th reply of a turn cannot be read, twice. */
function spoilt(chat: ChatModel): ChatModel {
  let calls = 0;
  return async (request, options) => {
    const reply = await chat(request, options), place = options?.place ?? "";
    const usage = { promptTokens: 10, completionTokens: 3 };
    if (place.startsWith("turn/") && ++calls % 40 < 2) return { ...reply, text: "no state at all", usage };
    return { ...reply, text: `${HOSTILE}\n${reply.text}`, usage };
  };
}

async function withLog(use: (path: string, folder: string) => Promise<void>) {
  await withFiles({}, async (folder) => {
    const path = `${folder}/HL-01__T0.0__N2__rolesTrue__R2.jsonl`;
    await runCondition(condition, { council: council(spoilt), replicates: 16, seed: 1, path });
    await use(path, folder);
  });
}

Deno.test("a ledger as a log of Inspect and back: the same paths, decisions, words and accounting, from either form", async () => {
  await withLog(async (path, folder) => {
    const ledger = await readLedger(path),
      { runs, accounting } = conditionRuns(ledger),
      { json, zip } = inspectLog(ledger);
    assert.ok(accounting.deficit > 0 && runs.length > 4, "some runs are flagged, most are not");
    await Deno.writeTextFile(`${folder}/log.json`, json);
    await Deno.writeFile(`${folder}/log.eval`, zip);
    for (const form of ["json", "eval"]) {
      const back = await importRuns(`${folder}/log.${form}`, "inspect");
      const byDecision = (some: readonly { decision?: string | undefined }[]) =>
        some.map(({ decision }) => decision).sort();
      assert.deepEqual(back.runs.map(({ means }) => means), runs.map(({ means }) => means));
      assert.deepEqual(divergence(back.runs.map(({ means }) => means)), divergence(runs.map(({ means }) => means)));
      assert.deepEqual(byDecision(back.runs), byDecision(runs));
      assert.deepEqual(reasonedRuns(back.runs).map(({ texts }) => texts), reasonedRuns(runs).map(({ texts }) => texts));
      assert.deepEqual([back.name, back.synthetic], [accounting.name, true]);
      const causes = Object.groupBy(back.excluded, ({ cause }) => /\((.*)\)/.exec(cause)![1]!);
      const counts = Object.fromEntries(Object.entries(causes).map(([cause, own]) => [cause, own!.length]));
      assert.deepEqual([back.runs.length, counts], [accounting.realised, accounting.causes]);
    }
  });
});

Deno.test("calls and tokens of the log are those of the ledger; what no endpoint reported is absent", async () => {
  await withLog(async (path) => {
    const ledger = await readLedger(path), { calls, promptTokens, completionTokens } = accountCalls(ledger);
    const { samples, stats } = JSON.parse(inspectLog(ledger).json);
    const events = samples.flatMap(({ events }: { events: { event: string; output: { usage?: unknown } }[] }) => events)
      .filter(({ event }: { event: string }) => event === "model");
    assert.equal(events.length, calls);
    const [usage] = Object.values<Record<string, number>>(stats.model_usage);
    assert.deepEqual([usage!.input_tokens, usage!.output_tokens], [promptTokens, completionTokens]);
    assert.equal("input_tokens_cache_read" in usage!, false);
  });
  await withFiles({}, async (folder) => {
    await runCondition(condition, { council: council(), replicates: 1, seed: 1, path: `${folder}/one.jsonl` });
    const { stats } = JSON.parse(inspectLog(await readLedger(`${folder}/one.jsonl`)).json);
    assert.deepEqual(stats.model_usage, {}, "surrogates report no tokens");
  });
});

// Required fields and their types, from the classes of inspect_ai (log/_log.py, event/_model.py, event/_span.py,
// model/_model_output.py, scorer/_metric.py) as of version 2 of the log format.
const Message = z.object({ role: z.enum(["system", "user", "assistant", "tool"]), content: z.string() });
const Output = z.object({
  model: z.string(),
  choices: z.array(z.object({
    message: Message,
    stop_reason: z.enum(["stop", "max_tokens", "model_length", "tool_calls", "content_filter", "unknown"]),
  })),
  usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).optional(),
});
const Base = { timestamp: z.iso.datetime(), working_start: z.number(), span_id: z.string() };
const LogEvent = z.discriminatedUnion("event", [
  z.object({
    ...Base,
    event: z.literal("model"),
    ...{ model: z.string(), input: z.array(Message), tools: z.array(z.never()), tool_choice: z.literal("none") },
    ...{ config: z.object({}), output: Output },
  }),
  z.object({ ...Base, event: z.literal("span_begin"), id: z.string(), name: z.string() }),
  z.object({ ...Base, event: z.literal("span_end"), id: z.string() }),
]);
const Sample = z.object({
  ...{ id: z.string(), epoch: z.int().min(1), input: z.string(), target: z.string(), messages: z.array(Message) },
  output: z.object({ model: z.string() }),
  scores: z.record(z.string(), z.object({ value: z.union([z.string(), z.record(z.string(), z.number())]) })),
  ...{ metadata: z.object({}), store: z.object({}), events: z.array(LogEvent), model_usage: z.object({}) },
  error: z.object({ message: z.string(), traceback: z.string(), traceback_ansi: z.string() }).optional(),
});
const Spec = z.object({
  ...{ created: z.iso.datetime(), task: z.string(), model: z.string(), dataset: z.object({}), config: z.object({}) },
});
const Head = {
  version: z.literal(2),
  status: z.enum(["started", "success", "cancelled", "error"]),
  eval: Spec,
  plan: z.object({ name: z.string(), steps: z.array(z.unknown()), config: z.object({}) }),
  results: z.object({
    total_samples: z.int(),
    completed_samples: z.int(),
    scores: z.array(z.object({ name: z.string(), scorer: z.string() })),
  }),
  stats: z.object({ started_at: z.string(), completed_at: z.string() }),
};

Deno.test("both forms have the fields that the published schema asks for, and spans that open and close", async () => {
  await withLog(async (path) => {
    const ledger = await readLedger(path), { json, zip } = inspectLog(ledger);
    const log = z.object({ ...Head, samples: z.array(Sample).length(16) }).parse(JSON.parse(json));
    for (const { events } of log.samples) {
      const spans = (kind: string) => events.flatMap((event) => event.event === kind && "id" in event ? event.id : []);
      assert.deepEqual(spans("span_begin"), spans("span_end"));
    }
    const files = Object.entries(unzipSync(zip)).map((
      [name, bytes],
    ) => [name, JSON.parse(new TextDecoder().decode(bytes))]);
    const read = Object.fromEntries(files);
    z.object(Head).parse(read["header.json"]);
    assert.deepEqual(Object.keys(read["_journal/start.json"]), ["version", "eval", "plan"]);
    assert.equal(read["summaries.json"].length, 16);
    for (const { id, epoch } of log.samples) Sample.parse(read[`samples/${id}_epoch_${epoch}.json`]);
  });
});
