import assert from "node:assert/strict";
import { causeWords, type SlopeCell, slopeIntervals, slopeRows } from "@/paper/slope_rows.ts";

const cell = (more: object) =>
  ({
    ...{ label: "roles on", lambda: 0.08, low: 0.06, high: 0.1, studentised: { low: 0.05, high: 0.11 } },
    accounting: { name: "x", target: 20, realised: 18, deficit: 2, causes: { "no_reply:quota": 2 } },
    ...more,
  }) as unknown as SlopeCell;

Deno.test("slopeRows() sets published beside measured, with runs, causes and verdict", () => {
  const [row] = slopeRows([cell({ published: 0.0838, publishedRuns: 19 })]);
  assert.deepEqual(row, {
    condition: "roles on",
    published: 0.0838,
    "published n": 19,
    measured: 0.08,
    "95 % interval": "0.0600 to 0.1000",
    n: "18 of 20",
    "missing, by cause": "no_reply:quota 2",
    "published value is": "inside",
  });
});

Deno.test("what is not published stays unknown, and is never compared", () => {
  const [row] = slopeRows([cell({})]);
  assert.deepEqual([row!.published, row!["published n"], row!["published value is"]], [
    undefined,
    undefined,
    "not published",
  ]);
});

Deno.test("slopeIntervals() says in the label how many runs count, where some are missing", () => {
  const whole = { name: "x", target: 20, realised: 20, deficit: 0, causes: {} };
  const [short, full] = slopeIntervals([cell({ published: 0.2 }), cell({ accounting: whole })]);
  assert.deepEqual([short!.label, full!.label], ["roles on (n = 18 of 20)", "roles on"]);
  assert.equal(short!.verdict, "published above");
  assert.deepEqual([short!.studentisedLow, short!.studentisedHigh, short!.published], [0.05, 0.11, 0.2]);
});

Deno.test("causeWords() names causes with their counts, and says where nothing is missing", () => {
  assert.equal(causeWords({ unfinished: 1, "no_reply:timeout": 2 }), "unfinished 1, no_reply:timeout 2");
  assert.equal(causeWords({}), "none");
});
