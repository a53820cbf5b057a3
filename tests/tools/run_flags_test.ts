import assert from "node:assert/strict";
import { type RunValues, untilBy } from "@/tools/run_flags.ts";

Deno.test("untilBy() makes a stopping design of the flags, and none without --until", () => {
  assert.equal(untilBy({}), undefined);
  assert.deepEqual(untilBy({ until: "growth", looks: [8, 12, 16], alpha: 0.01, against: "walk" }), {
    ...{ reach: "growth", alpha: 0.01, looks: [8, 12, 16], against: "walk" },
  });
  assert.deepEqual(untilBy({ until: "width", "half-width": 0.02, "at-most": 40 }), {
    ...{ reach: "width", halfWidth: 0.02, atMost: 40 },
  });
});

const flawed: readonly [RunValues, RegExp][] = [
  [{ looks: [8, 12] }, /--looks belongs to --until growth: add it/],
  [{ until: "growth", "half-width": 0.02 }, /--half-width belongs to --until width/],
  [{ until: "width" }, /--until width needs --half-width/],
];
for (const [values, message] of flawed) {
  Deno.test(`untilBy() refuses ${JSON.stringify(values)}`, () => {
    assert.throws(() => untilBy(values), { exitCode: 2, message });
  });
}
