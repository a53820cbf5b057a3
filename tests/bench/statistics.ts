import { fileURLToPath } from "node:url";
import { growing, walkers } from "../stats/ensembles.ts";
import { createRng } from "@/core/rng.ts";
import { bootstrapSlope, divergence, lyapunovSlope, permutationNull, type Trajectory } from "@/stats/mod.ts";
import { atMost, type BenchRow } from "./bench_row.ts";

interface Work {
  resamples: number;
  permutations: number;
}

/** What the NumPy peer prints. */
interface PeerResult {
  lambda: number;
  low: number;
  high: number;
  p: number;
  bootstrapMs: number;
  permutationMs: number;
}

const PEER = fileURLToPath(new URL("./numpy_peer.py", import.meta.url));
const NO_NUMPY = "NumPy was not found, so there is nothing to compare with: install Debian's python3-numpy";

/**
 * Bootstrap and permutation null against the vectorised NumPy peer, each on one thread and measured one after the other
 * on the same seeded ensembles; and whether both come to the same slope and p-value.
 *
 * Ours does more: every resample also gets a standard error, for the studentised interval.
 */
export async function benchStatistics(): Promise<BenchRow[]> {
  const python = await findPython();
  const small = walkers(createRng(20), { replicates: 20 }), large = walkers(createRng(200), { replicates: 200 });
  const paper = { resamples: 500, permutations: 2000 };
  return [
    ...await compareSpeed("R = 20, 500 resamples + 2,000 permutations", small, paper, { python, limit: 1 }),
    ...await compareSpeed("R = 200, 500 resamples + 200 permutations", large, { ...paper, permutations: 200 }, {
      python,
    }),
    ...(python === undefined ? [] : await compareAnswers(python, paper)),
  ];
}

async function compareSpeed(
  name: string,
  runs: readonly Trajectory[],
  work: Work,
  { python, limit }: { python: string | undefined; limit?: number },
): Promise<BenchRow[]> {
  const ours = {
    bootstrap: medianMs(() => bootstrapSlope(runs, { rng: createRng(1), ...work })),
    permutation: medianMs(() => permutationNull(runs, { rng: createRng(1), ...work })),
  };
  const total = ours.bootstrap + ours.permutation;
  const row = { name, value: round(total), unit: "ms", note: parts(ours.bootstrap, ours.permutation) };
  if (python === undefined) return [{ ...row, note: `${row.note}. ${NO_NUMPY}` }];
  const peer = await askPeer(python, runs, work);
  const peerTotal = peer.bootstrapMs + peer.permutationMs;
  const ratio: BenchRow = { name: `${name}: ratio to NumPy`, value: round(total / peerTotal), unit: "×" };
  return [
    row,
    {
      name: `${name}: NumPy`,
      value: round(peerTotal),
      unit: "ms",
      note: parts(peer.bootstrapMs, peer.permutationMs),
    },
    limit === undefined ? ratio : atMost(limit, ratio),
  ];
}

/** On stationary replicates, where p is neither 0 nor 1. Chance differs, so p may by three standard errors. */
async function compareAnswers(python: string, work: Work): Promise<BenchRow[]> {
  const runs = growing(createRng(7), 0, { replicates: 20 });
  const peer = await askPeer(python, runs, work);
  const { lambda } = lyapunovSlope(divergence(runs));
  const { p } = permutationNull(runs, { rng: createRng(1), ...work });
  const { low, high } = bootstrapSlope(runs, { rng: createRng(1), ...work });
  const width = peer.high - peer.low;
  const apart = Math.max(Math.abs(low! - peer.low), Math.abs(high! - peer.high)) / width;
  return [
    atMost(1e-9, { name: "λ̂: difference from NumPy", value: Math.abs(lambda! - peer.lambda), unit: "nats per round" }),
    atMost(0.05, { name: "p: difference from NumPy", value: round(Math.abs(p! - peer.p)), unit: "" }),
    atMost(0.2, { name: "interval: difference from NumPy", value: round(apart), unit: "of its width" }),
  ];
}

/** The first Python that can import NumPy. A version manager's `python3` often cannot where the system's can. */
async function findPython(): Promise<string | undefined> {
  for (const python of ["python3", "/usr/bin/python3"]) {
    try {
      const { success } = await new Deno.Command(python, { args: ["-c", "import numpy"], stderr: "null" }).output();
      if (success) return python;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

async function askPeer(python: string, runs: readonly Trajectory[], work: Work): Promise<PeerResult> {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, JSON.stringify(runs));
    const { success, stdout, stderr } = await new Deno.Command(python, {
      args: [PEER, file, "--resamples", `${work.resamples}`, "--permutations", `${work.permutations}`],
      env: { OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" },
    }).output();
    if (!success) throw new Error(`the NumPy peer failed: ${new TextDecoder().decode(stderr)}`);
    const printed = JSON.parse(new TextDecoder().decode(stdout));
    return { ...printed, bootstrapMs: printed["bootstrap_ms"], permutationMs: printed["permutation_ms"] };
  } finally {
    await Deno.remove(file);
  }
}

/** Median of several, after as many that let the compiler settle. */
function medianMs(work: () => void, repeat = 9): number {
  for (let n = 0; n < repeat; n++) work();
  const times = Array.from({ length: repeat }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return times.toSorted((a, b) => a - b)[repeat >> 1]!;
}

const round = (value: number) => Number(value.toPrecision(3));
const parts = (bootstrap: number, permutation: number) =>
  `bootstrap ${round(bootstrap)} ms, permutation null ${round(permutation)} ms`;
