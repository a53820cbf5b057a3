import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import type { Disposition } from "@/model/surrogate/disposition.ts";
import { type Heard, respond, stanceQuarters, transcriptField } from "@/model/surrogate/respond.ts";
import { parameters } from "./parameters.ts";

const quiet = { ...parameters.mechanism, noiseShare: 0 };
/** A seat that goes all the way to its target without noise, but for what is given. */
const seatOf = (base: readonly number[], more: Partial<Disposition> = {}): Disposition => ({
  ...{ base: Float64Array.from(base), gain: 1, openness: 1, noise: 0, opensUndecided: false, undecidedLead: 0 },
  ...more,
});
const fieldOf = (...field: number[]) => Float64Array.from(field);
const heard = (option: number, quarters: number, synthesis = false): Heard => ({ option, quarters, synthesis });
const near = (actual: ArrayLike<number>, expected: readonly number[]) =>
  Array.from(actual).forEach((value, k) =>
    assert.ok(Math.abs(value - expected[k]!) < 1e-12, `${actual} is not ${expected}`)
  );

Deno.test("transcriptField(): each argument adds to its option and takes evenly from all, over 15", () => {
  near(transcriptField([], 3, 5), [0, 0, 0]);
  near(transcriptField([heard(0, 4)], 3, 5), [2 / 45, -1 / 45, -1 / 45]);
  // Two quarters for B, and the Chair's synthesis 5 · 1/4 for C: 1.75 in all, 0.35 from each of five.
  near(
    transcriptField([heard(1, 2), heard(2, 1, true)], 5, 5),
    [-0.35, 0.15, 0.9, -0.35, -0.35].map((x) => x / 15),
  );
  const fifteen = Array.from({ length: 15 }, () => heard(1, 4));
  near(transcriptField(fifteen, 2, 5), [-0.5, 0.5]);
  near(transcriptField(fifteen.slice(0, 3), 2, 5), [-0.1, 0.1]);
});

