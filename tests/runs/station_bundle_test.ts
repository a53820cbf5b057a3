import assert from "node:assert/strict";
import { strFromU8, unzipSync } from "fflate";
import { qualityOfSurvival, type RawValues } from "@/quality/quality_of_survival.ts";
import { NAMED_WEIGHTS } from "@/quality/weights.ts";
import { readStationCalls, readStationLog } from "@/station/station_files.ts";
import { runStationBatch } from "@/live/station_batch.ts";
import { exportBundle, formulaText } from "@/runs/station_bundle.ts";
import { quoteTable } from "@/runs/station_quotes.ts";
import type { StationSummary } from "@/schema/station_summary.ts";
import { RULES } from "@/station/rules.ts";
import { weather } from "@/station/weather.ts";
import { NON_USE } from "@/schema/quality_names.ts";
import { council, named } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";
import { clamp01 } from "@/core/numbers.ts";

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

/** The formula as its text gives it. The text is this library's own, so it may be evaluated. */
function byText(raw: Record<string, number>): number {
  const rows = [...formulaText().matchAll(/^\| (\w+) \| (\d\.\d\d) \| ([^;|]+)/gm)];
  assert.equal(rows.length, 9);
  return rows.reduce((q, [, , weight, definition]) => {
    const value = new Function("clamp", ...Object.keys(raw), `return ${definition}`)(clamp01, ...Object.values(raw));
    return q + Number(weight) * value;
  }, 0);
}

const raw = {
  plan_executability: 0.9,
  public_order: 0.6,
  info_integrity: 0.7,
  trust: 0.55,
  time_to_first_pass: 3,
  passed_count: 2,
  active_rumors: 3,
  scandal_load: 1.5,
  coalition_edges: 5,
  raw_validity: 0.8,
  norm_dependency: 0.5,
};

Deno.test("the formula as published in words gives the q that the library computes", () => {
  for (
    const change of [{}, { public_order: 0.2 }, { trust: 1, passed_count: 6 }, { scandal_load: 20 }, {
      raw_validity: 0,
    }]
  ) {
    const values = { ...raw, ...change };
    const { q } = qualityOfSurvival({ ...values as RawValues, stabilized: true });
    assert.ok(Math.abs(byText(values) - q!) < 1e-12, JSON.stringify(change));
  }
});
