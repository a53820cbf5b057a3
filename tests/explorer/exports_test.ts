// @ts-types="@types/d3-dsv"
import { csvParse } from "d3-dsv";
import assert from "node:assert/strict";
import { type ListedRuns, rankingCsv, weightsJson } from "@/explorer/rescore/exports.ts";
import { PUBLISHED_WEIGHTS, unitWeights } from "@/quality/weights.ts";

const listed: ListedRuns = {
  set: "published",
  entries: [
    { label: `=HYPERLINK("x", "y")`, source: "Table 11" },
    { label: "@b", source: "-1+2", synthetic: true },
    { label: "c", source: "Table 8" },
  ],
  ranking: {
    order: [1, 0, 2],
    runs: [
      {
        ...{ q: { low: 0.5, high: 0.75 }, rank: { best: 1, worst: 2 }, change: { kind: "undecided", up: 0, down: 1 } },
        ...{ classes: ["BENCHMARK_BRITTLE", "BENCHMARK_ADEQUATE"], missing: [] },
      },
      {
        ...{ q: { low: 0.8, high: 0.8 }, rank: { best: 1, worst: 1 }, change: { kind: "down", least: 1, most: 3 } },
        ...{ classes: ["BENCHMARK_ADEQUATE"], missing: [] },
      },
      { classes: [], missing: ["trust", "coalition"] },
    ],
  },
};

Deno.test("the ranking is read back by a CSV parser, in its order, formulas disarmed, unknown left empty", () => {
  const rows = csvParse(rankingCsv([listed]));
  assert.deepEqual(rows.map(({ run, source, synthetic }) => [run, source, synthetic]), [
    ["'@b", "'-1+2", "true"],
    [`'=HYPERLINK("x", "y")`, "Table 11", "false"],
    ["c", "Table 8", "false"],
  ]);
  assert.deepEqual(rows.map(({ q_low, q_high, rank_best, rank_worst }) => [q_low, q_high, rank_best, rank_worst]), [
    ["0.8", "0.8", "1", "1"],
    ["0.5", "0.75", "1", "2"],
    ["", "", "", ""],
  ]);
  assert.deepEqual(rows.map(({ rank_statement }) => rank_statement), ["certain", "possible", ""]);
  assert.deepEqual(rows.map(({ change, change_least, change_most }) => [change, change_least, change_most]), [
    ["down", "-3", "-1"],
    ["undecided", "-1", "0"],
    ["", "", ""],
  ]);
  assert.equal(rows[1]!.classes, "BENCHMARK_BRITTLE or BENCHMARK_ADEQUATE");
  assert.equal(rows[2]!.missing, "trust coalition");
});

Deno.test("the weights file holds nine weights that sum to 1, which a re-scoring takes", () => {
  const weights = JSON.parse(weightsJson({ ...PUBLISHED_WEIGHTS, trust: 0.6 }));
  assert.equal(unitWeights(weights), weights);
  assert.ok(Math.abs(weights.trust - 0.4) < 1e-12);
  assert.deepEqual(JSON.parse(weightsJson(PUBLISHED_WEIGHTS)), PUBLISHED_WEIGHTS);
});
