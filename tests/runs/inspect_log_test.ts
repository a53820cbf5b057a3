import assert from "node:assert/strict";
import { cp as copyAll } from "node:fs/promises";
import { accountCalls } from "@/deliberation/account_calls.ts";
import { runStationBatch } from "@/live/station_batch.ts";
import { scripted } from "@/model/replay.ts";
import { accountRuns } from "@/record/accounting.ts";
import { inspectFile, inspectJson, inspectLog } from "@/runs/formats/inspect_log.ts";
import { loggedCommittee, loggedStations } from "@/runs/formats/logged_conditions.ts";
import { importConditions } from "@/runs/import_conditions.ts";
import { loadSummaries } from "@/runs/summary_files.ts";
import type { LedgerEntry } from "@/schema/ledger_line.ts";
import { UNGOVERNED } from "@/schema/quality_names.ts";
import { readStationFolder } from "@/station/read_station_folder.ts";
import { written } from "./inspect_schema.ts";
import { condition, cutRun, declared, flaggedRun, parse, unanswered, wholeRun } from "./ledgers.ts";
import { alive, council, named, unanswering } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const HOSTILE = "</script><script>alert(1)</script> \u0000\u001b[31m\u2028 \ud800";
const MODEL = condition.seats[0]!.model;

/** A run whose first reply is one as an endpoint may have given it; the others are without usage. */
const told = (run: LedgerEntry[]): LedgerEntry[] =>
  run.map((line, i) => {
    if (i !== 1 || line.event.kind !== "turn.answered") return line;
    const failedTries = [{
      code: "server" as const,
      message: "503",
      waitedMs: 1,
      usage: { promptTokens: 5, completionTokens: 0 },
    }];
    const usage = { promptTokens: 11, completionTokens: 7, cachedTokens: 3 };
    return { ...line, event: { ...line.event, reply: { text: HOSTILE, usage, servedModel: "served-2", failedTries } } };
  });

const LINES = [
  ...told(wholeRun(0)),
  ...told(flaggedRun(1, 1, "no_reply:timeout")),
  ...wholeRun(1, 2),
  ...flaggedRun(2, 1, "unreadable_state:missing"),
  ...cutRun(3),
  unanswered(3, [{ code: "server", message: "503", waitedMs: 0 }]),
];
const ledger = parse([declared({ target: 5 }), ...LINES]), log = inspectLog(loggedCommittee(ledger));

Deno.test("a replicate is an epoch with its decision and shares, and one that is missing has its cause", () => {
  const { status, samples, results } = written(log);
  assert.equal(status, "cancelled");
  assert.deepEqual(samples.map(({ epoch, error, messages }) => [epoch, error?.message, messages.length]), [
    [1, undefined, 4],
    [2, undefined, 4],
    [3, "unreadable_state:missing", 1],
    [4, "unanswered:server", 0],
    [5, "not_started", 0],
  ]);
  assert.deepEqual(samples.map(({ scores }) => scores.decision?.value), ["A", "A", ...Array(3)]);
  assert.deepEqual(samples[0]!.scores.shares!.value, { A: 0.5, B: 0.3, C: 0.2 });
  assert.deepEqual([results.total_samples, results.completed_samples], [5, 2]);
  const metrics = results.scores.map((
    { name, metrics },
  ) => [name, Object.fromEntries(Object.values(metrics).map(({ name, value }) => [name, value]))]);
  assert.deepEqual(metrics, [["decision", { A: 1 }], ["shares", { A: 0.5, B: 0.3, C: 0.2 }]]);
});

Deno.test("tokens from a cache are no input tokens, failed tries and attempts count, and what nobody reported is absent", () => {
  const { samples, stats } = written(log);
  // 11 prompt tokens of which 3 came from a cache, and 5 of a try that failed.
  const usage = { input_tokens: 8 + 5, output_tokens: 7, total_tokens: 18 + 5, input_tokens_cache_read: 3 };
  assert.deepEqual(samples.map(({ model_usage }) => model_usage), [{ [MODEL]: usage }, { [MODEL]: usage }, {}, {}, {}]);
  assert.deepEqual(stats.model_usage, {
    [MODEL]: { input_tokens: 26, output_tokens: 14, total_tokens: 46, input_tokens_cache_read: 6 },
  });
});

