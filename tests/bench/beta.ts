import { randomNormal } from "d3-random";
import { createRng } from "@/core/rng.ts";
import { betaConvergence } from "@/stats/mod.ts";
import { atLeast, atMost, type BenchRow } from "./bench_row.ts";

/** A process, the β that it has, and its next value. */
interface Process {
  readonly name: string;
  readonly truth: number;
  readonly next: (x: number, normal: () => number) => number;
}

const FIRST_SPREAD = 0.05;
const ROUNDS = 12;
const ENSEMBLES = 400;
const PROCESSES: readonly Process[] = [
  { name: "random walk", truth: 0, next: (x, normal) => x + 0.05 * normal() },
  { name: "AR(1) 0.8", truth: -0.2, next: (x, normal) => 0.8 * x + 0.05 * normal() },
  { name: "exponential 0.05", truth: Math.expm1(0.05), next: (x, normal) => x * Math.exp(0.05) + 0.02 * normal() },
];

/** β where it is known: its bias, and how often the interval holds it, over ensembles of twenty and of forty runs. */
export function benchBeta(): Promise<BenchRow[]> {
  const rows = PROCESSES.flatMap((process) =>
    [[20, 0.015], [40, 0.005]].flatMap(([R = 0, bias = 0]) => {
      const { mean, covered } = measured(process, R);
      const unit = `over ${ENSEMBLES} ensembles`;
      return [
        atMost(bias, {
          name: `β of ${process.name}, R = ${R}, size of the bias`,
          value: Math.abs(mean - process.truth),
          unit,
        }),
        atLeast(0.93, {
          name: `β of ${process.name}, R = ${R}, share of intervals that hold it`,
          value: covered,
          unit,
        }),
      ];
    })
  );
  return Promise.resolve(rows);
}

function measured({ name, truth, next }: Process, replicates: number): { mean: number; covered: number } {
  const rng = createRng(1).fork(`${name}, ${replicates}`), normal = randomNormal.source(() => rng.next())();
  let [sum, held] = [0, 0];
  for (let ensemble = 0; ensemble < ENSEMBLES; ensemble++) {
    const runs = Array.from({ length: replicates }, () => pathOf(next, normal));
    const { beta = NaN, low = NaN, high = NaN } = betaConvergence(runs, { from: 2, to: ROUNDS });
    sum += beta;
    if (low <= truth && truth <= high) held++;
  }
  return { mean: sum / ENSEMBLES, covered: held / ENSEMBLES };
}

function pathOf(next: Process["next"], normal: () => number): number[][] {
  const path = [FIRST_SPREAD * normal()];
  while (path.length < ROUNDS) path.push(next(path.at(-1) ?? 0, normal));
  return path.map((x) => [x]);
}
