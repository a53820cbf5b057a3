import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { cosineDistance, reasonDivergence, type ReasonedRun, textVectors } from "@/stats/mod.ts";

const said = (...rounds: string[][]): ReasonedRun => ({ texts: rounds });
const found = (own: readonly { distance?: number }[]) => own.map(({ distance }) => distance);

Deno.test("identical runs are 0 apart, with an interval of nothing", () => {
  const run = said(["costs", "rights"], ["pool", "premium"]);
  const { runs, change } = reasonDivergence([run, run, run]);
  assert.deepEqual(runs, [{ distance: 0, low: 0, high: 0 }, { distance: 0, low: 0, high: 0 }]);
  assert.deepEqual(change.runs, { distance: 0, low: 0, high: 0 });
});

Deno.test("an agent that repeats itself, and agents that come to one wording", () => {
  const run = said(["costs", "rights"], ["costs", "costs"], ["pool", "pool"]);
  const { rounds, agents, change } = reasonDivergence([run, run]);
  assert.deepEqual(found(rounds), [undefined, 0.5, 1]);
  assert.deepEqual(found(agents), [1, 0, 0]);
  assert.equal(change.agents.distance, -1);
  assert.equal(change.rounds.distance, 0.5);
});

Deno.test("entries without words are counted, and no distance is made up", () => {
  const { runs, silent, entries } = reasonDivergence([
    said(["costs"], [""]),
    said(["costs"], ["pool"]),
    said(["the"], ["pool"]),
  ]);
  assert.deepEqual([silent, entries], [2, 6]);
  assert.deepEqual(found(runs), [0, 0]); // one pair each
  assert.equal(runs[0]!.low, undefined); // without the run the mean does not exist
});

Deno.test("tags and confidence: shares by hand", () => {
  const run = (tags: string[], confidence: number): ReasonedRun => ({ tags: [[tags]], confidence: [[confidence]] });
  const runs = [run(["a", "b"], 50), run(["a", "c"], 70), run(["c", "d"], 90)];
  assert.ok(Math.abs(reasonDivergence(runs, { of: "tags" }).runs[0]!.distance! - (2 / 3 + 1 + 2 / 3) / 3) < 1e-15);
  assert.ok(Math.abs(reasonDivergence(runs, { of: "confidence" }).runs[0]!.distance! - 0.8 / 3) < 1e-15);
});

Deno.test("one run has no distance to another, and says so", () => {
  const { runs, agents, reason } = reasonDivergence([said(["costs", "pool"])]);
  assert.deepEqual([found(runs), found(agents), reason], [[undefined], [1], "too-few-replicates"]);
});

for (
  const [what, runs, of, words] of [
    ["no texts", [{ tags: [[["a"]]] }], "words", /runs\[0\] has no texts: words cannot be compared/],
    ["fewer rounds", [said(["a"], ["b"]), said(["a"])], "words", /runs\[1\] has 1 rounds: must be 2/],
    ["more seats", [said(["a"]), said(["a", "b"])], "characters", /runs\[1\], round 1 has 2 seats: must be 1/],
    ["a confidence of 101", [{ confidence: [[101]] }], "confidence", /a confidence is 101: must be from 0 to 100/],
    ["another measure", [said(["a"])], "letters", /of is letters: must be one of words, characters, tags, confidence/],
  ] as const
) {
  Deno.test(`${what}: a clear error`, () => {
    assert.throws(() => reasonDivergence(runs, { of: of as "words" }), { name: "RangeError", message: words });
  });
}

Deno.test("95 % intervals hold the true mean distance in .93 to .97 of 1,000 ensembles", () => {
  // With probability q an agent's tag is its own, so it differs from another's with probability 1 - (1 - q)².
  const dice = createRng(5), q = 0.4, truth = 1 - (1 - q) ** 2;
  let held = 0, next = 0;
  for (let ensemble = 0; ensemble < 1000; ensemble++) {
    const runs = Array.from({ length: 20 }, (): ReasonedRun => ({
      tags: [Array.from({ length: 5 }, () => [dice.next() < q ? `own-${next++}` : "common"])],
    }));
    const [one] = reasonDivergence(runs, { of: "tags" }).runs;
    if (one!.low! <= truth && truth <= one!.high!) held += 1;
  }
  assert.ok(held >= 930 && held <= 970, `${held}`);
});

Deno.test("sums of texts are those of all pairs, also where some seats are silent", () => {
  const dice = createRng(8), WORDS = ["costs", "rights", "pool", "duty", "premium"];
  const text = () => dice.next() < 0.3 ? undefined : Array.from({ length: 3 }, () => WORDS[dice.int(5)]!).join(" ");
  const runs = Array.from({ length: 12 }, () => ({ texts: [[text(), text(), text()]] }));
  const vectors = textVectors(runs.flatMap(({ texts }) => texts.flat()));
  /** The mean over pairs of the mean over the seats of both. */
  const byPairs = (without?: number) => {
    const distances = runs.flatMap((_, a) =>
      runs.flatMap((_, b) => {
        const seats = [0, 1, 2].flatMap((seat) => {
          const [one, other] = [vectors[3 * a + seat], vectors[3 * b + seat]];
          return one && other ? [cosineDistance(one, other)] : [];
        });
        const counts = a < b && a !== without && b !== without && seats.length > 0;
        return counts ? [seats.reduce((x, y) => x + y) / seats.length] : [];
      })
    );
    return distances.reduce((x, y) => x + y) / distances.length;
  };
  const leftOut = runs.map((_, run) => byPairs(run)), middle = leftOut.reduce((x, y) => x + y) / 12;
  const error = Math.sqrt(leftOut.reduce((sum, one) => sum + (one - middle) ** 2, 0) * 11 / 12);
  const { distance, low } = reasonDivergence(runs).runs[0]!;
  assert.ok(Math.abs(distance! - byPairs()) < 1e-12);
  // Student's t of 0.975 with eleven degrees of freedom.
  assert.ok(Math.abs(distance! - low! - 2.200985160082949 * error) < 1e-9);
});
