import assert from "node:assert/strict";
import { loadPublishedRows, publishedStationRows } from "@/paper/published_rows.ts";
import { loadCleanLiveRuns, loadModelResults, loadNoModelRuns } from "@/paper/published_station.ts";
import { classMix, groupByLabel, meanComponents, orderCounts, orderGroups, sweepShares } from "@/paper/weight_study.ts";
import {
  advantageWords,
  boundsGroups,
  moveWords,
  orderWords,
  pairCells,
  sweepPanelData,
  thresholdPanels,
  weightChangeWords,
  wordsOf,
} from "@/paper/weight_words.ts";
import { meanScores, preservedScores, publishedScores } from "@/quality/scores.ts";
import { classShares, pairShares } from "@/quality/shares.ts";
import { PUBLISHED_WEIGHTS } from "@/quality/weights.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";

const rows = publishedStationRows(await loadPublishedRows());
const scores = publishedScores(rows);
const families = orderGroups(groupByLabel(rows.map(({ family }) => family)), scores);
const at = (q: number) => ({ low: q, high: q });

Deno.test("the 36 published rows: 30 clean-live and 6 without a model, whose order is the margin above 0.35", () => {
  assert.equal(rows.length, 36);
  const gemini = rows.find(({ label }) => label === "Gemini-2.5-Pro 104")!;
  assert.deepEqual([gemini.stabilized, gemini.passedCount, gemini.time_to_first_pass], [false, 0, null]);
  const none = rows.find(({ label }) => label === "no model 104")!;
  assert.deepEqual([none.public_order, none.active_rumors, none.stabilized], [0.659, 1, true]);
  assert.ok(!("passed_count" in none) && !("time_to_first_pass" in none), "not published is not known");
});

Deno.test("families under the published weights have the means of Table 6, in its order", async () => {
  const means = meanScores(scores, families.map(({ runs }) => runs))(PUBLISHED_WEIGHTS);
  const table = await loadModelResults();
  for (const { model, mean_q } of table) {
    const bounds = means[families.findIndex(({ label }) => label === model)]!;
    assert.ok(bounds.low - 0.0005 <= mean_q! && mean_q! <= bounds.high + 0.0005, model);
  }
  const printed = table.toSorted((a, b) => b.mean_q! - a.mean_q!).map(({ model }) => model);
  assert.deepEqual(families.map(({ label }) => label), [...printed, "no model"]);
});

Deno.test("order counts: pairs that were level have no order to keep", () => {
  const before = [at(0.9), at(0.8), at(0.7), at(0.7)];
  assert.deepEqual(orderCounts(before, before), { decided: 5, kept: 5, undecided: 0, reversed: 0 });
  const after = [at(0.5), at(0.6), { low: 0.4, high: 0.55 }, at(0.1)];
  // 0-1 turned, 0-2 open, 0-3, 1-2 and 1-3 kept.
  assert.deepEqual(orderCounts(before, after), { decided: 5, kept: 3, undecided: 1, reversed: 1 });
});

const plain = (value: number, changed: Partial<Record<typeof COMPONENTS[number], number>> = {}) => ({
  components: { ...Object.fromEntries(COMPONENTS.map((name) => [name, value])), ...changed },
});

Deno.test("a sweep of one component crosses where the algebra says, and τ falls there", () => {
  // b is ahead by 0.1 but in trust behind by 0.4: level at a share of 0.1 / (0.1 + 0.4) = 0.2.
  const both = preservedScores([plain(0.5, { trust: 0.8 }), plain(0.6, { trust: 0.4 })]);
  const steps = sweepShares(both, { components: ["trust"], shares: [0, 0.1, 0.19, 0.21, 1] });
  assert.deepEqual(steps.map(({ ranks }) => ranks[1]!.best), [1, 1, 1, 2, 2]);
  assert.deepEqual(steps.map(({ tau }) => tau), [1, 1, 1, -1, -1]);
  assert.deepEqual(steps[4]!.scores.map(({ low }) => low), [0.8, 0.4]);
  assert.deepEqual(sweepShares(both).length, 9 * 11);
});

Deno.test("where only bounds are known there is no τ", () => {
  const [step] = sweepShares(scores, { components: ["coalition"], shares: [0.5] });
  assert.ok(!("tau" in step!));
  assert.ok(step!.orders.undecided > 0);
});

