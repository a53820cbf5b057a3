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

/** Runs of so many of each decision, which have one reason each. */
const unanimous = (...sizes: number[]): ReasonedRun[] =>
  sizes.flatMap((size, i) => Array.from({ length: size }, () => ({ decision: "ABC"[i]!, texts: [[VOCABULARY[i]!]] })));

for (
  const [sizes, p] of [
    // All orders of the labels, and those of them that part the runs in the same way.
    [[2, 2], 2 / 6],
    [[3, 3], 2 / 20],
    [[4, 2], 1 / 15],
    [[2, 2, 2], 6 / 90],
    [[3, 3, 2], 2 / 560],
  ] as const
) {
  Deno.test(`of ${sizes.join(" and ")} runs all relabellings are taken, and the least p is ${p.toFixed(4)}`, () => {
    const found = sameVerdict(unanimous(...sizes), { rng: createRng(1) });
    assert.deepEqual([found.p, found.least, found.exact], [p, p, true]);
    const mixed = sameVerdict(unanimous(...sizes).map((run) => ({ ...run, texts: [["duty"]] })), { rng: createRng(1) });
    assert.deepEqual([mixed.p, mixed.least], [1, p]);
  });
}

Deno.test("by hand: of three runs against two, 4 of the 10 ways to choose the three are as large", () => {
  // Reasons a, a, b | b, b: distances 0 or 1. Alike: (a,a) 0, (a,b) 1, (a,b) 1, (b,b) 0, mean 1/2; different: 4 of 6.
  const runs = ["aa", "aa", "bb", "bb", "bb"].map((text, i) => ({ decision: i < 3 ? "A" : "B", texts: [[text]] }));
  const { alike, different, p, exact } = sameVerdict(runs, { rng: createRng(1) });
  assert.deepEqual([alike, different, exact], [1 / 2, 2 / 3, true]);
  // The two a's are the two (1 way, 1 − 0), or among the three (3 ways: these); apart (6 ways): 1/2 − 3/4.
  assert.equal(p, 4 / 10);
});

Deno.test("with more relabellings than asked for, labels are shuffled; with one shuffle the least p is ½", () => {
  const found = sameVerdict(unanimous(3, 3), { rng: createRng(1), permutations: 19 });
  assert.deepEqual([found.exact, found.least], [false, 0.1]);
  assert.equal(sameVerdict(unanimous(9, 9), { rng: createRng(1), permutations: 1 }).least, 1 / 2);
});

Deno.test("of 520 runs 500 are compared, drawn by the seed, and the error is said", () => {
  const dice = createRng(5), texts = () => [[VOCABULARY[dice.int(3)]!]];
  const runs = Array.from({ length: 520 }, (_, i) => ({ decision: i % 2 ? "A" : "B", texts: texts() }));
  const found = sameVerdict(runs, { rng: createRng(1), permutations: 1 });
  assert.equal(found.subset!.runs, 500);
  assert.equal(found.decisions.reduce((sum, { runs }) => sum + runs, 0), 500);
  // A twenty-sixth is left out: the error is small beside that of the runs themselves, about 2/3 of a distance over √500.
  assert.ok(found.subset!.error! > 0 && found.subset!.error! < 0.01, `${found.subset!.error}`);
  assert.equal(sameVerdict(runs.slice(0, 500), { rng: createRng(1), permutations: 1 }).subset, undefined);
});
