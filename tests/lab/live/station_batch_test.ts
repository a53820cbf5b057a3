import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type ChatModel, ModelError } from "@/model/chat_model.ts";
import { readStationFolder } from "@/station/read_station_folder.ts";
import { incomplete, runStationBatch } from "@/lab/live/station_batch.ts";
import { readManifest } from "@/station/station_files.ts";
import { runStation } from "@/station/run_station.ts";
import { alive, council, interrupted, Interruption, named, unanswering } from "../runs/station_rooms.ts";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";
import { listedStations } from "./listed_stations.ts";
import { loadStationExperiment } from "@/lab/live/scenarios.ts";
import { stationCouncils } from "@/lab/live/station_council.ts";
import { Experiments } from "@/schema/experiments.ts";

const room = named("room", council());
const none = named("none", "none");
const rulesets = ["v2"] as const;
const seeds = [104, 109];

Deno.test("a batch runs every council on every seed and lists each run with the hash of its events", async () => {
  await withFiles({}, async (out) => {
    const seen: unknown[] = [];
    const councils = [none, room];
    const { runs } = await runStationBatch({ seeds, rulesets }, { out, councils, onRun: (run) => seen.push(run) });
    const ids = ["none_seed104", "none_seed109", "room_seed104", "room_seed109"];
    assert.deepEqual(seen, ids.map((runId, i) => ({ runId, found: 0, done: i + 1, total: 4 })));
    const manifest = await readManifest(`${out}/MANIFEST.tsv`);
    assert.deepEqual(manifest.map(({ run_id }) => run_id), ids);
    for (const [i, row] of manifest.entries()) {
      const { summary } = runs[i]!;
      const bytes = await Deno.readFile(`${out}/${row.run_id}/events.jsonl`);
      assert.equal(row.events_sha256, createHash("sha256").update(bytes).digest("hex"));
      assert.deepEqual([row.q, row.seed, row.council], [summary.q, summary.seed, summary.model]);
      assert.equal(row.fallback_actions + row.model_actions, 36);
    }
    assert.deepEqual((await listedStations(out)).summaries, runs.map(({ summary }) => summary));
  });
});