Deno.test("respond(): the softmax of base and transcript on the first turn, in hundredths", () => {
  const answer = (base: number[], field: number[], gain = 1) =>
    respond(seatOf(base, { gain, openness: 0.2 }), fieldOf(...field), undefined, 0, quiet, createRng(1));
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

Deno.test("respond(): a seat that opens undecided answers evenly at first, whatever it hears, and as any other later", () => {
  const first = (options: number) =>
    respond(
      seatOf(new Array(options).fill(0), { opensUndecided: true }),
      Float64Array.from({ length: options }, (_, k) => k),
      ...[undefined, 0.7, parameters.mechanism, createRng(1)] as const,
    ).hundredths;
  assert.deepEqual(first(3), [33, 33, 34]);
  assert.deepEqual(first(2), [50, 50]);
  assert.deepEqual(first(5), [20, 20, 20, 20, 20]);
  const seat = seatOf([Math.log(3), 0], { opensUndecided: true });
  assert.deepEqual(respond(seat, fieldOf(0, 0), [0.5, 0.5], 0, quiet, createRng(1)).hundredths, [75, 25]);
});

Deno.test("respond(): openness is the share of the way from its own row to the target", () => {
  const own = [0.9, 0.1];
  const answer = (openness: number, row = own) =>
    respond(seatOf([0, Math.log(9)], { openness }), fieldOf(0, 0), row, 0, quiet, createRng(1)).hundredths;
  assert.deepEqual(answer(0), [90, 10]);
  assert.deepEqual(answer(1), [10, 90]);
  assert.deepEqual(answer(0.5), [50, 50], "halfway in log odds, from ln 9 to −ln 9");
  assert.deepEqual(answer(0, [1, 0]), [99, 1], "a share of nothing is held at a hundredth: 1 to 0.01");
});

Deno.test("respond(): the same share of calls differs at every temperature", () => {
  const seat = seatOf([0.3, 0, -0.2], { noise: 1 });
  const still = respond(seat, fieldOf(0, 0, 0), undefined, 0, quiet, createRng(0)).hundredths;
  const shareOf = (noiseShare: number, temperature: number) => {
    const answers = Array.from(
      { length: 400 },
      (_, seed) => respond(seat, fieldOf(0, 0, 0), undefined, temperature, { ...quiet, noiseShare }, createRng(seed)),
    );
    const differing = answers.filter(({ hundredths }) => String(hundredths) !== String(still));
    assert.ok(differing.every(({ noisy }) => noisy), "none differs without saying so");
    return { noisy: answers.filter(({ noisy }) => noisy).length / 400, differing: differing.length / 400 };
  };
  assert.deepEqual(shareOf(0, 0.7), { noisy: 0, differing: 0 });
  for (const noiseShare of [0.2, 0.45, 1]) {
    for (const temperature of [0, 0.7]) {
      const { noisy, differing } = shareOf(noiseShare, temperature);
      const fourErrors = 4 * Math.sqrt((noiseShare * (1 - noiseShare)) / 400);
      assert.ok(Math.abs(noisy - noiseShare) <= fourErrors && Math.abs(differing - noiseShare) <= fourErrors + 0.01);
    }
  }
});

Deno.test("respond(): noise is as wide as stated, the seat's and the temperature's in quadrature", () => {
  const spread = (noise: number, temperatureNoise: number, temperature: number) => {
    // Small noise around even odds: the log odds ln(p/q) of two options differ by two draws, hence √2 widths.
    const logits = Array.from({ length: 2000 }, (_, seed) => {
      const mechanism = { ...quiet, noiseShare: 1, temperatureNoise };
      const seat = seatOf([0, 0], { gain: 0, noise });
      const { hundredths: [p, q] } = respond(seat, fieldOf(0, 0), undefined, temperature, mechanism, createRng(seed));
      return Math.log(p! / q!);
    });
    return Math.sqrt(logits.reduce((sum, x) => sum + x * x, 0) / logits.length) / Math.SQRT2;
  };
  for (
    const [noise, temperatureNoise, temperature, width] of [
      [0.3, 0, 0, 0.3],
      [0.3, 0.2, 0, 0.3],
      [0, 0.3, 0.7, 0.21],
      [0.3, 0.4, 1, 0.5],
    ] as const
  ) {
    const measured = spread(noise, temperatureNoise, temperature);
    assert.ok(Math.abs(measured - width) <= 0.07 * width, `${measured} is not ${width}`);
  }
});

Deno.test("respond(): hundredths are never negative and sum to 100", () => {
  const logit = fc.double({ min: -30, max: 30, noNaN: true });
  const bases = fc.array(logit, { minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(bases, fc.boolean(), fc.integer(), (base, first, seed) => {
      const own = first ? undefined : base.map(() => 1 / base.length);
      const field = new Float64Array(base.length);
      const seat = seatOf(base, { openness: 0.5, noise: 0.3 });
      const { hundredths } = respond(seat, field, own, 0.7, parameters.mechanism, createRng(seed));
      assert.equal(hundredths.reduce((sum, h) => sum + h, 0), 100);
      assert.ok(hundredths.every((h) => Number.isInteger(h) && h >= 0));
    }),
    { numRuns: 500, seed: 1 },
  );
});

Deno.test("stanceQuarters(): one for each started 25 hundredths of lead", () => {
  for (
    const [hundredths, quarters] of [
      [[34, 33, 33], 1],
      [[50, 50], 1],
      [[50, 25, 25], 1],
      [[51, 25, 24], 2],
      [[25, 75], 2],
      [[20, 15, 65], 2],
      [[13, 14, 73], 3],
      [[100, 0], 4],
      [[88, 12], 4],
      [[87, 12, 1], 3],
    ] as const
  ) assert.equal(stanceQuarters(seatOf(hundredths), hundredths, { first: false }), quarters, String(hundredths));
});

Deno.test("stanceQuarters(): none for a seat that opens undecided, and for one whose lead is below its own", () => {
  const chair = seatOf([0, 0, 0], { opensUndecided: true, undecidedLead: 0.1 });
  const of = (hundredths: number[], first = false) => stanceQuarters(chair, hundredths, { first });
  assert.deepEqual([of([80, 10, 10], true), of([80, 10, 10])], [0, 3]);
  assert.deepEqual([of([43, 34, 23]), of([44, 34, 22])], [0, 1]);
  const second = [80, 10, 10, 43, 34, 23];
  assert.equal(stanceQuarters(chair, second, { at: 3, first: false }), 0, "the row that begins at 3");
});
