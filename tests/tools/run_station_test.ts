import assert from "node:assert/strict";
import { withFiles } from "../runs/with_files.ts";
import { readStationBatch } from "@/runs/station_batch.ts";
import { StationSummary } from "@/schema/station_summary.ts";
import { assertFailed, outcome } from "./command.ts";

const names = async (folder: string) => (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();

Deno.test("run station-floor --seed 7 makes a batch of one run, prints one JSON line, and does not run it again", async () => {
  await withFiles({}, async (folder) => {
    const args = ["station-floor", "--out", `${folder}/out/`, "--seed", "7", "--summaries", `${folder}/kept.jsonl`];
    const first = await outcome("run", args);
    assert.deepEqual([first.code, first.stderr], [0, ""]);
    const run = `${folder}/out/none_seed7`;
    assert.deepEqual(await names(`${folder}/out`), ["MANIFEST.tsv", "none_seed7"]);
    assert.deepEqual(await names(run), [
      "events.jsonl",
      "final_summary.json",
      "model_calls.jsonl",
      "prime_time_recap.md",
      "sessions.jsonl",
    ]);
    assert.equal(await Deno.readTextFile(`${run}/model_calls.jsonl`), "");
    const summary = StationSummary.parse(JSON.parse(await Deno.readTextFile(`${run}/final_summary.json`)));
    assert.equal(first.stdout.trimEnd().split("\n").length, 1);
    assert.deepEqual(JSON.parse(first.stdout), {
      run: "none_seed7",
      ruleset: "v2",
      synthetic: true,
      fallback_actions: 36,
      stabilized: summary.stabilized,
      q: Math.round(summary.q * 1000) / 1000,
      classification: summary.classification,
      folder: run,
    });
    assert.deepEqual((await readStationBatch(`${folder}/out`)).summaries, [summary]);
    const kept = (await Deno.readTextFile(`${folder}/kept.jsonl`)).trimEnd().split("\n");
    assert.deepEqual(kept.map((line) => JSON.parse(line)), [summary]);
    const sessions = await Deno.readTextFile(`${run}/sessions.jsonl`);
    assert.deepEqual(await outcome("run", args), first);
    assert.equal(await Deno.readTextFile(`${run}/sessions.jsonl`), sessions);
  });
});

Deno.test("run of a station experiment prints nothing but JSON lines, one a run", async () => {
  await withFiles({}, async (cwd) => {
    const { code, stdout, stderr } = await outcome("run", ["station-strays", "--seed", "8"], { cwd });
    assert.deepEqual([code, stderr], [0, ""]);
    const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ run }) => run), ["silent_seed8", "garbling_seed8", "chaser_seed8"]);
    assert.deepEqual(lines.map(({ folder }) => folder), lines.map(({ run }) => `data/out/runs/station-strays/${run}`));
    await Deno.stat(`${cwd}/data/out/runs/station-strays/chaser_seed8/model_calls.jsonl`);
  });
});

Deno.test("run station-… --dry-run prints runs and calls, and writes nothing", async () => {
  await withFiles({}, async (cwd) => {
    const [floor, personas, dialect] = await Promise.all([
      outcome("run", ["station-floor", "--dry-run"], { cwd }),
      outcome("run", ["station-personas", "--dry-run"], { cwd }),
      outcome("run", ["station-dialect", "--dry-run", "--seed", "7"], { cwd }),
    ]);
    for (const { code, stderr } of [floor, personas, dialect]) assert.deepEqual([code, stderr], [0, ""]);
    assert.match(floor.stdout, /^station-floor: 6 runs of none; 0 calls, about 0k prompt /);
    const five = "triage, coalition, auditor, broadcaster, split";
    assert.match(
      personas.stdout,
      new RegExp(`^station-personas: 30 runs of ${five}; 1080 calls, about \\d+k prompt and `),
    );
    assert.match(dialect.stdout, /^station-dialect: 4 runs of dialect; 144 calls, about \d+k prompt and /);
    for (const { stdout } of [floor, personas, dialect]) assert.ok(!stdout.includes("US$"), "nothing is paid");
    assert.deepEqual(await names(cwd), []);
  });
});

Deno.test("run station-… exits with 2 on bad arguments, 1 without a key, and writes nothing", async () => {
  await withFiles({}, async (cwd) => {
    const [unknown, replicates, council, seed, live] = await Promise.all([
      outcome("run", ["station-flor"], { cwd }),
      outcome("run", ["station-floor", "--replicates", "3", "--seed", "7"], { cwd }),
      outcome("run", ["station-floor", "--council", "nobody", "--seed", "7"], { cwd }),
      outcome("run", ["station-floor", "--seed", "seven"], { cwd }),
      outcome("run", ["station-floor", "--council", "live:m", "--seed", "7"], { cwd }),
    ]);
    assertFailed(unknown, 2, /^run: unknown station experiment "station-flor": did you mean station-floor/);
    assertFailed(replicates, 2, /^run: --replicates is not for the station/);
    assertFailed(council, 2, /^run: unknown station council "nobody": did you mean none/);
    assertFailed(seed, 2, /^run: --seed must be a whole number/);
    assert.match(live.stderr, /OPENAI_API_KEY/);
    assert.deepEqual([live.code, live.stdout], [1, ""]);
    assert.deepEqual(await names(cwd), []);
  });
});
