import assert from "node:assert/strict";
import { loadStationExperiment, readStationBatch, runStationBatch } from "@/runs/station_batch.ts";
import { stationCouncils } from "@/runs/station_council.ts";
import { Experiments } from "@/schema/experiments.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

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
    assert.equal((await readStationBatch(`${folder}/out`)).summaries.length, 1);
    const { runs } = await runStationBatch(plan, options);
    assert.ok(runs[0]!.found > 0 && runs.at(-1)!.found === 0);
    assert.deepEqual((await readStationBatch(`${folder}/out`)).summaries.map(({ seed }) => seed), [3, 4, 5]);
  });
});
