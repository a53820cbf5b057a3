import assert from "node:assert/strict";
import { runStationBatch } from "@/lab/live/station_batch.ts";
import { scripted } from "@/model/replay.ts";
import { committeeLog, stationLogs } from "@/lab/runs/inspect_log.ts";
import { inspectSamples } from "@/record/mod.ts";
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
const ledger = parse([declared({ target: 5 }), ...LINES]), log = committeeLog(ledger);

Deno.test("a replicate is an epoch with its decision and shares, and one that is missing has its cause", () => {
  const { status, samples } = written(log);
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

Deno.test("a message is a reply with its agent, and lone surrogates, which Inspect refuses, are replaced", () => {
  const { samples: [first] } = written(log);
  assert.deepEqual(first!.messages.map(({ metadata }) => metadata.agent), ["Chair", "Welfare", "Chair", "Welfare"]);
  assert.equal(first!.messages[0]!.content, HOSTILE.toWellFormed());
  assert.ok(!log.content.includes("\\ud800"));
});

Deno.test("a file's name begins with the time of the record, and logs that differ in seed or council share no id", () => {
  const idsOf = ({ seed = 1, council = "by hand" }) => {
    const lines = LINES.map((line) =>
      line.kind === "event" && line.event.kind === "run.opened" ? { ...line, event: { ...line.event, seed } } : line
    );
    const log = committeeLog(parse([declared({ target: 5, seed, council }), ...lines]));
    const { eval: spec, samples } = written(log);
    assert.equal(log.name, `2026-01-02T03-04-05+00-00_HL-01-T0.0-N2-rolesTrue-R1_${spec.task_id}.json`);
    return [spec.eval_id, ...samples.flatMap(({ uuid, messages }) => [uuid, ...messages.map(({ id }) => id)])];
  };
  const own = idsOf({}), all = [...own, ...idsOf({ seed: 2 }), ...idsOf({ council: "another" })];
  assert.equal(new Set(all).size, 3 * own.length);
  assert.deepEqual(idsOf({}), own);
});

Deno.test("a log of a committee is read back: shares of every round, decisions and causes of the ledger", async () => {
  await withFiles({ "a.json": log.content }, (folder) => {
    const samples = inspectSamples(`${folder}/a.json`);
    assert.deepEqual(samples.map(({ error }) => error?.message), [
      ...[undefined, undefined, "unreadable_state:missing", "unanswered:server", "not_started"],
    ]);
    const complete = samples.filter(({ error }) => !error);
    assert.deepEqual(complete.map(({ scores }) => scores!.decision!.value), ["A", "A"]);
    const [{ messages, metadata }] = complete as [typeof complete[number]];
    assert.deepEqual(messages.map(({ role }) => role), messages.map(() => "assistant"));
    const [round] = metadata!.rounds as readonly Record<string, object>[];
    assert.deepEqual(Object.values(round!), [{ A: 0.5, B: 0.3, C: 0.2 }, { A: 0.5, B: 0.3, C: 0.2 }]);
    return Promise.resolve();
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
    const logs = await stationLogs(root), all = logs.map(written);
    assert.deepEqual(all.map(({ eval: { task } }) => task).sort(), ["none_v2", "room_v2"]);
    const room = all.find(({ eval: { task } }) => task === "room_v2")!;
    assert.deepEqual(room.samples.map(({ id, epoch, error }) => [id, epoch, error?.message]), [
      ["seed-104", 1, undefined],
      ["seed-104", 2, undefined],
      ["seed-109", 1, "unanswered:rate_limit"],
    ]);
    assert.equal(room.status, "cancelled");
    const { calls, events, summary } = await readStationFolder(`${root}/room_seed104`);
    const [{ messages, scores }] = room.samples as [typeof room.samples[number]];
    assert.deepEqual(messages.map(({ content }) => content), calls.map(({ reply }) => reply!.text));
    const { q, classification, stabilized } = summary!;
    assert.deepEqual(scores, {
      ...{ q: { value: q }, classification: { value: classification }, stabilized: { value: stabilized } },
    });
    const roles = events.flatMap((event) =>
      event.kind === "action.taken" ? event.origin.calls.map(() => event.role) : []
    );
    assert.ok(roles.length > 36, "repairs are among the calls");
    assert.deepEqual(messages.map(({ metadata }) => metadata.agent), roles);
    const sessions = await Deno.readTextFile(`${root}/room_seed104/sessions.jsonl`);
    assert.equal(room.eval.created, JSON.parse(sessions.split("\n")[0]!).at);
  });
});

Deno.test("a run whose models filled no slot has a class and no q among its scores", async () => {
  await withFiles({}, async (folder) => {
    const mute = named("mute", alive(scripted(() => " ")), { synthetic: false });
    await runStationBatch({ seeds: [104], rulesets: ["v2"] }, { out: `${folder}/batch`, councils: [mute] });
    const [log] = await stationLogs(`${folder}/batch`);
    const { eval: { tags }, samples: [sample] } = written(log!), { q, classification } = sample!.scores;
    assert.deepEqual([tags, q, classification!.value], [[], undefined, UNGOVERNED]);
  });
});

Deno.test("a folder without station runs, without a time, or with a run that was changed, is refused by name", async () => {
  await withFiles({ "empty/notes.txt": "none" }, async (folder) => {
    assert.match((await userErrorOf(stationLogs(`${folder}/empty`))).message, /empty: holds no run of the station/);
  });
  await withBatch(async (root) => {
    await Deno.remove(`${root}/none_seed104/sessions.jsonl`);
    assert.match((await userErrorOf(stationLogs(root))).message, /none_seed104: has no sessions\.jsonl/);
    const path = `${root}/room_seed104/events.jsonl`, text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace('"round":2', '"round":3'));
    assert.match((await userErrorOf(stationLogs(root))).message, /room_seed104\/events\.jsonl: line \d+ was changed/);
  });
});
