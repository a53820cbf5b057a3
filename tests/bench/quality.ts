import { createRng, type Rng } from "@/core/rng.ts";
import { loadPublishedRows } from "@/lab/paper/published_rows.ts";
import type { PreservedSummary } from "@/schema/station_summary.ts";
import { PUBLISHED_WEIGHTS, rescore, type Weights } from "@/quality/mod.ts";
import type { PublishedRow } from "@/quality/published_row.ts";
import { boundsSolver, fillOrder } from "@/quality/rescore_bounds.ts";
import { unitWeights } from "@/quality/weights.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";
import { atMost, type BenchRow, peakMB } from "./bench_row.ts";

/** Preserved runs under many weights, the bounds of printed ones, and peak memory; on one core. */
export async function benchQuality(): Promise<BenchRow[]> {
  const rng = createRng(1);
  const before = peakMB();
  const summaries = Array.from({ length: 10_000 }, () => preserved(rng));
  const weightings = Array.from({ length: 1000 }, () => anyWeights(rng));
  const printed = (await loadPublishedRows()).slice(0, 30).map(({ row }) => row);
  const bounds = timed(() => sumOfWidths(printed, weightings));
  const plain = timed(() => rescore(summaries, weightings[0]!).filter(({ rank }) => rank === 1).length);
  return [
    atMost(0.1, {
      name: "bounds of 30 printed runs × 1,000 weightings",
      value: bounds.seconds,
      unit: "s",
      note: `mean width ${(bounds.result / 3e4).toFixed(3)}`,
    }),
    { name: "rescore(): 10,000 summaries, checked and ranked", value: plain.seconds, unit: "s" },
    atMost(300, {
      name: "peak memory of this process",
      value: peakMB(),
      unit: "MB",
      note: `${before.toFixed(0)} MB before the runs`,
    }),
  ];
}

function preserved(rng: Rng): PreservedSummary {
  const components = Object.fromEntries(COMPONENTS.map((name) => [name, rng.next()]));
  const q = COMPONENTS.reduce((sum, name) => sum + PUBLISHED_WEIGHTS[name] * components[name]!, 0);
  return { stabilized: rng.next() < 0.9, passed_count: 1, components, q };
}

function anyWeights(rng: Rng): Weights {
  return unitWeights(Object.fromEntries(COMPONENTS.map((name) => [name, -Math.log1p(-rng.next())])), {
    normalise: true,
  });
}

function sumOfWidths(rows: readonly PublishedRow[], weightings: readonly Weights[]): number {
  const solvers = rows.map(boundsSolver);
  let sum = 0;
  for (const filling of weightings.map((weights) => fillOrder(weights))) {
    for (const bounds of solvers) {
      const { low, high } = bounds(filling);
      sum += high - low;
    }
  }
  return sum;
}

function timed<Result>(work: () => Result): { seconds: number; result: Result } {
  const begin = performance.now();
  const result = work();
  return { seconds: (performance.now() - begin) / 1000, result };
}