Deno.test("mean components score the mean score; a missing one is refused", () => {
  const runs = [plain(0.2, { trust: 1 }), plain(0.6, { coalition: 0 })];
  const [mean] = preservedScores([{ components: meanComponents(runs) }])(PUBLISHED_WEIGHTS);
  const [expected] = meanScores(preservedScores(runs), [[0, 1]])(PUBLISHED_WEIGHTS);
  assert.ok(Math.abs(mean!.low - expected!.low) < 1e-12);
  const { trust: _, ...eight } = runs[0]!.components;
  assert.throws(() => meanComponents([{ components: eight }]), /^RangeError: run 0 lacks the component trust/);
  assert.throws(() => meanComponents([]), /^RangeError: there are no runs/);
});

Deno.test("class mixes are means over a group's runs", () => {
  const saved = { stabilized: true };
  const shares = classShares([[at(0.9), at(0.75), at(0.5)], [at(0.9), at(0.9), at(0.5)]], [saved, saved, saved]);
  const [first, second] = classMix(groupByLabel(["a", "a", "b"]), shares);
  assert.deepEqual([first!.label, first!.shares.BENCHMARK_STRONG, first!.shares.BENCHMARK_ADEQUATE], ["a", 0.75, 0.25]);
  assert.deepEqual([second!.label, second!.shares.BENCHMARK_BRITTLE], ["b", 1]);
});

Deno.test("what figures get: classes of Table 11, both directions of a pair, panels by component", () => {
  const groups = boundsGroups(rows, scores(PUBLISHED_WEIGHTS));
  assert.deepEqual(groups.map(({ rows }) => rows.length), [6, 6, 6, 6, 6, 6]);
  assert.deepEqual(groups[2]!.rows[0], {
    ...{ label: "Gemini-2.5-Pro 104", published: 0.659, note: "failed no valid plan" },
    ...{ low: groups[2]!.rows[0]!.low, high: groups[2]!.rows[0]!.high },
  });
  const cells = pairCells(["a", "b"], pairShares([at(0.5), at(0.9)], [[at(0.5), at(0.9)], [at(0.5), at(0.5)]]));
  assert.deepEqual(cells, [
    { row: "a", column: "b", above: 0, undecided: 0.5, published: false },
    { row: "b", column: "a", above: 0.5, undecided: 0.5, published: true },
  ]);
  const steps = sweepShares(preservedScores([plain(0.5), plain(0.6)]), { components: ["trust"], shares: [0, 0.5] });
  const [panel] = sweepPanelData(["a", "b"], steps, "ranks");
  assert.deepEqual([panel!.title, panel!.published], ["trust", 0.1]);
  assert.deepEqual(panel!.series[0]!.points, [{ x: 0, low: 2, high: 2 }, { x: 0.5, low: 2, high: 2 }]);
});

Deno.test("thresholds: at the published ones the classes of Tables 8 and 11, every run counted at each", async () => {
  const panels = thresholdPanels(scores(PUBLISHED_WEIGHTS), rows);
  const printed = [...await loadCleanLiveRuns(), ...await loadNoModelRuns()]
    .map((run) => ("class" in run ? run.class : run.classification));
  for (const { steps, published } of panels) {
    const { counts } = steps.find(({ threshold }) => threshold === published)!;
    for (const [name, count] of Object.entries(counts)) {
      assert.equal(count, printed.filter((printedClass) => printedClass === name).length, name);
    }
    for (const { counts } of steps) assert.equal(Object.values(counts).reduce((sum, count) => sum + count), 36);
  }
  assert.deepEqual(panels.map(({ steps }) => [steps[0]!.threshold, steps.at(-1)!.threshold]), [[0.7, 0.94], [
    0.58,
    0.82,
  ]]);
  // Exactly on a printed q, which may be half a thousandth less.
  assert.equal(panels[0]!.steps.find(({ threshold }) => threshold === 0.84)!.counts.undecided, 1);
});

Deno.test("words for moves, changes, orders and advantages", () => {
  assert.equal(wordsOf("BENCHMARK_STRONG"), "strong");
  assert.equal(moveWords({ from: "trust", to: "time_to_pass", moved: 0.0512 }), "0.051 from trust to time to pass");
  assert.equal(moveWords(undefined), undefined);
  assert.equal(weightChangeWords({ trust: 1 }, { trust: 0.75, coalition: 0.25 }), "trust −0.250, coalition +0.250");
  assert.equal(weightChangeWords({ trust: 1 }, { trust: 1 }), undefined);
  const pairs = pairShares([at(3), at(2), at(1)], [[at(2), at(3), at(1)]]);
  assert.deepEqual(orderWords(["a", "b", "c"], pairs), { kept: ["a > c", "b > c"], reversed: ["b > a"] });
  assert.equal(advantageWords({ label: "q", value: -1.234, low: -2, high: 0.5 }), "−1.23 [−2.00, 0.50]");
  assert.equal(advantageWords({ label: "q", reason: "no-spread" }), "none: no spread");
});
