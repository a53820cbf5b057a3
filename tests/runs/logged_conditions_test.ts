import assert from "node:assert/strict";
import { cp as copyAll } from "node:fs/promises";
import fc from "fast-check";
import { strFromU8, unzipSync } from "fflate";
import { runPlan } from "@/live/run_condition.ts";
import { runStationBatch } from "@/live/station_batch.ts";
import { type ChatModel, ModelError, Unanswered } from "@/model/chat_model.ts";
import { scripted } from "@/model/replay.ts";
import { rescore } from "@/quality/rescore.ts";
import { PUBLISHED_WEIGHTS } from "@/quality/weights.ts";
import { accountRuns } from "@/record/accounting.ts";
import { collected } from "@/record/collected.ts";
import { inspectSummaries } from "@/runs/formats/inspect.ts";
import { inspectJson, inspectLog, inspectZip } from "@/runs/formats/inspect_log.ts";
import { loggedLedger, loggedStations } from "@/runs/formats/logged_conditions.ts";
import { importConditions } from "@/runs/import_conditions.ts";
import { loadSummaries } from "@/runs/summary_files.ts";
import { UNGOVERNED } from "@/schema/quality_names.ts";
import { readStationFolder } from "@/station/read_station_folder.ts";
import { colours, painter, PLAN } from "../record/colours.ts";
import { assertLog, asWritten } from "./inspect_schema.ts";
import { alive, council, named, unanswering } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const copy = (from: string, to: string) => copyAll(from, to, { recursive: true });

/** Two seeds, two replicates each: six runs of which the last, that of seed 109, stays open in its third round. */
const withBatch = (use: (root: string, out: string) => Promise<void>) =>
  withFiles({}, async (folder) => {
    const sick = unanswering(council(), (request, place) =>
      place.startsWith("3/C4_CIVIL") && request.messages[1]!.content.includes("ROUND 3") && down);
    let down = false;
    const plan = { rulesets: ["v2"], replicates: 2 } as const, out = `${folder}/batch`;
    const councils = [named("room", sick), named("none", "none")];
    await runStationBatch({ ...plan, seeds: [104] }, { out, councils });
    down = true;
    await runStationBatch({ ...plan, seeds: [109], replicates: 1 }, { out, councils: councils.slice(0, 1) });
    await use(out, folder);
  });

Deno.test("station runs become a log a council: a seed is a sample, a role an agent, a call a model event", async () => {
  await withBatch(async (root) => {
    const conditions = await loggedStations(root), logs = conditions.map(inspectLog);
    for (const log of logs) assertLog(log);
    const room = asWritten(logs[conditions.findIndex(({ name }) => name === "room_v2")]!);
    assert.deepEqual(conditions.map(({ name }) => name).sort(), ["none_v2", "room_v2"]);
    assert.deepEqual(room.samples.map(({ id, epoch, error }) => [id, epoch, error?.message]), [
      ["seed-104", 1, undefined],
      ["seed-104", 2, undefined],
      ["seed-109", 1, "unanswered:rate_limit"],
    ]);
    assert.equal(room.status, "cancelled");
    const { events, scores } = room.samples[0]!, { calls, summary } = await readStationFolder(`${root}/room_seed104`);
    const made = events.filter((event) => event.event === "model");
    assert.deepEqual(
      made.map(({ input, config }) => [input, config.seed]),
      calls.map(({ request }) => [
        request.messages,
        request.seed,
      ]),
    );
    assert.deepEqual(made.map(({ output }) => output.completion), calls.map(({ reply }) => reply!.text));
    const spans = events.filter((event) => event.event === "span_begin");
    assert.deepEqual(
      spans.filter(({ type }) => type === "round").map(({ name }) => name),
      [1, 2, 3, 4, 5, 6].map((t) => `round ${t}`),
    );
    assert.equal(spans.filter(({ type }) => type === "agent").length, 36);
    const value = (name: string) => scores![name]!.value;
    assert.deepEqual([value("q"), value("classification"), value("stabilized"), value("components")], [
      ...[summary!.q, summary!.classification, summary!.stabilized, summary!.components],
    ]);
    assert.deepEqual(value("fallback_reasons"), summary!.fallback_reasons);
    assert.equal(room.samples[2]!.scores, undefined);
    const [one] = await loggedStations(`${root}/room_seed104/events.jsonl`);
    assert.deepEqual(one!.runs.map(({ run }) => run), ["room_seed104"]);
  });
});

Deno.test("a run whose models filled no slot has a class and no q among its scores", async () => {
  await withFiles({}, async (folder) => {
    const mute = named("mute", alive(scripted(() => " ")), { synthetic: false });
    await runStationBatch({ seeds: [104], rulesets: ["v2"] }, { out: `${folder}/batch`, councils: [mute] });
    const [log] = (await loggedStations(`${folder}/batch`)).map(inspectLog);
    const { tags, samples: [sample] } = assertLog(log!), { q, classification } = sample!.scores!;
    assert.deepEqual([tags, q, classification!.value], [[], undefined, UNGOVERNED]);
  });
});

