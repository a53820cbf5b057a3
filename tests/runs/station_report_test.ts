import assert from "node:assert/strict";
import { aggregateStation, batchReport, councilRows, runRows } from "@/runs/station_report.ts";
import type { StationSummary } from "@/schema/station_summary.ts";
import { NON_USE } from "@/schema/quality_names.ts";
import { runStation } from "@/station/run_station.ts";
import { summarise } from "@/station/summary.ts";

const labels = { runId: "none_seed104", model: "none", synthetic: true, made: { library: "1", deno: "1" } };
const base = summarise(await Array.fromAsync(runStation({ seed: 104, ruleset: "v2", council: "none" })), labels);
const made = (change: Partial<StationSummary>): StationSummary => ({ ...base, ...change });
const acted = { model_actions: 36, fallback_actions: 0, fallback_reasons: {} };

const summaries = [
  made({ seed: 104, q: 0.7 }),
  made({ seed: 108, q: 0.6, model: "silent", classification: "BENCHMARK_BRITTLE" }),
  made({ seed: 104, q: 0.9, model: "zeta", synthetic: false, classification: "BENCHMARK_STRONG", ...acted }),
  made({ seed: 108, q: 0.8, model: "zeta", synthetic: false, ...acted, model_actions: 27, fallback_actions: 9 }),
  made({ seed: 109, q: 0.5, model: "alpha", stabilized: false, classification: "FAILED_NO_VALID_PLAN", ...acted }),
];

Deno.test("aggregates are those worked out by hand", () => {
  const { councils, floor, fallbackShare } = aggregateStation(summaries);
  assert.deepEqual(councils.map(({ council, runs, stabilized }) => [council, runs, stabilized]), [["alpha", 1, 0], [
    "zeta",
    2,
    2,
  ]]);
  const zeta = councils[1]!;
  // Mean and median of 0.9 and 0.8; sample SD 0.1/√2; above the floor by 0.9 − 0.7 and 0.8 − 0.6.
  assert.ok(Math.abs(zeta.q_mean - 0.85) < 1e-12 && Math.abs(zeta.q_median - 0.85) < 1e-12);
  assert.ok(Math.abs(zeta.q_sd! - 0.1 / Math.SQRT2) < 1e-12);
  assert.ok(Math.abs(zeta.q_above_floor! - 0.2) < 1e-12);
  assert.equal(zeta.seeds_shared_with_floor, 2);
  assert.equal(zeta.fallback_share, 9 / 72);
  assert.equal(fallbackShare, (36 + 36 + 9) / 180);
  assert.equal(councils[0]!.q_sd, undefined);
  assert.equal(councils[0]!.q_above_floor, undefined);
  assert.deepEqual([floor!.runs, floor!.q_mean.toFixed(3)], [2, "0.650"]);
});

Deno.test("a run in which no program acted counts as the floor, whatever its label", () => {
  const { floor, councils } = aggregateStation(summaries);
  assert.deepEqual(floor!.summaries.map(({ model }) => model), ["none", "silent"]);
  assert.ok(councils.every(({ summaries }) => summaries.every(({ model_actions }) => model_actions > 0)));
  assert.match(batchReport(summaries), /Labels of these runs: “none”, “silent”/);
});

Deno.test("fault 21: a run whose models filled no slot is counted and listed apart, in no mean, no class and no floor", () => {
  // The second is a file of an older version, which classed it.
  const lost = [
    made({ run_id: "zeta_seed104", seed: 104, q: 0.1, model: "zeta", synthetic: false, classification: "UNGOVERNED" }),
    made({
      run_id: "zeta_seed109",
      seed: 109,
      q: 0.2,
      model: "zeta",
      synthetic: false,
      classification: "BENCHMARK_BRITTLE",
    }),
  ];
  const [without, whole] = [aggregateStation(summaries), aggregateStation([...summaries, ...lost])];
  assert.deepEqual({ ...whole, ungoverned: [], fallbackShare: without.fallbackShare }, without);
  assert.equal(whole.fallbackShare, (36 + 36 + 9 + 36 + 36) / 252);
  assert.deepEqual(whole.ungoverned, lost);
  const rows = councilRows(whole);
  assert.deepEqual(rows.slice(0, -1), councilRows(without));
  assert.deepEqual(rows.at(-1), { council: "zeta", ruleset: "v2", synthetic: false, runs: 2, UNGOVERNED: 2 });
  const report = batchReport([...summaries, ...lost]);
  assert.match(report, /\*\*Ungoverned:\*\* in 2 runs of “zeta” no slot was filled by the model\./);
  for (const { run_id } of lost) {
    const id = run_id.replaceAll("_", "\\\\_");
    assert.match(report, new RegExp(`\\| ${id} \\| \\d+ \\| – \\| ungoverned: no slot was filled by the model \\|`));
  }
  assert.deepEqual(runRows(lost).map(({ q, model_actions }) => [q, model_actions]), [[undefined, 0], [undefined, 0]]);
  assert.match(batchReport(lost), /No council acted in any of these runs/);
});

Deno.test("the report opens with fallback share, floor and non-use, and orders councils by name", () => {
  const report = batchReport(summaries);
  const order = [
    "**Fallback share: 45.0 %**",
    "**No-model floor:**",
    NON_USE,
    "## Councils",
    "| alpha ",
    "| zeta ",
    "## Seeds",
  ];
  const places = order.map((part) => report.indexOf(part));
  assert.ok(places.every((place) => place >= 0), String(places));
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  assert.match(report, /\| zeta \| v2 \| 2\/2 \| 0\.850 \| 0\.071 \| 0\.850 \| \+0\.200 \(2 seeds\) \| 12\.5 % \|/);
  assert.match(report, /\| alpha \(\*synthetic\*\) \| v2 \| 0\/1 \| 0\.500 \| – \| 0\.500 \| – \| 0\.0 % \|/);
});

Deno.test("without a run without a model the floor is said to be unknown, not zero", () => {
  const report = batchReport(summaries.slice(2));
  assert.match(report, /\*\*No-model floor:\*\* not known/);
  assert.doesNotMatch(report, /floor:\*\* 0/);
  assert.equal(councilRows(aggregateStation(summaries.slice(2)))[0]!.q_above_floor, undefined);
});

Deno.test("floor runs alone make a report too; no run makes none", () => {
  assert.match(batchReport(summaries.slice(0, 1)), /No council acted in any of these runs/);
  assert.throws(() => batchReport([]), RangeError);
});

Deno.test("fault 47: a hostile label is inert in the report", () => {
  const report = batchReport([made({ model: "x|<b>[y](http://e.example)", ...acted })]);
  assert.match(report, /\| x\\\|\\<b\\>\\\[y\\\]\(http\\:/);
});