Deno.test("a plan's token limit and reasoning effort go with every call, and another cannot resume the runs", async () => {
  await withFiles({}, async (out) => {
    const asked = new Set<string>();
    const chat = council();
    const noting: ChatModel = (request, options) => {
      asked.add(`${request.maxTokens} ${request.reasoningEffort}`);
      return chat(request, options);
    };
    const plan = { seeds: [109], rulesets, maxTokens: 2000, reasoningEffort: "low" };
    const { runs: [run] } = await runStationBatch(plan, { out, councils: [named("room", noting)] });
    assert.deepEqual([...asked], ["2000 low"]);
    assert.deepEqual([run!.header.asked!.maxTokens, run!.header.asked!.reasoningEffort], [2000, "low"]);
    const other = await userErrorOf(runStationBatch({ seeds: [109], rulesets }, { out, councils: [room] }));
    assert.match(
      other.message,
      /asked: there \{"maxTokens":2000,.*"reasoningEffort":"low",.*, now \{"maxTokens":900,"model"/,
    );
  });
});

Deno.test("runs under way at once come out as they do one by one", async () => {
  await withFiles({}, async (out) => {
    const councils = [none, room];
    await runStationBatch({ seeds, rulesets }, { out: `${out}/one`, councils });
    await runStationBatch({ seeds, rulesets }, { out: `${out}/many`, councils, concurrency: 3 });
    assert.equal(
      await Deno.readTextFile(`${out}/many/MANIFEST.tsv`),
      await Deno.readTextFile(`${out}/one/MANIFEST.tsv`),
    );
  });
});

Deno.test("fault 34: a batch is extended, and what is there is neither run again nor taken off the manifest", async () => {
  await withFiles({}, async (out) => {
    await runStationBatch({ seeds, rulesets }, { out, councils: [none] });
    const before = await readManifest(`${out}/MANIFEST.tsv`);
    const found: number[] = [];
    const more = { out, councils: [none, room], onRun: (run: { found: number }) => found.push(run.found) };
    await runStationBatch({ seeds: [109, 110], rulesets }, more);
    const after = await readManifest(`${out}/MANIFEST.tsv`);
    assert.deepEqual(after.map(({ run_id }) => run_id).toSorted(), [
      "none_seed104",
      "none_seed109",
      "none_seed110",
      "room_seed109",
      "room_seed110",
    ]);
    for (const row of before) assert.deepEqual(after.find(({ run_id }) => run_id === row.run_id), row);
    assert.deepEqual(found.map((events) => events > 0), [true, false, false, false]);
  });
});

Deno.test("where a run fails the manifest names the runs finished so far, and the batch can be gone on with", async () => {
  await withFiles({}, async (out) => {
    const { chat } = interrupted(council(), 3);
    const run = runStationBatch({ seeds, rulesets }, { out, councils: [none, { ...room, chat }] });
    await assert.rejects(run, Interruption);
    assert.deepEqual((await readManifest(`${out}/MANIFEST.tsv`)).map(({ run_id }) => run_id), [
      "none_seed104",
      "none_seed109",
    ]);
    await runStationBatch({ seeds, rulesets }, { out, councils: [none, room] });
    assert.equal((await listedStations(out)).manifest.length, 4);
  });
});

Deno.test("two runs of one name are refused before anything is run", async () => {
  await withFiles({}, async (out) => {
    const councils = [{ ...none, label: "a/b" }, { ...none, label: "a-b" }];
    const { message } = await userErrorOf(runStationBatch({ seeds, rulesets }, { out, councils }));
    assert.match(message, /a-b_seed104 is planned twice/);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(out)), []);
  });
});

const speak = alive(council());
const live = named("model-x", speak, { synthetic: false, live: true, model: "model-x" });

Deno.test("fault 36: replicates of a seed stand beside the first, whose folder keeps its name; without a council there are none", async () => {
  await withFiles({}, async (out) => {
    const first = await runStationBatch({ seeds: [109], rulesets }, { out, councils: [room] });
    const plan = { seeds: [109], rulesets, replicates: 3 };
    const { runs } = await runStationBatch(plan, { out, councils: [none, room] });
    assert.deepEqual(runs.map(({ runId }) => runId), [
      "none_seed109",
      "room_seed109",
      "room_seed109_r1",
      "room_seed109_r2",
    ]);
    assert.ok(runs[1]!.found > 0);
    assert.deepEqual(runs[1]!.summary, first.runs[0]!.summary);
    const manifest = await readManifest(`${out}/MANIFEST.tsv`);
    assert.deepEqual(manifest.map(({ replicate }) => replicate), [0, 0, 1, 2]);
    await listedStations(out);
  });
});

Deno.test("fault 31: the manifest names models by role and sampling parameters", async () => {
  await withFiles({}, async (out) => {
    const mixed = named("mixed", council(), { model: { default: "a/one", C2_EQUITY: "b/two" } });
    await runStationBatch({ seeds: [109], rulesets, temperature: 0.3, maxTokens: 700 }, {
      out,
      councils: [none, mixed],
    });
    const [floor, row] = await readManifest(`${out}/MANIFEST.tsv`);
    assert.deepEqual([floor!.models, floor!.temperature, floor!.max_tokens], ["none", undefined, undefined]);
    assert.equal(
      row!.models,
      "C1_COMMAND=a/one C2_EQUITY=b/two C3_ENGINEER=a/one C4_CIVIL=a/one F1_OUTER=a/one F2_SPONSOR=a/one",
    );
    assert.deepEqual([row!.temperature, row!.max_tokens], [0.3, 700]);
  });
});

