import assert from "node:assert/strict";
import { loadStationExperiment, runStationExperiment, stationPlan } from "@/runs/run_station_experiment.ts";
import { readStationBatch } from "@/runs/station_batch.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const env = new Map<string, string>();

const PLANS = [
  ["station-floor", 1, 1, 6],
  ["station-personas", 5, 1, 30],
  ["station-dialect", 1, 4, 24],
  ["station-strays", 3, 1, 18],
] as const;

for (const [name, councils, rulesets, runs] of PLANS) {
  Deno.test(`stationPlan() of ${name} comes to ${runs} runs on the panel`, async () => {
    const plan = stationPlan(await loadStationExperiment(name));
    assert.deepEqual(plan.seeds, [104, 108, 109, 110, 111, 112]);
    assert.deepEqual([plan.councils.length, plan.rulesets.length, plan.runs], [councils, rulesets, runs]);
  });
}

Deno.test("stationPlan() goes by what it is given instead of the experiment's own", async () => {
  const personas = await loadStationExperiment("station-personas");
  const seven = stationPlan(personas, { seeds: [7] });
  assert.deepEqual([seven.seeds, seven.councils, seven.runs], [[7], personas.councils, 5]);
  const silent = stationPlan(personas, { seeds: [7, 8], council: "silent" });
  assert.deepEqual([silent.seeds, silent.councils, silent.runs], [[7, 8], ["silent"], 2]);
  const declared = stationPlan({ ...personas, seeds: [1, 2, 3] });
  assert.deepEqual([declared.seeds, declared.runs], [[1, 2, 3], 15]);
  assert.equal(stationPlan({ ...personas, seeds: "heldOut" }).runs, 1000);
});

for (const [name, nearest] of [["station-flor", "station-floor"], ["toString", "station-"]]) {
  Deno.test(`there is no station experiment ${name}: exit code 2, with the nearest`, async () => {
    const error = await userErrorOf(loadStationExperiment(name!));
    assert.match(error.message, new RegExp(`^unknown station experiment "${name}": did you mean ${nearest}`));
    assert.equal(error.exitCode, 2);
    assert.deepEqual(await userErrorOf(runStationExperiment(name!, { out: "/nowhere", env })), error);
  });
}

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

Deno.test("runStationExperiment() puts several rulesets into folders of their own", async () => {
  await withFiles({}, async (folder) => {
    const runs = await runStationExperiment("station-dialect", { out: `${folder}/out`, seeds: [2], env });
    const names = ["schema-hidden-normaliser", "schema-shown-strict", "v1", "v2"];
    assert.deepEqual(await entries(`${folder}/out`), names);
    for (const name of names) {
      assert.deepEqual(await entries(`${folder}/out/${name}`), ["MANIFEST.tsv", "dialect_seed2"]);
      const { summaries } = await readStationBatch(`${folder}/out/${name}`);
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

Deno.test("runStationExperiment() runs councils by seeds into one folder, and not a second time", async () => {
  await withFiles({}, async (folder) => {
    let done = 0;
    const options = { out: `${folder}/out`, seeds: [3, 4], env, onRun: () => void done++ };
    const first = await runStationExperiment("station-strays", options);
    assert.equal(done, 6);
    assert.deepEqual(
      first.map(({ runId }) => runId),
      ["silent", "garbling", "chaser"].flatMap((name) => [`${name}_seed3`, `${name}_seed4`]),
    );
    assert.deepEqual(await entries(`${folder}/out`), ["MANIFEST.tsv", ...first.map(({ runId }) => runId).sort()]);
    assert.ok(first.every(({ found }) => found === 0));
    const written = await contents(folder);
    const again = await runStationExperiment("station-strays", options);
    assert.deepEqual(again.map(({ found }) => found), first.map(({ events }) => events.length));
    assert.deepEqual(again.map(({ summary }) => summary), first.map(({ summary }) => summary));
    assert.deepEqual(await contents(folder), written);
  });
});

Deno.test("runStationExperiment() knows its councils before it writes anything", async () => {
  await withFiles({}, async (folder) => {
    const options = { out: `${folder}/out`, seeds: [3], env };
    const error = await userErrorOf(runStationExperiment("station-floor", { ...options, council: "nobody" }));
    assert.equal(error.exitCode, 2);
    const live = await userErrorOf(runStationExperiment("station-floor", { ...options, council: "live:m" }));
    assert.match(live.message, /OPENAI_API_KEY/);
    assert.deepEqual(await entries(folder), []);
  });
});

Deno.test("runStationExperiment() stopped between two runs keeps the first and goes on from there", async () => {
  await withFiles({}, async (folder) => {
    const stop = new AbortController();
    const options = { out: `${folder}/out`, seeds: [3, 4, 5], env };
    const onRun = () => stop.abort(new Error("enough"));
    await assert.rejects(runStationExperiment("station-floor", { ...options, signal: stop.signal, onRun }), /enough/);
    assert.equal((await readStationBatch(`${folder}/out`)).summaries.length, 1);
    const runs = await runStationExperiment("station-floor", options);
    assert.ok(runs[0]!.found > 0 && runs.at(-1)!.found === 0);
    assert.deepEqual((await readStationBatch(`${folder}/out`)).summaries.map(({ seed }) => seed), [3, 4, 5]);
  });
});