Deno.test("a log of stations gives q, class, components, fallbacks and accounting of the folders, as JSON and zipped", async () => {
  await withBatch(async (root, out) => {
    for (const condition of await loggedStations(root)) {
      const log = inspectLog(condition), council = condition.name.replace("_v2", "");
      await Deno.writeTextFile(`${out}/${council}.json`, inspectJson(log));
      await Deno.writeFile(`${out}/${council}.eval`, inspectZip(log));
      const due = (await loadSummaries(root)).filter(({ model }) => model === council);
      for (const file of [`${out}/${council}.json`, `${out}/${council}.eval`]) {
        const summaries = await loadSummaries(file);
        assert.deepEqual(summaries, due);
        assert.deepEqual(rescore(summaries, PUBLISHED_WEIGHTS), rescore(due, PUBLISHED_WEIGHTS));
        const read = await inspectSummaries(file);
        assert.deepEqual(
          read!.accounting,
          {
            room: {
              ...{ name: "room_v2", target: 3, realised: 2, deficit: 1, causes: { "unanswered:rate_limit": 1 } },
            },
            none: { name: "none_v2", target: 1, realised: 1, deficit: 0, causes: {} },
          }[council],
        );
        assert.match(
          (await userErrorOf(importConditions(file, "inspect"))).message,
          /scored by q and class.*task score/,
        );
      }
    }
    const { samples, ...head } = JSON.parse(await Deno.readTextFile(`${out}/room.json`));
    await Deno.writeTextFile(`${out}/room.json`, JSON.stringify({ ...head, samples: samples.slice(1) }));
    const cut = await userErrorOf(loadSummaries(`${out}/room.json`));
    assert.match(cut.message, /room\.json: holds 1 complete runs, and 2 were written into it/);
    samples[0].store.chaos_lab.summary.q = 2;
    await Deno.writeTextFile(`${out}/room.json`, JSON.stringify({ ...head, samples }));
    assert.match(
      (await userErrorOf(loadSummaries(`${out}/room.json`))).message,
      /sample 1: store\.chaos_lab\.summary\.q/,
    );
  });
});

Deno.test("a folder without station runs, one that holds a run twice, and one whose run was changed, are refused by name", async () => {
  await withFiles({ "empty/notes.txt": "none" }, async (folder) => {
    assert.match((await userErrorOf(loggedStations(`${folder}/empty`))).message, /empty: holds no station run/);
  });
  await withBatch(async (root) => {
    await copy(`${root}/room_seed104`, `${root}/copy`);
    const twice = await userErrorOf(loggedStations(root));
    assert.match(twice.message, /room_seed104: another folder holds the same run of room_v2/);
    await Deno.remove(`${root}/copy`, { recursive: true });
    const path = `${root}/room_seed104/events.jsonl`, text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace('"round":2', '"round":3'));
    assert.match(
      (await userErrorOf(loggedStations(root))).message,
      /room_seed104\/events\.jsonl: line \d+ was changed/,
    );
  });
});

const usage = { promptTokens: 5, completionTokens: 2 };
const Fate = fc.constantFrom("said", "said", "said", "told", "unreadable", "failed", "unanswered");

/** An endpoint to which the nth call comes to its nth fate, and all later ones to the last. */
const fated = (fates: readonly string[]): ChatModel => {
  let calls = 0;
  return async (request, options) => {
    const fate = fates[Math.min(calls++, fates.length - 1)], reply = await painter(request, options);
    if (fate === "told") return { ...reply, text: reply.text, usage, latencyMs: 250 };
    if (fate === "unreadable") return { ...reply, text: "</script>\ud800" };
    if (fate === "failed") throw new ModelError("truncated", "cut", { received: { ...reply, usage } });
    if (fate === "unanswered") {
      throw new Unanswered("server", "503", {
        scope: "call",
        tries: [{ code: "server", message: "503", waitedMs: 1 }],
      });
    }
    return reply;
  };
};

Deno.test("any history of a third protocol comes back: states, decisions, causes, calls and tokens", async () => {
  const plan = { ...PLAN, rounds: 3 };
  await withFiles({}, async (folder) => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(Fate, { minLength: 1, maxLength: 40 }), async (fates) => {
        const path = `${folder}/${n++}.jsonl`;
        const identity = { identity: "fated", synthetic: true, live: false, concurrency: 1 };
        const ledger = await runPlan(colours, plan, {
          ...{ council: { chat: fated([...fates, "said"]), ...identity }, replicates: 3, seed: 7, path },
        });
        const log = inspectLog(loggedLedger(colours, ledger)), { samples, stats } = assertLog(log);
        const all = samples.flatMap(({ events, error_retries = [] }) =>
          [events, ...error_retries.map(({ events }) => events)].flat()
        );
        const answered = ledger.runs.flatMap(({ events }) => events).filter((event) => event.kind === "named");
        const models = all.filter((event) => event.event === "model");
        assert.equal(models.length, answered.length);
        const told = answered.filter(({ reply }) => reply?.usage).length;
        const tokens = { input_tokens: 5 * told, output_tokens: 2 * told, total_tokens: 7 * told };
        assert.deepEqual(stats.model_usage, told > 0 ? { painter: tokens } : {});
        const { runs, accounting } = collected(colours, ledger);
        assert.deepEqual(
          samples.flatMap(({ error }) => error?.message ?? []).sort(),
          Object.entries(accounting.causes).flatMap(([cause, runs]) => Array(runs).fill(cause)).sort(),
        );
        if (runs.length === 0) return;
        const files = unzipSync(inspectZip(log));
        assert.deepEqual(JSON.parse(strFromU8(files["header.json"]!)).samples, undefined);
        await Deno.writeFile(`${path}.eval`, inspectZip(log));
        const [read] = await importConditions(`${path}.eval`, "inspect", { choices: { ended: "carry" } });
        assert.deepEqual(read!.about.accounting, accountRuns(ledger));
        assert.deepEqual(read!.options, plan.colours);
        assert.deepEqual(
          read!.runs.map(({ id, decision, states }, r) => [id, decision, states.slice(0, runs[r]!.means.length)]),
          runs.map(({ replicate, decision, preferences }) => [String(replicate), decision, preferences]),
        );
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});