Deno.test("fault 35: a manifest of older columns is read and extended", async () => {
  await withFiles({}, async (out) => {
    await runStationBatch({ seeds: [104], rulesets }, { out, councils: [room] });
    const path = `${out}/MANIFEST.tsv`;
    const older = (await Deno.readTextFile(path)).split("\n").map((line) => line.split("\t").slice(0, 11).join("\t"));
    await Deno.writeTextFile(path, older.join("\n"));
    assert.equal((await listedStations(out)).manifest[0]!.replicate, undefined);
    await runStationBatch({ seeds: [109], rulesets }, { out, councils: [room] });
    const manifest = await readManifest(path);
    assert.deepEqual(manifest.map(({ run_id, replicate }) => [run_id, replicate]), [
      ["room_seed104", undefined],
      ["room_seed109", 0],
    ]);
    await listedStations(out);
  });
});

Deno.test("fault 03: a call without an outcome leaves its run open and the others go on; the same call resumes it", async () => {
  await withFiles({}, async (out) => {
    const { chat, calls } = interrupted(speak);
    const seedOf109 = new Set<number>();
    await Array.fromAsync(runStation({ seed: 109, ruleset: "v2", council: noting(seedOf109) }));
    const down = unanswering(chat, ({ seed }, place) => seedOf109.has(seed) && place.startsWith("3/"));
    const plan = { seeds: [104, 109, 110], rulesets };
    const first = await runStationBatch(plan, { out, councils: [{ ...live, chat: down }] });
    assert.deepEqual(first.runs.map(({ runId }) => runId), ["model-x_seed104", "model-x_seed110"]);
    const because = { code: "rate_limit", message: "too many requests" };
    assert.deepEqual(first.open, [{ runId: "model-x_seed109", ...because }]);
    assert.deepEqual((await listedStations(out)).summaries.map(({ seed }) => seed), [104, 110]);
    const words = incomplete(first.runs.length, first.open);
    assert.match(
      words.message,
      /^2 of 3 runs are complete, 1 stay open:\n {2}rate_limit: 1, such as model-x_seed109: too many/,
    );
    assert.match(words.message, /the same command resumes them$/);
    const again = await runStationBatch(plan, { out, councils: [{ ...live, chat }] });
    assert.deepEqual([again.runs.length, again.open], [3, []]);
    const total = await undisturbedCalls(plan);
    assert.equal(calls(), total, "no answered call is asked again");
    assert.ok(
      again.runs.every(({ summary }) => !Object.keys(summary.fallback_reasons).some((cause) => /rate/.test(cause))),
    );
  });
});

/** A council that notes the seeds of its calls. */
const noting = (seeds: Set<number>): ChatModel => (request, options) => {
  seeds.add(request.seed);
  return speak(request, options);
};

/** Calls of a plan that nothing stops. */
async function undisturbedCalls({ seeds }: { seeds: readonly number[] }): Promise<number> {
  const { chat, calls } = interrupted(council());
  for (const seed of seeds) await Array.fromAsync(runStation({ seed, ruleset: "v2", council: chat }));
  return calls();
}

Deno.test("fault 02: an endpoint that answers nobody any more ends all runs, each where it stood, and what is under way is kept", async () => {
  await withFiles({}, async (out) => {
    let calls = 0;
    const answer = council();
    const dying: ChatModel = alive(async (request, options) => {
      const place = options!.place!;
      if (++calls > 20) {
        return await unanswering(answer, [place], { scope: "endpoint", code: "server" })(request, options);
      }
      return await answer(request, options);
    });
    const plan = { seeds: [104, 109, 110], rulesets };
    const options = { out, councils: [{ ...live, chat: dying, concurrency: 2 }] };
    const first = await runStationBatch(plan, options);
    assert.deepEqual(first.runs, []);
    assert.deepEqual(first.open.map(({ code }) => code), ["server", "server", "server"]);
    assert.deepEqual((await Array.fromAsync(Deno.readDir(out), ({ name }) => name)).sort(), [
      "model-x_seed104",
      "model-x_seed109",
    ]);
    const recorded = await Promise.all([104, 109].map((seed) => readStationFolder(`${out}/model-x_seed${seed}`)));
    assert.equal(recorded.flatMap(({ calls }) => calls).length, 20);
    const { chat, calls: asked } = interrupted(speak);
    await runStationBatch(plan, { out, councils: [{ ...live, chat }] });
    assert.equal(asked(), await undisturbedCalls(plan) - 20);
  });
});

