import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { slopeError } from "@/stats/slope_error.ts";
import { close, growing, proportional } from "./ensembles.ts";

const rng = createRng(3);
const rms = (values: readonly number[]) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0) / values.length);

for (const R of [8, 20]) {
  Deno.test(`slopeError() is how far the slopes of ensembles of ${R} scatter, to 8 %`, () => {
    const fits = Array.from(
      { length: 1000 },
      (_, i) => slopeError(growing(rng.fork(`${R}/${i}`), 0.05, { replicates: R })),
    );
    const scatter = rms(fits.map(({ lambda }) => lambda! - 0.05));
    const error = rms(fits.map(({ error }) => error!));
    assert.ok(Math.abs(error / scatter - 1) < 0.08, `${error} for ${scatter}`);
  });
}

Deno.test("slopeError() of three runs on a line is the influence value by hand", () => {
  // At 0, 1 and 3g: distances 1, 3g and 3g − 1, so a run is as far from the others together as its row says.
  const run = (place: (g: number) => number) => [1, 2, 4].map((g) => [place(g)]);
  const runs = [run(() => 0), run(() => 1), run((g) => 3 * g)];
  // Slope weights of three rounds are −½, 0, ½; only g = 1 and g = 4 count.
  const rows = (g: number) => [1 + 3 * g, 1 + (3 * g - 1), 3 * g + (3 * g - 1)], sum = (g: number) => 12 * g;
  const influence = [0, 1, 2].map((i) => (rows(4)[i]! / sum(4) - rows(1)[i]! / sum(1)) / 2);
  const error = 2 * Math.sqrt(influence.reduce((total, u) => total + u * u, 0)) * 3 / 2;
  const fit = slopeError(runs, { from: 1, to: 3 });
  assert.ok(close(fit.lambda, Math.log(sum(4) / sum(1)) / 2));
  assert.ok(close(fit.error, error), `${fit.error} for ${error}`);
});

Deno.test("slopeError() gives no error where there is no interval, and says why", () => {
  assert.deepEqual(slopeError([]), { reason: "too-few-replicates" });
  const two = slopeError(proportional([0, 1], 0.1));
  assert.ok(close(two.lambda, 0.1));
  assert.deepEqual([two.error, two.reason], [undefined, "too-few-replicates"]);
  const meeting = proportional([0, 1, 3], 0.1).map((run) => run.with(9, [0, 0]));
  assert.deepEqual([slopeError(meeting).error, slopeError(meeting).reason], [undefined, "missing-rounds"]);
  assert.deepEqual(slopeError(proportional([1, 1, 1], 0.1)), { reason: "no-divergence" });
});
