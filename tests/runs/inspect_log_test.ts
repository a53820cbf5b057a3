import assert from "node:assert/strict";
import { strFromU8, unzipSync } from "fflate";
import * as z from "zod";
import { accountCalls } from "@/deliberation/account_calls.ts";
import { accountRuns } from "@/record/accounting.ts";
import { inspectJson, inspectLog, inspectZip } from "@/runs/formats/inspect_log.ts";
import { loggedCommittee } from "@/runs/formats/logged_conditions.ts";
import { importConditions } from "@/runs/import_conditions.ts";
import type { LedgerEntry } from "@/schema/ledger_line.ts";
import { conditionRuns } from "@/live/run_experiment.ts";
import { reasonedRuns } from "@/runs/mod.ts";
import { condition, cutRun, declared, flaggedRun, parse, unanswered, wholeRun } from "./ledgers.ts";
import { assertLog, asWritten, header, Summary } from "./inspect_schema.ts";
import { withFiles } from "./with_files.ts";

const HOSTILE = "</script><script>alert(1)</script> \u0000\u001b[31m\u2028 \ud800";
const MODEL = condition.seats[0]!.model;

/** The first reply of a run as an endpoint may have given it, the others without usage. */
const told = (run: LedgerEntry[]): LedgerEntry[] =>
  run.map((line, i) => {
    if (i !== 1 || line.event.kind !== "turn.answered") return line;
    const usage = { promptTokens: 11, completionTokens: 7, cachedTokens: 3 };
    const reply = { text: HOSTILE, usage, servedModel: "served-2", finishReason: "length", latencyMs: 1500 };
    return { ...line, event: { ...line.event, reply } };
  });

const ledger = parse([
  declared({ target: 5 }),
  ...told(wholeRun(0)),
  ...flaggedRun(1, 1, "no_reply:timeout"),
  ...wholeRun(1, 2),
  ...flaggedRun(2, 1, "unreadable_state:missing"),
  ...cutRun(3),
  unanswered(3, [{ code: "server", message: "503", waitedMs: 0 }]),
]);
const log = inspectLog(loggedCommittee(ledger));
const written = asWritten(log);

Deno.test("a log keeps to Inspect's published schema, as JSON and in each part of the zip", () => {
  assertLog(log);
  const files = unzipSync(inspectZip(log));
  const part = (name: string) => JSON.parse(strFromU8(files[name]!));
  assert.deepEqual(Object.keys(files).sort(), [
    "_journal/start.json",
    "_journal/summaries/1.json",
    "header.json",
    ...[1, 2, 3, 4, 5].map((epoch) => `samples/HL-01_epoch_${epoch}.json`),
    "summaries.json",
  ]);
  const { samples, ...head } = written;
  assert.deepEqual(z.strictObject(header).parse(part("header.json")), head);
  assert.deepEqual(part("_journal/start.json"), { version: 2, eval: head.eval, plan: head.plan });
  assert.deepEqual(samples.map(({ epoch }) => part(`samples/HL-01_epoch_${epoch}.json`)), samples);
  const summaries = z.array(Summary).parse(part("summaries.json"));
  assert.deepEqual(summaries.map(({ error }) => error), samples.map(({ error }) => error?.message));
  assert.deepEqual(part("_journal/summaries/1.json"), summaries);
});

Deno.test("a replicate is an epoch, a failed one has its cause, and an earlier attempt is kept", () => {
  assert.deepEqual(written.samples.map(({ epoch, error }) => [epoch, error?.message]), [
    [1, undefined],
    [2, undefined],
    [3, "unreadable_state:missing"],
    [4, "unanswered:server"],
    [5, "not_started"],
  ]);
  assert.equal(written.status, "cancelled");
  assert.deepEqual(written.samples.map(({ scores }) => scores?.decision?.value), ["A", "A", ...Array(3)]);
  assert.deepEqual(written.samples[0]!.scores!.shares!.value, { A: 0.5, B: 0.3, C: 0.2 });
  assert.deepEqual(written.samples[1]!.error_retries!.map(({ message }) => message), ["no_reply:timeout"]);
  const all = written.samples.flatMap(({ events, error_retries = [] }) => [
    ...events,
    ...error_retries.flatMap(({ events }) => events),
  ]);
  // Five calls in each of two whole runs, one in each of two flagged ones.
  assert.equal(all.filter(({ event }) => event === "model").length, 12);
  assert.equal(accountCalls(ledger).calls, 12);
  const infos = all.filter((event) => event.event === "info").map(({ data }) => data as { kind: string });
  assert.equal(infos.filter(({ kind }) => kind === "unanswered").length, 1);
});

