import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { type Heard, respond, stanceStrength, transcriptField } from "@/model/surrogate/respond.ts";
import { parameters } from "./parameters.ts";

const quiet = { ...parameters.mechanism, noiseShare: 0, noiseFloor: 0, temperatureNoise: 0 };
const heard = (option: number, strength: number, synthesis = false): Heard => ({ option, strength, synthesis });
const near = (actual: readonly number[], expected: readonly number[]) =>
  actual.forEach((value, k) => assert.ok(Math.abs(value - expected[k]!) < 1e-12, `${actual} is not ${expected}`));

Deno.test("transcriptField(): each argument adds to its option and takes evenly from all, over 15", () => {
  near(transcriptField([], 3, 5), [0, 0, 0]);
  near(transcriptField([heard(0, 1)], 3, 5), [2 / 45, -1 / 45, -1 / 45]);
  // 0.5 for B, and the Chair's synthesis 5 · 0.25 for C: 1.75 in all, 0.35 from each of five.
  near(
    transcriptField([heard(1, 0.5), heard(2, 0.25, true)], 5, 5),
    [-0.35, 0.15, 0.9, -0.35, -0.35].map((x) => x / 15),
  );
  const fifteen = Array.from({ length: 15 }, () => heard(1, 1));
  near(transcriptField(fifteen, 2, 5), [-0.5, 0.5]);
  near(transcriptField(fifteen.slice(0, 3), 2, 5), [-0.1, 0.1]);
});

Deno.test("respond(): the softmax of base and transcript on the first turn, in hundredths", () => {
  const answer = (base: number[], field: number[], gain = 1) =>
    respond({ base, gain }, field, undefined, 0, quiet, createRng(1));
  assert.deepEqual(answer([Math.log(3), 0], [0, 0]), { hundredths: [75, 25], noisy: false });
  assert.deepEqual(answer([Math.log(6), Math.log(3), 0], [0, 0, 0]).hundredths, [60, 30, 10]);
  assert.deepEqual(
    answer([7 + Math.log(3), 7], [0, 0]).hundredths,
    [75, 25],
    "a constant added to all changes nothing",
  );
  assert.deepEqual(answer([0, 0], [Math.log(3) / 2, 0], 2).hundredths, [75, 25], "gain times field");
  assert.deepEqual(
    answer([0, 0, 0], [0, 0, 0]).hundredths,
    [34, 33, 33],
    "the remainder goes to the first of the largest",
  );
  // Of odds 9 : 2 : 2 : 2, 60 and thrice 13.33: the one hundredth left over goes to the largest.
  assert.deepEqual(answer([Math.log(4.5), 0, 0, 0], [0, 0, 0, 0]).hundredths, [61, 13, 13, 13]);
});

Deno.test("respond(): openness is the share of the way from its own row to the target", () => {
  const own = [0.9, 0.1];
  const answer = (openness: number, row = own) =>
    respond({ base: [0, Math.log(9)], gain: 1 }, [0, 0], row, 0, { ...quiet, openness }, createRng(1)).hundredths;
  assert.deepEqual(answer(0), [90, 10]);
  assert.deepEqual(answer(1), [10, 90]);
  assert.deepEqual(answer(0.5), [50, 50], "halfway in log odds, from ln 9 to −ln 9");
  assert.deepEqual(answer(0, [1, 0]), [99, 1], "a share of nothing is held at a hundredth: 1 to 0.01");
});

Deno.test("respond(): a share of calls differs at temperature 0, all above it", () => {
  const disposed = { base: [0.3, 0, -0.2], gain: 1 };
  const shareOf = (mechanism: Partial<typeof quiet>, temperature: number) => {
    const noiseless = respond(disposed, [0, 0, 0], undefined, 0, quiet, createRng(0)).hundredths;
    const answers = Array.from(
      { length: 400 },
      (_, seed) => respond(disposed, [0, 0, 0], undefined, temperature, { ...quiet, ...mechanism }, createRng(seed)),
    );
    const differing = answers.filter(({ hundredths }) => String(hundredths) !== String(noiseless));
    assert.ok(differing.every(({ noisy }) => noisy), "none differs without saying so");
    return { noisy: answers.filter(({ noisy }) => noisy).length / 400, differing: differing.length / 400 };
  };
  assert.deepEqual(shareOf({ noiseShare: 0, noiseFloor: 1 }, 0), { noisy: 0, differing: 0 });
  for (const noiseShare of [0.2, 0.45]) {
    const { noisy, differing } = shareOf({ noiseShare, noiseFloor: 1 }, 0);
    const fourErrors = 4 * Math.sqrt((noiseShare * (1 - noiseShare)) / 400);
    assert.ok(Math.abs(noisy - noiseShare) < fourErrors && Math.abs(differing - noiseShare) < fourErrors + 0.01);
  }
  const warm = shareOf({ temperatureNoise: 1 }, 1);
  assert.ok(warm.noisy === 1 && warm.differing > 0.98);
});

Deno.test("respond(): noise is as wide as stated, by call and by temperature", () => {
  const spread = (mechanism: Partial<typeof quiet>, temperature: number) => {
    // Small noise around even odds: the log odds ln(p/q) of two options differ by two draws, hence √2 widths.
    const logits = Array.from({ length: 2000 }, (_, seed) => {
      const noise = { ...quiet, ...mechanism };
      const { hundredths: [p, q] } = respond(
        { base: [0, 0], gain: 0 },
        [0, 0],
        undefined,
        temperature,
        noise,
        createRng(seed),
      );
      return Math.log(p! / q!);
    });
    return Math.sqrt(logits.reduce((sum, x) => sum + x * x, 0) / logits.length) / Math.SQRT2;
  };
  for (
    const [mechanism, temperature, width] of [
      [{ noiseShare: 1, noiseFloor: 0.3 }, 0, 0.3],
      [{ temperatureNoise: 0.3 }, 0.7, 0.21],
      [{ temperatureNoise: 0.3 }, 0, 0],
      [{ noiseShare: 1, noiseFloor: 0.3, temperatureNoise: 0.4 }, 1, 0.5],
    ] as const
  ) {
    const measured = spread(mechanism, temperature);
    assert.ok(Math.abs(measured - width) <= 0.07 * width, `${measured} is not ${width}`);
  }
});

Deno.test("respond(): hundredths are never negative and sum to 100", () => {
  const logit = fc.double({ min: -30, max: 30, noNaN: true });
  const bases = fc.array(logit, { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(bases, fc.boolean(), fc.integer(), (base, first, seed) => {
      const own = first ? undefined : base.map(() => 1 / base.length);
      const field = base.map(() => 0);
      const { hundredths } = respond({ base, gain: 1 }, field, own, 0.7, parameters.mechanism, createRng(seed));
      assert.equal(hundredths.reduce((sum, h) => sum + h, 0), 100);
      assert.ok(hundredths.every((h) => Number.isInteger(h) && h >= 0));
    }),
    { numRuns: 500, seed: 1 },
  );
});

Deno.test("stanceStrength(): a quarter for each started 25 hundredths of lead", () => {
  for (
    const [hundredths, strength] of [
      [[34, 33, 33], 0.25],
      [[50, 50], 0.25],
      [[50, 25, 25], 0.25],
      [[51, 25, 24], 0.5],
      [[25, 75], 0.5],
      [[20, 15, 65], 0.5],
      [[13, 14, 73], 0.75],
      [[100, 0], 1],
      [[88, 12], 1],
      [[87, 12, 1], 0.75],
    ] as const
  ) assert.equal(stanceStrength(hundredths), strength, String(hundredths));
});
