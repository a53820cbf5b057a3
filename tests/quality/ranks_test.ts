import fc from "fast-check";
import assert from "node:assert/strict";
import { ranks } from "@/quality/mod.ts";
import type { Interval } from "@/quality/published_row.ts";
import { pairOrder, rankBounds } from "@/quality/ranks.ts";

Deno.test("1, 2, 2, 4: equal values share a rank and the next one counts them all; the unknown has none", () => {
  assert.deepEqual(ranks([0.5, 0.9, undefined, 0.7, 0.7]), [4, 1, undefined, 2, 2]);
  assert.deepEqual(ranks([undefined]), [undefined]);
  assert.deepEqual(ranks([]), []);
  assert.deepEqual(ranks([0, -0]), [1, 1]);
});

Deno.test("a rank is one more than the values above it", () => {
  const values = fc.array(fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }), { maxLength: 12 });
  fc.assert(
    fc.property(values, (values) => {
      for (const [i, rank] of ranks(values).entries()) {
        const own = values[i];
        const above = values.filter((value) => value !== undefined && own !== undefined && value > own).length;
        assert.equal(rank, own === undefined ? undefined : above + 1);
      }
    }),
    { seed: 8 },
  );
});

Deno.test("a difference in the last digits is a tie, 1e-11 is none, and ties do not chain", () => {
  assert.deepEqual(ranks([0.3, 0.1 + 0.2, 0.2]), [1, 1, 3]);
  assert.deepEqual(ranks([0.3, 0.3 + 1e-11]), [2, 1]);
  assert.deepEqual(ranks([0.3, 0.3 - 0.8e-12, 0.3 - 1.6e-12]), [1, 1, 3]);
});

Deno.test("NaN has no place in an order and is refused", () => {
  assert.throws(() => ranks([0.5, NaN]), /^RangeError: cannot rank NaN/);
});

/** Few values, so that intervals touch, coincide and shrink to points. */
const interval: fc.Arbitrary<Interval> = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
  .map(([a, b]) => ({ low: Math.min(a, b) / 6, high: Math.max(a, b) / 6 }));

/** Every way to choose one number from each list. */
function completions(choices: readonly (readonly number[])[]): number[][] {
  const [first, ...rest] = choices;
  if (first === undefined) return [[]];
  return completions(rest).flatMap((tail) => first.map((value) => [value, ...tail]));
}

Deno.test("by hand: apart, overlapping, and one that overlaps all", () => {
  const [a, b, c] = [{ low: 0.9, high: 1 }, { low: 0.5, high: 0.7 }, { low: 0.6, high: 0.8 }];
  assert.deepEqual(rankBounds([b, a, c]), [
    { best: 2, worst: 3, statement: "possible" },
    { best: 1, worst: 1, statement: "certain" },
    { best: 2, worst: 3, statement: "possible" },
  ]);
  assert.deepEqual(rankBounds([a, b, { low: 0, high: 1 }]).map(({ statement }) => statement), [
    "possible",
    "possible",
    "undecided",
  ]);
  assert.deepEqual(rankBounds([b]), [{ best: 1, worst: 1, statement: "certain" }]);
  assert.deepEqual(rankBounds([]), []);
});

Deno.test("by hand: intervals that only touch can tie, and a tie shares the better rank", () => {
  const [above, below] = rankBounds([{ low: 0.7, high: 0.9 }, { low: 0.5, high: 0.7 }]);
  assert.deepEqual(above, { best: 1, worst: 1, statement: "certain" });
  assert.deepEqual(below, { best: 1, worst: 2, statement: "undecided" });
  const point = { low: 0.5, high: 0.5 };
  assert.deepEqual(rankBounds([point, point]).map(({ worst }) => worst), [1, 1]);
});

Deno.test("best and worst are those of all ways to fill the intervals in, tried one by one", () => {
  fc.assert(
    fc.property(fc.array(interval, { minLength: 1, maxLength: 4 }), (intervals) => {
      const rows = completions(intervals.map(({ low, high }) => [low, high])).map((scores) => ranks(scores));
      for (const [i, { best, worst, statement }] of rankBounds(intervals).entries()) {
        const tried = rows.map((row) => row[i]!);
        assert.deepEqual([best, worst], [Math.min(...tried), Math.max(...tried)]);
        assert.equal(statement === "certain", new Set(tried).size === 1);
      }
    }),
    { seed: 6, numRuns: 500 },
  );
});

Deno.test("the ranks are those of comparing every pair, also where ends differ by less than rounding", () => {
  const end = fc.tuple(fc.integer({ min: 0, max: 8 }), fc.constantFrom(0, 3e-13, 2e-12)).map(([a, b]) => a / 8 + b);
  const close = fc.tuple(end, end).map(([a, b]) => ({ low: Math.min(a, b), high: Math.max(a, b) }));
  const above = (a: number, b: number) => a - b > 1e-12;
  fc.assert(
    fc.property(fc.array(close, { maxLength: 12 }), (intervals) => {
      const expected = intervals.map((own, i) => {
        const others = intervals.filter((_, j) => j !== i);
        return [
          1 + others.filter(({ low }) => above(low, own.high)).length,
          1 + others.filter(({ high }) => above(high, own.low)).length,
        ];
      });
      assert.deepEqual(rankBounds(intervals).map(({ best, worst }) => [best, worst]), expected);
    }),
    { seed: 8, numRuns: 500 },
  );
});

Deno.test("the order of a pair is what all, none, or some of the ways to fill it in say", () => {
  fc.assert(
    fc.property(interval, interval, (a, b) => {
      const pairs = completions([[a.low, a.high], [b.low, b.high]]);
      const expected = pairs.every(([x, y]) => x! > y!)
        ? "above"
        : pairs.every(([x, y]) => x! < y!)
        ? "below"
        : undefined;
      assert.equal(pairOrder(a, b), expected ?? "undecided");
    }),
    { seed: 7, numRuns: 500 },
  );
});

Deno.test("nothing is certain because of a last digit", () => {
  const [low, high] = [0.3, 0.1 + 0.2];
  assert.ok(low < high);
  assert.equal(pairOrder({ low: high, high: 1 }, { low: 0, high: low }), "undecided");
  assert.deepEqual(rankBounds([{ low, high: low }, { low: high, high }]).map(({ worst }) => worst), [1, 1]);
});

Deno.test("an interval turned round, or with NaN, is refused", () => {
  const fine = { low: 0, high: 1 };
  for (const wrong of [{ low: 0.8, high: 0.7 }, { low: NaN, high: 1 }, { low: 0, high: NaN }]) {
    const message = `an interval must run from low to high, found ${wrong.low} to ${wrong.high}`;
    assert.throws(() => pairOrder(fine, wrong), { name: "RangeError", message });
    assert.throws(() => pairOrder(wrong, fine), { name: "RangeError", message });
    assert.throws(() => rankBounds([fine, wrong]), { name: "RangeError", message });
  }
});
