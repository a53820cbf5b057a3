import assert from "node:assert/strict";
import { createRng, type Rng } from "@/core/rng.ts";
import { type ReasonedRun, sameVerdict } from "@/stats/mod.ts";

const VOCABULARY = Array.from({ length: 60 }, (_, i) => `word${i}`);
const OWN = { A: VOCABULARY.slice(0, 20), B: VOCABULARY.slice(20, 40) };

/** Twenty runs, seven or more of each verdict, whose arguments hold a share of words of their verdict's own vocabulary. */
function committee(dice: Rng, planted: number): ReasonedRun[] {
  const smaller = 6 + dice.int(5);
  return Array.from({ length: 20 }, (_, run) => {
    const decision = run < smaller ? "A" : "B", own = OWN[decision];
    const word = () => dice.next() < planted ? own[dice.int(own.length)]! : VOCABULARY[dice.int(VOCABULARY.length)]!;
    const argument = () => Array.from({ length: 12 }, word).join(" ");
    return { decision, texts: Array.from({ length: 2 }, () => [argument(), argument()]) };
  });
}

Deno.test("identical runs: a statistic of 0 and p of 1", () => {
  const texts = [["costs pool", "rights"]];
  const runs = Array.from({ length: 20 }, (_, run) => ({ decision: run < 6 ? "A" : "B", texts }));
  const { statistic, p } = sameVerdict(runs, { rng: createRng(1) });
  assert.deepEqual([statistic, p], [0, 1]);
});

Deno.test("half of the words planted per decision: p ≤ .01 in at least 95 % of 200 committees", () => {
  const dice = createRng(2);
  const small = Array.from({ length: 200 }, (_, i) => sameVerdict(committee(dice, 0.5), { rng: createRng(i) }).p!)
    .filter((p) => p <= 0.01).length;
  assert.ok(small >= 190, `${small} of 200`);
});

Deno.test("words that do not depend on the decision: p is uniform (Kolmogorov-Smirnov, p > .01)", () => {
  const dice = createRng(3);
  const ps = Array.from({ length: 200 }, (_, i) => sameVerdict(committee(dice, 0), { rng: createRng(i) }).p!).sort();
  const furthest = Math.max(...ps.map((p, i) => Math.max((i + 1) / 200 - p, p - i / 200)));
  // The bound of Kolmogorov's distribution at .01, 1.628 / √n.
  assert.ok(furthest < 1.628 / Math.sqrt(200), `${furthest}`);
});

Deno.test("labels of runs are shuffled, so the order of runs and the names of decisions do not matter", () => {
  const runs = committee(createRng(4), 0.3);
  const renamed = runs.toReversed().map((run) => ({ ...run, decision: run.decision === "A" ? "yes" : "no" }));
  const one = sameVerdict(runs, { rng: createRng(1) }), other = sameVerdict(renamed, { rng: createRng(1) });
  assert.ok(Math.abs(one.statistic! - other.statistic!) < 1e-12);
  assert.ok(Math.abs(one.p! - other.p!) < 0.06);
});

Deno.test("the two runs of one verdict that differ most, lone and undecided runs counted", () => {
  const said = (text: string, decision?: string): ReasonedRun => ({ texts: [[text]], ...(decision && { decision }) });
  const runs = [
    ...[said("costs pool", "A"), said("costs pool", "A"), said("premium", "A")],
    ...[said("rights", "B"), said("rights duty", "B"), said("war", "C"), said("pool")],
  ];
  const { apart, decisions, alone, undecided } = sameVerdict(runs, { rng: createRng(1) });
  assert.deepEqual(apart, { decision: "A", runs: [0, 2], distance: 1 });
  assert.deepEqual(decisions.map(({ decision, runs, distance }) => [decision, runs, distance === undefined]), [
    ["A", 3, false],
    ["B", 2, false],
    ["C", 1, true],
  ]);
  assert.deepEqual([alone, undecided], [1, 1]);
});

for (
  const [what, decisions, reason] of [
    ["no other decision", ["A", "A", "A"], "one-decision"],
    ["a decision that one run has", ["A", "A", "A", "B"], "one-decision"],
    ["one run", ["A"], "too-few-replicates"],
  ] as const
) {
  Deno.test(`${what}: undefined, with a reason`, () => {
    const runs = decisions.map((decision, i) => ({ decision, texts: [[`word${i}`]] }));
    const found = sameVerdict(runs, { rng: createRng(1) });
    assert.deepEqual([found.statistic, found.p, found.reason], [undefined, undefined, reason]);
  });
}
