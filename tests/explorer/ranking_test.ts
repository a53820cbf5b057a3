import assert from "node:assert/strict";
import type { OwnEntry, PublishedEntry } from "@/explorer/rescore/data.ts";
import { ownRanker, publishedRanker } from "@/explorer/rescore/ranking.ts";
import { type ExplorerState, PUBLISHED_STATE, withNamed, withThreshold, withWeight } from "@/explorer/rescore/state.ts";
import { loadPublishedRows } from "@/paper/published_rows.ts";
import { rankBounds } from "@/quality/ranks.ts";
import { rescore } from "@/quality/rescore.ts";
import { rescoreBounds } from "@/quality/rescore_bounds.ts";
import { loadSummaries } from "@/runs/summary_files.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";

const published: PublishedEntry[] = await loadPublishedRows();
const summaries = await loadSummaries("data/preserved/station");
const own = (changes: Partial<OwnEntry> & Pick<OwnEntry, "components">): OwnEntry => ({
  ...{ label: "a", source: "v2", synthetic: true, stabilized: true, passed_count: 1, ...changes },
});
const all = (value: number) => Object.fromEntries(COMPONENTS.map((name) => [name, value]));

/** Only some components count. */
const only = (...names: readonly (typeof COMPONENTS)[number][]): ExplorerState =>
  COMPONENTS.reduce((state, name) => withWeight(state, name, names.includes(name) ? 1 : 0), PUBLISHED_STATE);

Deno.test("under the published weights every run has its printed q and class, and no rank changes", () => {
  const { runs, order } = publishedRanker(published)(PUBLISHED_STATE);
  for (const [i, { row: { q } }] of published.entries()) {
    const { low, high } = runs[i]!.q!;
    assert.ok(low > q - 0.0005 - 1e-9 && low < high && high < q + 0.0005 + 1e-9, `${low} to ${high} for ${q}`);
    assert.equal(runs[i]!.change!.kind, "same");
    assert.equal(runs[i]!.classes.length, 1);
  }
  assert.equal(published[order[0]!]!.label, "MIMO-v2.5 109");
  assert.deepEqual(runs[order[0]!]!.rank, { best: 1, worst: 1, statement: "certain" });
});

Deno.test("under other weights published runs have the bounds and ranks of the library", () => {
  const state = withNamed(PUBLISHED_STATE, "participation-first");
  const { runs, order } = publishedRanker(published)(state);
  const bounds = published.map(({ row }) => rescoreBounds(row, state.weights));
  assert.deepEqual(runs.map(({ q }) => q), bounds);
  assert.deepEqual(runs.map(({ rank }) => rank), rankBounds(bounds));
  const middles = order.map((i) => bounds[i]!.low + bounds[i]!.high);
  assert.deepEqual(middles, middles.toSorted((a, b) => b - a));
});

Deno.test("own runs have the q, ranks and classes of rescore()", () => {
  const entries = summaries.map(({ components, stabilized, passed_count }) =>
    own({ components, stabilized, passed_count })
  );
  const state = withThreshold(withWeight(PUBLISHED_STATE, "coalition", 0.7), "strong", 0.9);
  const { runs } = ownRanker(entries)(state);
  const expected = rescore(summaries, state.weights, { normalise: true, thresholds: state.thresholds });
  for (const [i, { q, rank, classification, old }] of expected.entries()) {
    assert.ok(Math.abs(runs[i]!.q!.low - q!) < 1e-12);
    assert.equal(runs[i]!.rank!.best, rank);
    assert.deepEqual(runs[i]!.classes, [classification]);
    const moved = old.rank! - rank!;
    assert.equal(runs[i]!.change!.kind, moved === 0 ? "same" : moved > 0 ? "up" : "down");
  }
});

Deno.test("a reversed order is marked up and down by as many ranks", () => {
  const entries = [own({ components: { ...all(0), executability: 1 } }), own({ components: { ...all(0), trust: 1 } })];
  const { runs, order } = ownRanker(entries)(only("trust"));
  assert.deepEqual(order, [1, 0]);
  assert.deepEqual(runs.map(({ change }) => change), [
    { kind: "down", least: 1, most: 1 },
    { kind: "up", least: 1, most: 1 },
  ]);
});

Deno.test("fault 41: what lacks a used component is not computable, comes last and takes no rank; unused ones may lack", () => {
  const entries = [own({ components: { trust: 1 } }), own({ components: all(0.5) })];
  const { runs, order } = ownRanker(entries)(only("trust", "coalition"));
  assert.deepEqual([runs[0]!.q, runs[0]!.rank, runs[0]!.change, runs[0]!.missing], [
    ...[undefined, undefined, undefined],
    ["coalition"],
  ]);
  assert.deepEqual(runs[0]!.classes, []);
  assert.deepEqual(runs[1]!.rank, { best: 1, worst: 1, statement: "certain" });
  assert.deepEqual(order, [1, 0]);
  assert.deepEqual(ownRanker(entries)(only("trust")).runs[0]!.q, { low: 1, high: 1 });
});

Deno.test("without any weight nothing has a q, a rank or a class that depends on q", () => {
  const failed = own({ components: all(1), stabilized: false, passed_count: 0 });
  const { runs } = ownRanker([own({ components: all(1) }), failed])(only());
  assert.deepEqual(runs.map(({ q, rank }) => [q, rank]), [[undefined, undefined], [undefined, undefined]]);
  assert.deepEqual(runs.map(({ classes }) => classes), [[], ["FAILED_NO_VALID_PLAN"]]);
});

Deno.test("an interval that holds thresholds has every class it reaches; a failed run keeps its own", () => {
  // Of the first run only executability is uncertain, between the gate's 0.58 and 1.
  const row = { q: 0.713, public_order: 0.525, active_rumors: 2, stabilized: true };
  const rank = publishedRanker([
    { label: "a", source: "Table 8", row },
    { label: "b", source: "Table 11", row: { ...row, stabilized: false, passed_count: 0 } },
  ]);
  const classes = (strong: number, adequate: number) =>
    rank(withThreshold(withThreshold(only("executability"), "strong", strong), "adequate", adequate))
      .runs.map(({ classes }) => classes);
  const [failed, strong, adequate, brittle] = [
    ["FAILED_NO_VALID_PLAN"],
    ...["BENCHMARK_STRONG", "BENCHMARK_ADEQUATE", "BENCHMARK_BRITTLE"],
  ];
  assert.deepEqual(classes(0.82, 0.7), [[brittle, adequate, strong], failed]);
  assert.deepEqual(classes(0.82, 0.58), [[adequate, strong], failed]);
  assert.deepEqual(classes(1, 0.2), [[adequate, strong], failed], "a threshold belongs to the class above it");
  assert.deepEqual(classes(0.5, 0.2), [[strong], failed]);
  assert.deepEqual(classes(0.6, 0.6), [[brittle, strong], failed], "no room for adequate");
});
