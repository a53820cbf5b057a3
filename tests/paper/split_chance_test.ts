import fc from "fast-check";
import assert from "node:assert/strict";
import { splitChance } from "@/paper/wording.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not near ${b}`);

Deno.test("splitChance() counts the ways in which runs part", () => {
  // Of 64 equally likely outcomes of six runs 15 + 20 + 15 have two to four in the option.
  near(splitChance({ runs: 6, minority: 2, share: 0.5 }), 50 / 64);
  near(splitChance({ runs: 3, minority: 1, share: 0.1 }), 3 * 0.1 * 0.81 + 3 * 0.01 * 0.9);
  assert.equal(splitChance({ runs: 6, minority: 1, share: 0 }), 0);
});

Deno.test("any split at all is certain, and the options may change places", () => {
  const runs = fc.integer({ min: 1, max: 12 }), share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(runs, share, (runs, share) => near(splitChance({ runs, minority: 0, share }), 1)));
  fc.assert(fc.property(runs, share, (runs, share) => {
    const minority = Math.floor(runs / 2);
    near(splitChance({ runs, minority, share }), splitChance({ runs, minority, share: 1 - share }));
  }));
});

for (
  const [options, message] of [
    [{ runs: 0, minority: 0, share: 0.5 }, /runs is 0/],
    [{ runs: 6, minority: 4, share: 0.5 }, /minority is 4: .* half of 6 runs/],
    [{ runs: 6, minority: 2, share: NaN }, /share is NaN/],
  ] as const
) {
  Deno.test(`splitChance() refuses ${JSON.stringify(options)}`, () =>
    assert.throws(() => splitChance(options), { name: "RangeError", message }));
}