Deno.test("fault 04: an endpoint that refuses what it is asked for ends the batch with its words", async () => {
  await withFiles({}, async (out) => {
    const refusing = unanswering(council(), () => true, { scope: "endpoint", code: "auth" });
    const run = runStationBatch({ seeds, rulesets }, { out, councils: [{ ...live, chat: refusing }] });
    assert.match((await userErrorOf(run)).message, /too many requests/);
  });
});

Deno.test("fault 33: the manifest keeps runs that a session does not come to, and drops one that is open again", async () => {
  await withFiles({}, async (out) => {
    const lost: ChatModel = async (request, options) => {
      if (options!.place!.startsWith("5/")) throw new ModelError("network", "connection reset");
      return await speak(request, options);
    };
    // As an older version recorded it: the clerk filled what the endpoint failed to answer.
    await runStationBatch({ seeds: [104], rulesets }, { out, councils: [{ ...live, chat: lost }] });
    await runStationBatch({ seeds: [109], rulesets }, { out, councils: [live] });
    const listed = async () => (await readManifest(`${out}/MANIFEST.tsv`)).map(({ seed }) => seed);
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(runStationBatch({ seeds, rulesets }, { out, councils: [live], signal }), /enough/);
    assert.deepEqual(await listed(), [104, 109]);
    const down = unanswering(speak, () => true);
    const options = { out, councils: [{ ...live, chat: down }], reopen: true };
    const { open } = await runStationBatch({ seeds, rulesets }, options);
    assert.deepEqual(open.map(({ runId }) => runId), ["model-x_seed104"]);
    assert.deepEqual(await listed(), [109]);
    const { runs } = await runStationBatch({ seeds, rulesets }, { out, councils: [live] });
    assert.deepEqual(runs.map(({ summary }) => summary.reopened_slots), [6, undefined]);
    assert.deepEqual(await listed(), [104, 109]);
    await listedStations(out);
  });
});

const env = new Map<string, string>();

const PLANS = [["station-floor", 1, 1], ["station-personas", 5, 1], ["station-dialect", 1, 4], [
  "station-strays",
  3,
  1,
]] as const;

for (const [name, councils, rulesets] of PLANS) {
  Deno.test(`${name} declares ${councils} councils under ${rulesets} rulesets on the panel`, async () => {
    const declared = await loadStationExperiment(name);
    assert.deepEqual([declared.seeds, declared.councils.length, declared.rulesets.length], [
      "panel",
      councils,
      rulesets,
    ]);
    assert.equal((await stationCouncils(declared.councils, env)).length, councils);
  });
}

for (const [name, nearest] of [["station-flor", "station-floor"], ["toString", "station-"]]) {
  Deno.test(`there is no station experiment ${name}: exit code 2, with the nearest`, async () => {
    const error = await userErrorOf(loadStationExperiment(name!));
    assert.match(error.message, new RegExp(`^unknown station experiment "${name}": did you mean ${nearest}`));
    assert.equal(error.exitCode, 2);
  });
}

