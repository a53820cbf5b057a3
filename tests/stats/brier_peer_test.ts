import assert from "node:assert/strict";
import { type AnsweredRun, brierScore, calibration } from "@/stats/mod.ts";
import peer from "./peer/brier.json" with { type: "json" };

/** Made by `peer/brier.py`, which computes the same by other routes and without this project's code, and says how to make it again. */
const sets: Readonly<Record<string, readonly AnsweredRun[]>> = peer.sets;

function near(found: object, expected: object): void {
  const numbers = new Map<string, number>(Object.entries(found));
  for (const [name, value] of Object.entries(expected)) {
    assert.ok(Math.abs(numbers.get(name)! - value) < 1e-12, `${name}: ${numbers.get(name)} against ${value}`);
  }
}

for (const { runs, options, expected } of peer.scores) {
  const [of, { round, bins = "by value" }] = [options.of as "shares" | "confidence", options];
  Deno.test(`Brier score of ${of} in ${runs}, round ${round}, bins ${bins}: exact fractions give the same to 1e-12`, () => {
    const found = brierScore(sets[runs]!, { ...options, of });
    near(found, expected);
    assert.equal(found.withinVariance === undefined, options.bins === undefined);
    assert.equal(found.leftOut, 2);
    assert.equal(found.withoutConfidence, of === "confidence" ? 1 : 0);
  });
}

for (const { runs, round, expected } of peer.slopes) {
  Deno.test(`slope of calibration in ${runs}, round ${round}: roots found in 40 digits are the same to 1e-12`, () => {
    near(calibration(sets[runs]!, { round }), expected);
  });
}

const python = await new Deno.Command("python3", { args: ["--version"], stdout: "null", stderr: "null" }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  name: "the stored numbers are those that the script computes, where there is a python3",
  ignore: !python,
  async fn() {
    const script = new URL("./peer/brier.py", import.meta.url).pathname;
    const { stdout } = await new Deno.Command("python3", { args: [script] }).output();
    assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), peer);
  },
});