Deno.test("a message is a reply with its agent, round and served model; hostile words come back and end no script", () => {
  const { samples: [first] } = written(log);
  const of = first!.messages.map(({ model, metadata }) => [metadata.agent, metadata.round, model]);
  assert.deepEqual(
    of,
    [["Chair", 1, "served-2"], ["Welfare", 1], ["Chair"], ["Welfare"]].map(([a, r, m]) => [a, r, m]),
  );
  assert.equal(first!.messages[0]!.content, HOSTILE.toWellFormed());
  const text = inspectJson(log);
  assert.deepEqual(["<", "\0", "\x1b", "\\ud800"].filter((sign) => text.includes(sign)), []);
});

Deno.test("a file's name begins with the time of the record, and logs that differ in seed or council share no id", () => {
  const idsOf = ({ seed = 1, council = "by hand" }) => {
    const lines = LINES.map((line) =>
      line.kind === "event" && line.event.kind === "run.opened" ? { ...line, event: { ...line.event, seed } } : line
    );
    const log = inspectLog(loggedCommittee(parse([declared({ target: 5, seed, council }), ...lines])));
    const { eval: spec, samples } = written(log);
    assert.equal(inspectFile(log), `2026-01-02T03-04-05+00-00_HL-01-T0.0-N2-rolesTrue-R1_${spec.task_id}.json`);
    return [spec.eval_id, ...samples.flatMap(({ uuid, messages }) => [uuid, ...messages.map(({ id }) => id)])];
  };
  const own = idsOf({}), all = [...own, ...idsOf({ seed: 2 }), ...idsOf({ council: "another" })];
  assert.equal(new Set(all).size, 3 * own.length);
  assert.deepEqual(idsOf({}), own);
});

