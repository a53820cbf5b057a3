import assert from "node:assert/strict";
import { loadPublishedRows, type PublishedRun } from "@/paper/published_rows.ts";
import { SEED_SERIES, seedBands, seedMeans } from "@/paper/seed_bands.ts";

const summary = (model: string, seed: number, q: number, stabilized = true) => ({
  ...{ model, seed, q, stabilized, components: { trust: 1 } },
});

const published = (model: string, seed: number, q: number, stabilized = true): PublishedRun => ({
  ...{ name: model, label: model, model, seed, classification: "BENCHMARK_STRONG" },
  source: model === "no model" ? "Table 8" : "Table 11",
  row: { q, stabilized, public_order: 0.9, active_rumors: 0 },
});

Deno.test("seeds in order, a lane for each series that ran on them, failed runs marked", () => {
  const bands = seedBands([published("GLM", 108, 0.9), published("no model", 104, 0.7)], [
    summary("split", 104, 0.6, false),
    summary("triage", 104, 0.9),
    summary("none", 108, 0.7),
  ]);
  assert.deepEqual(bands.map(({ label, lanes }) => [label, lanes.map(({ series }) => series)]), [
    ["seed 104", [SEED_SERIES.floor, SEED_SERIES.surrogates]],
    ["seed 108", [SEED_SERIES.live, SEED_SERIES.ownFloor]],
  ]);
  const surrogates = bands[0]!.lanes[1]!;
  assert.equal(surrogates.mean, 0.75);
  assert.deepEqual(surrogates.runs.map(({ label, failed }) => [label, failed]), [["split", true], ["triage", false]]);
});

Deno.test("Table 7's mean of seed 104, and what it is without the run that failed", async () => {
  const live = seedMeans(await loadPublishedRows(), []).filter(({ series }) => series === SEED_SERIES.live);
  const hard = live.find(({ seed }) => seed === 104)!;
  // 4.084 / 5 and 3.425 / 4.
  assert.ok(Math.abs(hard.mean - 0.8168) < 1e-12 && Math.abs(hard.stabilizedMean! - 0.85625) < 1e-12);
  assert.deepEqual([hard.runs, hard.stabilized], [5, 4]);
});

Deno.test("where none stabilised there is no mean of those that did; runs without seed or q are left out", () => {
  const [only] = seedMeans([], [summary("split", 1, 0.5, false), {
    stabilized: true,
    seed: 1,
    components: { trust: 1 },
  }]);
  assert.deepEqual(only, { seed: 1, series: SEED_SERIES.surrogates, runs: 1, stabilized: 0, mean: 0.5 });
});