Deno.test("an experiment may give each role its own model or persona; a role without one is named", () => {
  const declare = (models: unknown) =>
    Experiments.safeParse({
      ...{ schema: "experiments/1", experiments: {} },
      station: {
        "station-mixed": {
          title: "t",
          shows: "s",
          seeds: [1],
          rulesets: ["v2"],
          councils: [{ label: "mixed", models }],
        },
      },
    });
  assert.ok(declare({ default: "a/one", C1_COMMAND: "b/two" }).success);
  assert.ok(declare("a/one").success);
  assert.ok(!declare({ C1_COMMAND: "b/two" }).success, "five roles have no model");
  assert.ok(!declare({ default: "a/one", C9_OTHER: "b/two" }).success);
});

const entries = async (folder: string) => (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();

/** Every file below a folder with its text. */
async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) Object.assign(found, await contents(path));
    else found[path] = await Deno.readTextFile(path);
  }
  return found;
}

Deno.test("several rulesets stand in folders of their own", async () => {
  await withFiles({}, async (folder) => {
    const { rulesets } = await loadStationExperiment("station-dialect");
    const councils = await stationCouncils(["dialect"], env);
    const { runs } = await runStationBatch({ seeds: [2], rulesets }, { out: `${folder}/out`, councils });
    const names = ["schema-hidden-normaliser", "schema-shown-strict", "v1", "v2"];
    assert.deepEqual(await entries(`${folder}/out`), names);
    for (const name of names) {
      assert.deepEqual(await entries(`${folder}/out/${name}`), ["MANIFEST.tsv", "dialect_seed2", "seed_cards"]);
      const { summaries } = await listedStations(`${folder}/out/${name}`);
      assert.deepEqual(summaries.map(({ ruleset }) => ruleset.replaceAll(/\W+/g, "-")), [name]);
    }
    assert.deepEqual(runs.map(({ summary }) => summary.ruleset), [
      "v1",
      "schema shown, strict",
      "schema hidden, normaliser",
      "v2",
    ]);
  });
});

const strays = { seeds: [3, 4], rulesets: ["v2"] } as const;

Deno.test("councils run on seeds into one folder, and not a second time", async () => {
  await withFiles({}, async (folder) => {
    let done = 0;
    const councils = await stationCouncils(["silent", "garbling", "chaser"], env);
    const options = { out: `${folder}/out`, councils, onRun: () => void done++ };
    const { runs: first } = await runStationBatch(strays, options);
    assert.equal(done, 6);
    assert.deepEqual(
      first.map(({ runId }) => runId),
      ["silent", "garbling", "chaser"].flatMap((name) => [`${name}_seed3`, `${name}_seed4`]),
    );
    assert.deepEqual(await entries(`${folder}/out`), [
      "MANIFEST.tsv",
      ...[...first.map(({ runId }) => runId), "seed_cards"].sort(),
    ]);
    assert.ok(first.every(({ found }) => found === 0));
    const written = await contents(folder);
    const { runs: again } = await runStationBatch(strays, options);
    assert.deepEqual(again.map(({ found }) => found), first.map(({ events }) => events.length));
    assert.deepEqual(again.map(({ summary }) => summary), first.map(({ summary }) => summary));
    assert.deepEqual(await contents(folder), written);
  });
});

Deno.test("fault 24: stopped between two runs a batch keeps the first and goes on from there", async () => {
  await withFiles({}, async (folder) => {
    const stop = new AbortController();
    const plan = { seeds: [3, 4, 5], rulesets: ["v2"] } as const;
    const options = { out: `${folder}/out`, councils: await stationCouncils(["none"], env) };
    const onRun = () => stop.abort(new Error("enough"));
    await assert.rejects(runStationBatch(plan, { ...options, signal: stop.signal, onRun }), /enough/);
    assert.equal((await listedStations(`${folder}/out`)).summaries.length, 1);
    const { runs } = await runStationBatch(plan, options);
    assert.ok(runs[0]!.found > 0 && runs.at(-1)!.found === 0);
    assert.deepEqual((await listedStations(`${folder}/out`)).summaries.map(({ seed }) => seed), [3, 4, 5]);
  });
});
