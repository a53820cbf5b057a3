import assert from "node:assert/strict";
import { loadPublishedRows, type PublishedRun } from "@/lab/paper/published_rows.ts";
import { scorePublished } from "@/lab/paper/score_published.ts";
import { PUBLISHED_WEIGHTS } from "@/quality/weights.ts";

const run = (label: string, row: Partial<PublishedRun["row"]>): PublishedRun => ({
  ...{ label, model: label, seed: 7, source: "Table 11", name: `x.csv:${label}`, classification: "BENCHMARK_ADEQUATE" },
  row: { q: 0.713, public_order: 0.525, active_rumors: 2, stabilized: true, ...row },
});

Deno.test("an executability that was not printed may be anything from the gate's threshold on: all classes are open", () => {
  const [score] = scorePublished([run("a", {})], { executability: 1 });
  assert.deepEqual([score!.low, score!.high], [0.58, 1]);
  assert.deepEqual(score!.classifications, ["BENCHMARK_STRONG", "BENCHMARK_ADEQUATE", "BENCHMARK_BRITTLE"]);
  const narrow = scorePublished([run("a", {})], { executability: 1 }, { thresholds: { strong: 0.58, adequate: 0 } });
  assert.deepEqual(narrow[0]!.classifications, ["BENCHMARK_STRONG"]);
});

Deno.test("ranks are certain, possible or undecided by what was printed alone", () => {
  // Order alone counts: (order − 0.35)/0.45 within rounding, so three orders far apart decide, two alike do not.
  const runs = [run("a", { public_order: 0.6 }), run("b", { public_order: 0.5 }), run("c", { public_order: 0.5 })];
  const scores = scorePublished(runs, { public_order: 2 }, { normalise: true });
  assert.deepEqual(scores.map(({ best, worst, statement }) => [best, worst, statement]), [
    [1, 1, "certain"],
    [2, 3, "possible"],
    [2, 3, "possible"],
  ]);
  assert.ok(Math.abs(scores[0]!.low - (0.5995 - 0.35) / 0.45) < 1e-12);
  const [one, two] = scorePublished(runs.slice(1), { public_order: 1 });
  assert.deepEqual([one!.statement, two!.statement], ["undecided", "undecided"]);
});

Deno.test("under the published contract every printed class is among the possible ones; the failure stays one", async () => {
  const scores = scorePublished(await loadPublishedRows(), PUBLISHED_WEIGHTS);
  assert.equal(scores.length, 36);
  for (const { label, classification, classifications } of scores) {
    assert.ok(classifications.includes(classification), label);
  }
  const failed = scorePublished(await loadPublishedRows(), { public_order: 1 }).filter(({ classifications }) =>
    classifications.includes("FAILED_NO_VALID_PLAN")
  );
  assert.deepEqual(failed.map(({ label, classifications }) => [label, classifications.length]), [
    ["Gemini-2.5-Pro 104", 1],
  ]);
});

Deno.test("a row that contradicts itself is named by file, line and run; bad weights are the caller's mistake", () => {
  const impossible = { ...run("a", { q: 0.99, public_order: 0.1 }), name: "x.csv:2" };
  assert.throws(
    () => scorePublished([impossible], { trust: 1 }),
    /^UserError: x\.csv:2: a: the published values contradict each other: q is 0\.99/,
  );
  assert.throws(() => scorePublished([], { trust: 2 }), /^RangeError: the weights sum to 2, not 1/);
});
