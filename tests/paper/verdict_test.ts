import assert from "node:assert/strict";
import { verdict } from "@/paper/verdict.ts";

const [wide, narrow, none] = [{ low: 0.01, high: 0.05 }, { low: 0.02, high: 0.03 }, {}];

for (
  const [published, interval, percentile, words] of [
    [0.025, wide, undefined, "inside"],
    [0.01, wide, undefined, "inside"],
    [0.051, wide, undefined, "published above"],
    [0.009, wide, undefined, "published below"],
    [undefined, wide, narrow, "not published"],
    [0.025, none, undefined, "no interval"],
    [0.025, wide, narrow, "inside"],
    [0.04, wide, narrow, "inside (percentile: published above)"],
    [0.01, narrow, wide, "published below (percentile: inside)"],
  ] as const
) {
  Deno.test(`${published} against ${JSON.stringify([interval, percentile])}: ${words}`, () => {
    assert.equal(verdict(published, interval, percentile), words);
  });
}
