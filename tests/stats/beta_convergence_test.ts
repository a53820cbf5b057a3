import assert from "node:assert/strict";
import fc from "fast-check";
import { createRng } from "@/core/rng.ts";
import { betaConvergence } from "@/stats/beta_convergence.ts";

const near = (actual: number | undefined, expected: number, within = 1e-12) =>
  assert.ok(Math.abs(actual! - expected) <= within, `${actual} is not ${expected}`);

Deno.test("betaConvergence(): by hand, two runs of one option", () => {
  // Deviations ±1, ±2, ±3, ±5: (1·3 + 2·5) / (1·2 + 2·3) − 1 over both runs, the factor 2 cancels.
  const runs = [[-1, -2, -3, -5], [1, 2, 3, 5]].map((run) => run.map((x) => [7 + x]));
  const { beta, byRound, low, reason } = betaConvergence(runs, { from: 1, to: 4 });
  near(beta, 13 / 8 - 1);
  near(byRound[0], 3 / 2 - 1);
  near(byRound[1], 10 / 6 - 1);
  assert.deepEqual([byRound.length, low, reason], [2, undefined, "too-few-replicates"]);
});

Deno.test("betaConvergence(): the leave-one-out forms are those of the runs without one", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.array(fc.integer({ min: 0, max: 100 }).map((n) => n / 100), { minLength: 2, maxLength: 2 }), {
          minLength: 6,
          maxLength: 6,
        }),
        { minLength: 4, maxLength: 7 },
      ),
      (runs) => {
        const { beta, low, high } = betaConvergence(runs, { from: 1, to: 6 });
        const leftOut = runs.map((_, i) => betaConvergence(runs.toSpliced(i, 1), { from: 1, to: 6 }).beta);
        if (beta === undefined || low === undefined || leftOut.includes(undefined)) return;
        // Where the runs hardly deviate the ratio explodes, and two ways to the same sum part.
        if (Math.max(...leftOut.map((b) => Math.abs(b!))) > 100 || high === low) return;
        const R = runs.length, middle = leftOut.reduce<number>((sum, b) => sum + b!, 0) / R;
        const error = Math.sqrt(leftOut.reduce<number>((sum, b) => sum + (b! - middle) ** 2, 0) * (R - 1) / R);
        // Student's t at .975 with R − 1 degrees of freedom, from a printed table.
        const t = [3.1824, 2.7764, 2.5706, 2.4469][R - 4]!;
        near((high! - low) / 2 / t / error, 1, 1e-3);
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});

/** Mean β over ensembles of a process with a starting spread of 0.05, T = 12, K = 1, and how often its interval holds a value. */
function study(step: (x: number, t: number, normal: () => number, own: number) => number, truth: number, R: number) {
  const betas: number[] = [];
  let held = 0;
  for (let ensemble = 0; ensemble < 200; ensemble++) {
    const rng = createRng(9).fork(ensemble);
    const runs = Array.from({ length: R }, () => {
      let x = 0.05 * rng.normal();
      const own = rng.normal();
      return Array.from({ length: 12 }, (_, t) => {
        const now = x;
        x = step(x, t, () => rng.normal(), own);
        return [now];
      });
    });
    const { beta, low, high } = betaConvergence(runs, { from: 2, to: 12 });
    betas.push(beta!);
    if (low! <= truth && truth <= high!) held++;
  }
  return { mean: betas.reduce((sum, b) => sum + b, 0) / betas.length, held: held / betas.length };
}

// STATISTICS: SDs of one ensemble of 40 are .023, .046 and .013, so means of 200 scatter by .0016, .0033 and .0009.
for (
  const [name, truth, step] of [
    ["random walk", 0, (x, _t, normal) => x + 0.05 * normal()],
    ["AR(1) 0.8", -0.2, (x, _t, normal) => 0.8 * x + 0.05 * normal()],
    ["growth 0.05", Math.exp(0.05) - 1, (x, _t, normal) => Math.exp(0.05) * x + 0.02 * normal()],
  ] as [string, number, Parameters<typeof study>[0]][]
) {
  Deno.test(`betaConvergence() of a ${name}: bias and coverage`, () => {
    const { mean, held } = study(step, truth, 40);
    near(mean, truth, 0.01);
    assert.ok(held >= 0.9 && held <= 0.99, `${held}`);
  });
}

Deno.test("betaConvergence(): constant drifts give about 1/t, falling by round", () => {
  const runs = [-2, -1, 0.5, 3].map((drift) => Array.from({ length: 12 }, (_, t) => [drift * (t + 1)]));
  const { byRound } = betaConvergence(runs, { from: 1, to: 12 });
  // dev(t) = c·t: (t + 2)/(t + 1) − 1.
  byRound.forEach((beta, i) => near(beta, 1 / (i + 2)));
});

Deno.test("betaConvergence(): what cannot be estimated says why, what is malformed is refused", () => {
  const flat = Array.from({ length: 20 }, () => [0.5, 0.5]);
  assert.deepEqual(betaConvergence([]), { byRound: [], reason: "too-few-replicates" });
  assert.equal(betaConvergence([flat, flat, flat]).reason, "no-divergence");
  // A tenth three times, divided by three, is not a tenth.
  const tenth = Array.from({ length: 20 }, () => [0.1, 0.2, 0.7]);
  assert.notEqual((0.1 + 0.1 + 0.1) / 3, 0.1);
  const still = betaConvergence([tenth, tenth, tenth]);
  assert.deepEqual([still.reason, still.beta, new Set(still.byRound)], [
    "no-divergence",
    undefined,
    new Set([undefined]),
  ]);
  assert.equal(betaConvergence([flat, flat], { from: 3, to: 4 }).reason, "too-few-rounds");
  assert.throws(() => betaConvergence([flat, flat], { to: 21 }), /^RangeError: to is 21, beyond the last round, 20/);
});
