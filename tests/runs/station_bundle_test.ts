import { strFromU8, unzipSync } from "fflate";
import assert from "node:assert/strict";
import { qualityOfSurvival } from "@/quality/quality_of_survival.ts";
import { NAMED_WEIGHTS } from "@/quality/weights.ts";
import { readStationCalls, readStationLog } from "@/runs/read_station_run.ts";
import { runStationBatch } from "@/runs/station_batch.ts";
import { exportBundle } from "@/runs/station_bundle.ts";
import { quoteTable } from "@/runs/station_quotes.ts";
import type { StationSummary } from "@/schema/station_summary.ts";
import { RULES } from "@/station/rules.ts";
import { weather } from "@/station/weather.ts";
import { NON_USE } from "@/schema/quality_names.ts";
import { council, named } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const councils = [
  named("room", council()),
  named("none", "none"),
];
const withBatch = (use: (root: string, out: string) => Promise<void>) =>
  withFiles({}, async (folder) => {
    await runStationBatch({ seeds: [104, 109], rulesets: ["v2"] }, { out: `${folder}/batch`, councils });
    await use(`${folder}/batch`, folder);
  });

const unzip = async (path: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(unzipSync(await Deno.readFile(path))).map(([name, bytes]) => [name, strFromU8(bytes)]),
  );

Deno.test("a bundle holds report, tables, summaries, formula, manifest and verified quotations", async () => {
  await withBatch(async (root, out) => {
    const quotes = await quoteTable([{ run: "room_seed109", excerpt: "C3_ENGINEER is for it." }], root);
    const names = await exportBundle(root, `${out}/b.zip`, { quotes });
    const files = await unzip(`${out}/b.zip`);
    assert.deepEqual(Object.keys(files), names);
    assert.deepEqual(names, [
      "MANIFEST.tsv",
      "README.md",
      "formula.md",
      "quotes.csv",
      "quotes.json",
      "report.md",
      "seed_cards/seed104.json",
      "seed_cards/seed109.json",
      "summaries/none_seed104.json",
      "summaries/none_seed109.json",
      "summaries/room_seed104.json",
      "summaries/room_seed109.json",
      "tables/councils.csv",
      "tables/runs.csv",
      "tables/seeds.csv",
      "tables/sensitivity.csv",
    ]);
    assert.equal(files["MANIFEST.tsv"], await Deno.readTextFile(`${root}/MANIFEST.tsv`));
    for (const seed of [104, 109]) {
      const card = `seed_cards/seed${seed}.json`;
      assert.equal(files[card], await Deno.readTextFile(`${root}/${card}`));
      assert.deepEqual(JSON.parse(files[card]!), weather(seed));
    }
    assert.equal(
      files["summaries/room_seed104.json"],
      await Deno.readTextFile(`${root}/room_seed104/final_summary.json`),
    );
    assert.deepEqual(JSON.parse(files["quotes.json"]!), quotes);
    for (const name of ["README.md", "report.md"]) assert.ok(files[name]!.includes(NON_USE), name);
    const sensitivity = files["tables/sensitivity.csv"]!.trimEnd().split("\n").map((line) => line.split(","));
    assert.equal(sensitivity.length, 1 + 2 * Object.keys(NAMED_WEIGHTS).length);
    const q = ["room_seed104", "room_seed109"].map((run) => JSON.parse(files[`summaries/${run}.json`]!).q);
    const [head, ...rows] = sensitivity;
    const row = rows.find(([weighting, council]) => weighting === "published" && council === "room")!;
    assert.ok(Math.abs(Number(row[head!.indexOf("q_mean")]) - (q[0] + q[1]) / 2) < 1e-12);
    assert.equal(files["tables/runs.csv"]!.trimEnd().split("\n").length, 1 + 4);
  });
});

Deno.test("q and class can be recomputed from the summaries in the bundle", async () => {
  await withBatch(async (root, out) => {
    const names = await exportBundle(root, `${out}/b.zip`);
    const files = await unzip(`${out}/b.zip`);
    for (const name of names.filter((name) => name.startsWith("summaries/"))) {
      const summary: StationSummary = JSON.parse(files[name]!);
      const { q, classification } = qualityOfSurvival(summary);
      assert.deepEqual([q, classification], [summary.q, summary.classification]);
    }
  });
});

Deno.test("a bundle holds no raw traces: no statement, prompt, reply or recap, and shocks on seed cards alone", async () => {
  await withBatch(async (root, out) => {
    const names = await exportBundle(root, `${out}/b.zip`);
    const files = Object.entries(await unzip(`${out}/b.zip`));
    const all = files.flatMap(([name, text]) => name.startsWith("seed_cards/") ? [] : [text]).join("\n");
    assert.ok(names.every((name) => !/jsonl|recap|sessions/.test(name)), names.join());
    for (const run of ["room_seed104", "room_seed109", "none_seed109"]) {
      const { events } = await readStationLog(`${root}/${run}/events.jsonl`);
      const { calls } = await readStationCalls(`${root}/${run}/model_calls.jsonl`);
      const traces = [
        ...events.flatMap((event) =>
          event.kind === "action.taken"
            ? [event.statement ?? [], event.filing?.text ?? []].flat()
            : event.kind === "shock.struck"
            ? [event.shock.text]
            : event.kind === "bot.acted"
            ? [event.text]
            : []
        ),
        ...calls.flatMap(({ request, reply }) => [...request.messages.map(({ content }) => content), reply!.text]),
        RULES.texts.consolidate,
      ];
      assert.ok(traces.length > 30);
      for (const trace of traces) assert.ok(!all.includes(trace), trace.slice(0, 100));
    }
  });
});

Deno.test("fault 29: equal batches give equal bytes, whatever the clock says", async () => {
  await withBatch(async (root, out) => {
    await exportBundle(root, `${out}/a.zip`);
    await exportBundle(root, `${out}/b.zip`);
    const bytes = await Deno.readFile(`${out}/a.zip`);
    assert.deepEqual(bytes, await Deno.readFile(`${out}/b.zip`));
    // Time and date of the first entry, as zips write them: midnight of 1 January 1980.
    assert.deepEqual([...bytes.slice(10, 14)], [0, 0, 0x21, 0]);
  });
});

Deno.test("no bundle is written of a changed batch, or with a quotation that is not so", async () => {
  await withBatch(async (root, out) => {
    const [quote] = await quoteTable([{ run: "room_seed109", excerpt: "C3_ENGINEER is for it." }], root);
    const quotes = [{ ...quote!, excerpt: "C3_ENGINEER is for it!" }];
    assert.match((await userErrorOf(exportBundle(root, `${out}/b.zip`, { quotes }))).message, /not on that line/);
    await Deno.writeTextFile(`${root}/room_seed104/events.jsonl`, "\n", { append: true });
    assert.match((await userErrorOf(exportBundle(root, `${out}/b.zip`))).message, /another SHA-256/);
    await assert.rejects(Deno.stat(`${out}/b.zip`), Deno.errors.NotFound);
  });
});