Deno.test("a log of ours is read without a mapping: states, decisions, causes and accounting of the ledger", async () => {
  await withFiles({ "a.json": inspectJson(log) }, async (folder) => {
    const [read, ...others] = await importConditions(`${folder}/a.json`, "inspect");
    assert.equal(others.length, 0);
    assert.equal(read!.name, ledger.declaration.name);
    assert.deepEqual([read!.agents, read!.options], [condition.seats.map(({ label }) => label), ["A", "B", "C"]]);
    assert.deepEqual(read!.runs.map(({ id, decision, states }) => ({ id, decision, states })), [
      { id: "0", decision: "A", states: [[[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]] },
      { id: "1", decision: "A", states: [[[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]] },
    ]);
    assert.deepEqual(read!.excluded.map(({ id, cause }) => [id, cause]), [
      ["2", "broke off with an error (unreadable_state:missing)"],
      ["3", "broke off with an error (unanswered:server)"],
      ["4", "broke off with an error (not_started)"],
    ]);
    assert.equal(read!.synthetic, true);
    assert.deepEqual(read!.about.accounting, accountRuns(ledger));
    assert.deepEqual(read!.about.calls, JSON.parse(JSON.stringify(accountCalls(ledger))));
  });
});

Deno.test("a log of ours that was changed by hand is refused with the place and the rule", async () => {
  const broken = structuredClone(written(log)) as { eval: { metadata: { chaos_lab?: { agents?: unknown } } } };
  broken.eval.metadata.chaos_lab!.agents = "Chair";
  await withFiles({ "a.json": JSON.stringify(broken) }, async (folder) => {
    await assert.rejects(
      importConditions(`${folder}/a.json`, "inspect"),
      /a\.json: eval\.metadata\.chaos_lab\.agents: /,
    );
  });
});

/** A room on two seeds, one of which stays open in its third round, and a run without a model. */
const withBatch = (use: (root: string) => Promise<void>) =>
  withFiles({}, async (folder) => {
    let down = false;
    const sick = unanswering(council(), (request, place) =>
      place.startsWith("3/C4_CIVIL") && request.messages[1]!.content.includes("ROUND 3") && down);
    const out = `${folder}/batch`, room = named("room", sick), rulesets = ["v2"] as const;
    await runStationBatch({ seeds: [104], rulesets, replicates: 2 }, { out, councils: [room, named("none", "none")] });
    down = true;
    await runStationBatch({ seeds: [109], rulesets }, { out, councils: [room] });
    await use(out);
  });

Deno.test("station runs become a log a council: a seed is a sample, a role an agent, and the summary its scores", async () => {
  await withBatch(async (root) => {
    const conditions = await loggedStations(root), logs = conditions.map(inspectLog).map(written);
    assert.deepEqual(conditions.map(({ name }) => name).sort(), ["none_v2", "room_v2"]);
    const room = logs[conditions.findIndex(({ name }) => name === "room_v2")]!;
    assert.deepEqual(room.samples.map(({ id, epoch, error }) => [id, epoch, error?.message]), [
      ["seed-104", 1, undefined],
      ["seed-104", 2, undefined],
      ["seed-109", 1, "unanswered:rate_limit"],
    ]);
    assert.equal(room.status, "cancelled");
    const { calls, events, summary } = await readStationFolder(`${root}/room_seed104`);
    const [{ messages, scores }] = room.samples as [typeof room.samples[number]];
    assert.deepEqual(messages.map(({ content }) => content), calls.map(({ reply }) => reply!.text));
    const { q, classification, stabilized, components, fallback_reasons } = summary!;
    assert.deepEqual(
      Object.fromEntries(Object.entries(scores).map(([name, { value }]) => [name, value])),
      { q, classification, stabilized, components, fallback_reasons },
    );
    const turns = events.flatMap((event) =>
      event.kind === "action.taken" ? event.origin.calls.map(() => [event.role, event.round]) : []
    );
    assert.ok(turns.length > 36, "repairs are among the calls");
    assert.deepEqual(messages.map(({ metadata }) => [metadata.agent, metadata.round]), turns);
    const begun = await Promise.all(
      ["104", "104_r1", "109"].map(async (seed) =>
        JSON.parse((await Deno.readTextFile(`${root}/room_seed${seed}/sessions.jsonl`)).split("\n")[0]!).at
      ),
    );
    assert.equal(room.eval.created, begun.sort()[0]);
    const [one] = await loggedStations(`${root}/room_seed104/events.jsonl`);
    assert.deepEqual(one!.runs.map(({ run }) => run), ["room_seed104"]);
    await Deno.writeTextFile(`${root}/log.json`, inspectJson(inspectLog(one!)));
    const { message } = await userErrorOf(importConditions(`${root}/log.json`, "inspect"));
    assert.match(message, /scored by q and class.*; name the folder of the runs to deno task score/);
    assert.match(
      (await userErrorOf(loadSummaries(`${root}/log.json`))).message,
      /log\.json:1:1: components: is missing/,
    );
  });
});

Deno.test("a run whose models filled no slot has a class and no q among its scores", async () => {
  await withFiles({}, async (folder) => {
    const mute = named("mute", alive(scripted(() => " ")), { synthetic: false });
    await runStationBatch({ seeds: [104], rulesets: ["v2"] }, { out: `${folder}/batch`, councils: [mute] });
    const [log] = (await loggedStations(`${folder}/batch`)).map(inspectLog);
    const { eval: { tags }, samples: [sample] } = written(log!), { q, classification } = sample!.scores;
    assert.deepEqual([tags, q, classification!.value], [[], undefined, UNGOVERNED]);
  });
});

Deno.test("a folder without station runs, without a time, with a run twice or changed, is refused by name", async () => {
  await withFiles({ "empty/notes.txt": "none" }, async (folder) => {
    assert.match((await userErrorOf(loggedStations(`${folder}/empty`))).message, /empty: holds no station run/);
  });
  await withBatch(async (root) => {
    await copyAll(`${root}/room_seed104`, `${root}/copy`, { recursive: true });
    const twice = await userErrorOf(loggedStations(root));
    assert.match(twice.message, /room_seed104: another folder holds the same run of room_v2/);
    await Deno.remove(`${root}/copy`, { recursive: true });
    await Deno.remove(`${root}/none_seed104/sessions.jsonl`);
    assert.match((await userErrorOf(loggedStations(root))).message, /none_seed104: has no sessions\.jsonl/);
    const path = `${root}/room_seed104/events.jsonl`, text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace('"round":2', '"round":3'));
    assert.match(
      (await userErrorOf(loggedStations(root))).message,
      /room_seed104\/events\.jsonl: line \d+ was changed/,
    );
  });
});
