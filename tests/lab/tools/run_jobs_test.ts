import assert from "node:assert/strict";
import { withFiles } from "../runs/with_files.ts";
import { listedStations } from "../live/listed_stations.ts";
import { withLiveEndpoint } from "../runs/live_endpoint.ts";
import { apiKey } from "../../model/endpoint.ts";
import { stationPersona } from "@/model/station/station_persona.ts";
import { readStationFolder } from "@/station/read_station_folder.ts";
import { StationSummary } from "@/schema/station_summary.ts";
import { assertFailed, outcome, quietOutcome } from "./command.ts";
import { weather } from "@/station/weather.ts";

const names = async (folder: string) => (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();

Deno.test("run station-floor --seed 7 makes a batch of one run, prints one JSON line, and does not run it again", async () => {
  await withFiles({}, async (folder) => {
    const args = ["station-floor", "--out", `${folder}/out/`, "--seed", "7", "--summaries", `${folder}/kept.jsonl`];
    const first = await quietOutcome("run", args);
    assert.deepEqual([first.code, first.stderr], [0, ""]);
    const run = `${folder}/out/none_seed7`;
    assert.deepEqual(await names(`${folder}/out`), ["MANIFEST.tsv", "none_seed7", "seed_cards"]);
    const card = await Deno.readTextFile(`${folder}/out/seed_cards/seed7.json`);
    assert.deepEqual(JSON.parse(card), JSON.parse(JSON.stringify(weather(7))));
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
    assert.deepEqual((await listedStations(`${folder}/out`)).summaries, [summary]);
    const kept = (await Deno.readTextFile(`${folder}/kept.jsonl`)).trimEnd().split("\n");
    assert.deepEqual(kept.map((line) => JSON.parse(line)), [summary]);
    const sessions = await Deno.readTextFile(`${run}/sessions.jsonl`);
    assert.deepEqual(await quietOutcome("run", args), first);
    assert.equal(await Deno.readTextFile(`${run}/sessions.jsonl`), sessions);
  });
});

Deno.test("run of a station experiment prints nothing but JSON lines, one a run", async () => {
  await withFiles({}, async (cwd) => {
    const { code, stdout, stderr } = await quietOutcome("run", ["station-strays", "--seed", "8"], { cwd });
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
    const [unknown, replicates, council, seed, live, heat, rounds, reopen] = await Promise.all([
      outcome("run", ["station-flor"], { cwd }),
      outcome("run", ["station-floor", "--replicates", "0", "--seed", "7"], { cwd }),
      outcome("run", ["station-floor", "--council", "nobody", "--seed", "7"], { cwd }),
      outcome("run", ["station-floor", "--seed", "seven"], { cwd }),
      outcome("run", ["station-floor", "--council", "live:m", "--seed", "7"], { cwd }),
      outcome("run", ["station-floor", "--temperature", "0,0.7"], { cwd }),
      outcome("run", ["station-floor", "--rounds", "3"], { cwd }),
      outcome("run", ["two-routes", "--reopen"], { cwd }),
    ]);
    assertFailed(unknown, 2, /^run: unknown station experiment "station-flor": did you mean station-floor/);
    assertFailed(replicates, 2, /^run: --replicates must be a whole number from 1 to 1000000/);
    assertFailed(council, 2, /^run: unknown station council "nobody": did you mean none/);
    assertFailed(seed, 2, /^run: --seed must be a whole number/);
    assertFailed(heat, 2, /^run: --temperature must be a number from 0 to 2, got "0,0.7"/);
    assertFailed(rounds, 2, /^run: station-floor declares its own conditions, so --rounds cannot change it/);
    assertFailed(reopen, 2, /^run: --reopen is for live runs: add --council live/);
    assert.match(live.stderr, /OPENAI_API_KEY/);
    assert.deepEqual([live.code, live.stdout], [1, ""]);
    assert.deepEqual(await names(cwd), []);
  });
});

Deno.test("run station-… --replicates N --temperature T runs each council so often, in folders of their own", async () => {
  await withFiles({}, async (cwd) => {
    const args = [
      "station-strays",
      "--council",
      "C1_COMMAND=silent,default=chaser",
      "--seed",
      "8",
      "--replicates",
      "2",
    ];
    const { code, stdout, stderr } = await quietOutcome("run", [...args, "--temperature", "0.2"], { cwd });
    assert.deepEqual([code, stderr], [0, ""]);
    const folders = stdout.trimEnd().split("\n").map((line) => JSON.parse(line).folder);
    assert.match(folders[0], /\/mixed-[0-9a-f]{8}_seed8$/);
    assert.deepEqual(folders[1], `${folders[0]}_r1`);
    const [first, second] = await Promise.all(folders.map((folder) => readStationFolder(`${cwd}/${folder}`)));
    for (const { header } of [first!, second!]) assert.equal(header.asked!.temperature, 0.2);
    assert.notDeepEqual(
      second!.calls.map(({ request }) => request.seed),
      first!.calls.map(({ request }) => request.seed),
    );
  });
});

/** Every file below a folder with its bytes as text. */
async function contents(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) Object.assign(found, await contents(path));
    else found[path] = await Deno.readTextFile(path);
  }
  return found;
}

Deno.test("fault 32: a live station that the endpoint leaves ends with 1 and its causes; the same command pays for the rest alone", async () => {
  await withFiles({}, async (cwd) => {
    let down = true;
    // The first of eleven asks whether the model can be asked.
    const refuse = (request: number) => down && request > 11 ? new Response("no", { status: 503 }) : undefined;
    await withLiveEndpoint(async ({ baseUrl, keys }) => {
      const env = { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl };
      const args = ["station-personas", "--council", "live:m", "--seed", "104"];
      const first = await outcome("run", [...args, "--patience", "0.2s"], { cwd, env });
      assert.deepEqual([first.code, first.stdout], [1, ""]);
      assert.match(first.stderr, /0 of 1 runs are complete, 1 stay open:\n {2}server: 1, such as m_seed104: .*503/);
      assert.match(first.stderr, /the same command resumes them$/m);
      assert.doesNotMatch(first.stderr, /^\s+at /m);
      const root = `${cwd}/data/live/station-personas/${baseUrl.slice("http://".length).replaceAll(/[^\w.-]+/g, "-")}`;
      const open = await readStationFolder(`${root}/m_seed104`);
      assert.deepEqual([open.calls.length, open.unanswered.length, open.summary], [10, 1, undefined]);
      down = false;
      const before = keys.length;
      const second = await outcome("run", args, { cwd, env });
      assert.equal(second.code, 0, second.stderr);
      assert.equal(keys.length - before, 26, "what was answered is not asked again");
      const { folder, synthetic, fallback_actions } = JSON.parse(second.stdout);
      assert.deepEqual([`${cwd}/${folder}`, synthetic, fallback_actions], [`${root}/m_seed104`, false, 0]);
      // What was paid for stays as it is, whatever is run in the default folders afterwards.
      const paid = await contents(root);
      await outcome("run", ["station-personas", "--seed", "104", "--council", "triage"], { cwd });
      assert.equal((await outcome("run", args, { cwd, env })).code, 0);
      assert.equal(keys.length - before, 26);
      assert.deepEqual(await contents(root), paid);
    }, { refuse, chat: stationPersona("triage") });
  });
});
