import type { Rng } from "@/core/rng.ts";

/**
 * Minimises a rough function by a separable CMA-ES: a normal cloud whose mean and per-coordinate widths follow the
 * better half of each generation.
 *
 * Source: Ros & Hansen, "A Simple Modification in CMA-ES Achieving Linear Time and Space Complexity" (2008).
 *
 * @param loss called with points of the length of `start`; Infinity is allowed, NaN is not.
 * @param options `step`: initial width of every coordinate; `onGeneration` is told the generation and its best loss.
 * @returns the `best` point that was met, its `loss`, and the `history` of the best loss of each generation.
 */
export async function evolve(
  loss: (point: readonly number[]) => number | Promise<number>,
  start: readonly number[],
  { rng, generations, step = 0.3, population = 4 + Math.floor(3 * Math.log(start.length)), onGeneration }: {
    rng: Rng;
    generations: number;
    step?: number;
    population?: number;
    onGeneration?: (generation: number, best: number) => void;
  },
) {
  const n = start.length;
  const parents = Math.floor(population / 2);
  const raw = Array.from({ length: parents }, (_, i) => Math.log(parents + 0.5) - Math.log(i + 1));
  const rawSum = raw.reduce((sum, w) => sum + w, 0);
  const weights = raw.map((w) => w / rawSum);
  const effective = 1 / weights.reduce((sum, w) => sum + w * w, 0);
  const cSigma = (effective + 2) / (n + effective + 5);
  const dSigma = 1 + cSigma + 2 * Math.max(0, Math.sqrt((effective - 1) / (n + 1)) - 1);
  const cPath = (4 + effective / n) / (n + 4 + (2 * effective) / n);
  const cRank1 = ((n + 2) / 3) * (2 / ((n + 1.3) ** 2 + effective));
  const cRankMu = Math.min(
    1 - cRank1,
    ((n + 2) / 3) * ((2 * (effective - 2 + 1 / effective)) / ((n + 2) ** 2 + effective)),
  );
  const expectedNorm = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));

  let sigma = step;
  let mean = [...start];
  let variance = start.map(() => 1);
  let [pathSigma, path] = [start.map(() => 0), start.map(() => 0)];
  let best = { point: [...start], loss: await loss(start) };
  const history: number[] = [];
  for (let generation = 1; generation <= generations; generation++) {
    const offspring: { z: number[]; point: number[]; loss: number }[] = [];
    for (let child = 0; child < population; child++) {
      const z = mean.map(() => rng.normal());
      const point = mean.map((m, i) => m + sigma * Math.sqrt(variance[i]!) * z[i]!);
      offspring.push({ z, point, loss: await loss(point) });
    }
    offspring.sort((a, b) => a.loss - b.loss);
    const chosen = offspring.slice(0, parents);
    const blend = (pick: (o: typeof chosen[number]) => readonly number[]) =>
      mean.map((_, i) => chosen.reduce((sum, o, j) => sum + weights[j]! * pick(o)[i]!, 0));
    const z = blend((o) => o.z);
    mean = blend((o) => o.point);
    pathSigma = pathSigma.map((p, i) => (1 - cSigma) * p + Math.sqrt(cSigma * (2 - cSigma) * effective) * z[i]!);
    path = path.map((p, i) =>
      (1 - cPath) * p + Math.sqrt(cPath * (2 - cPath) * effective) * Math.sqrt(variance[i]!) * z[i]!
    );
    variance = variance.map((v, i) =>
      (1 - cRank1 - cRankMu) * v + cRank1 * path[i]! ** 2 +
      cRankMu * chosen.reduce((sum, o, j) => sum + weights[j]! * v * o.z[i]! ** 2, 0)
    );
    sigma *= Math.exp((cSigma / dSigma) * (Math.hypot(...pathSigma) / expectedNorm - 1));
    const leader = chosen[0]!;
    if (leader.loss < best.loss) best = { point: leader.point, loss: leader.loss };
    history.push(leader.loss);
    onGeneration?.(generation, leader.loss);
  }
  return { best: best.point, loss: best.loss, history };
}