Deno.test("tokens that no endpoint reported are absent, and no prompt or served model is made up", () => {
  const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18, input_tokens_cache_read: 3 };
  const models = written.samples[0]!.events.filter((event) => event.event === "model");
  assert.deepEqual(models.map(({ output }) => output.usage), [usage, ...Array(4)]);
  assert.deepEqual(models.map(({ output }) => output.model), ["served-2", "", "", "", ""]);
  assert.deepEqual([models[0]!.output.time, models[0]!.output.choices[0]!.stop_reason], [1.5, "max_tokens"]);
  assert.deepEqual(models.map(({ model, input }) => [model, input]), Array(5).fill([MODEL, []]));
  assert.equal(models[4]!.error, "timeout: no reply");
  assert.deepEqual(written.samples.map(({ model_usage }) => model_usage), [{ [MODEL]: usage }, {}, {}, {}, {}]);
  assert.deepEqual(written.stats.model_usage, { [MODEL]: usage });
});

Deno.test("hostile words come back as they were, and end no script", () => {
  assert.equal(written.samples[0]!.messages[0]!.content, HOSTILE.toWellFormed());
  const text = inspectJson(log);
  assert.deepEqual(["<", "\0", "\x1b", "\\ud800"].filter((sign) => text.includes(sign)), []);
});

Deno.test("a log of ours is read without a mapping: states, decisions, causes and accounting of the ledger", async () => {
  await withFiles({ "a.json": inspectJson(log), "a.eval": inspectZip(log) }, async (folder) => {
    for (const name of ["a.json", "a.eval"]) {
      const [read, ...others] = await importConditions(`${folder}/${name}`, "inspect");
      assert.equal(others.length, 0);
      assert.equal(read!.name, ledger.declaration.name);
      assert.deepEqual(read!.agents, condition.seats.map(({ label }) => label));
      assert.deepEqual(read!.options, ["A", "B", "C"]);
      assert.deepEqual(read!.runs.map(({ id, decision, states }) => ({ id, decision, states })), [
        { id: "0", decision: "A", states: [[[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]] },
        { id: "1", decision: "A", states: [[[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]] },
      ]);
      assert.deepEqual(read!.excluded.map(({ id, cause }) => [id, cause]), [
        ["2", "broke off with an error (unreadable_state:missing)"],
        ["3", "broke off with an error (unanswered:server)"],
        ["4", "broke off with an error (not_started)"],
      ]);
      const words = reasonedRuns(conditionRuns(ledger).runs).map(({ texts }) =>
        texts!.map((round) => round.map((text) => text?.toWellFormed()))
      );
      assert.deepEqual(reasonedRuns(read!.runs).map(({ texts }) => texts), words);
      assert.equal(read!.synthetic, true);
      assert.deepEqual(read!.about.accounting, accountRuns(ledger));
      assert.deepEqual(read!.about.calls, JSON.parse(JSON.stringify(accountCalls(ledger))));
    }
  });
});

Deno.test("a log of ours that was changed by hand is refused with the place and the rule", async () => {
  const broken = structuredClone(written) as unknown as { eval: { metadata: { chaos_lab: { agents: unknown } } } };
  broken.eval.metadata.chaos_lab.agents = "Chair";
  await withFiles({ "a.json": JSON.stringify(broken) }, async (folder) => {
    await assert.rejects(
      importConditions(`${folder}/a.json`, "inspect"),
      /a\.json: eval\.metadata\.chaos_lab\.agents: /,
    );
  });
});
