import { fileURLToPath } from "node:url";
import { growing, walkers } from "../stats/ensembles.ts";
import { createRng } from "@/core/rng.ts";
import {
  bootstrapSlope,
  diffusiveNull,
  divergence,
  lyapunovSlope,
  permutationNull,
  type Trajectory,
} from "@/stats/mod.ts";
import { subsetOf } from "@/stats/subset.ts";
import { atMost, type BenchRow } from "./bench_row.ts";

interface Work {
  resamples: number;
  /** 0: none. */
  permutations: number;
}

/** What the NumPy peer prints. */
interface PeerResult {
  lambda: number;
  low: number;
  high: number;
  p: number;
  milliseconds: number;
}

const PEER = fileURLToPath(new URL("./numpy_peer.py", import.meta.url));
const NO_NUMPY = "NumPy was not found, so there is nothing to compare with: install Debian's python3-numpy";
const PAPER: Work = { resamples: 500, permutations: 2000 };
/** Rounds in which ours and the peer take turns. */
const ROUNDS = 5;

/**
 * Bootstrap and permutation null against the vectorised NumPy peer, each on one thread, taking turns on the same seeded
 * ensembles; and whether both come to the same slope and p-value.
 *
 * Ours does more: every resample and every shuffle also gets a standard error, for the studentised interval and test.
 */
export async function benchStatistics(): Promise<BenchRow[]> {
  const peer = await findPeer();
  const [small, large, huge] = [20, 200, 1000].map((replicates) => walkers(createRng(replicates), { replicates }));
  const many = { resamples: 10_000, permutations: 10_000 }, bootstrap = { resamples: 1000, permutations: 0 };
  return [
    ...await compareSpeed("R = 20, 500 resamples + 2,000 permutations", small!, PAPER, peer, { ms: 9, ratio: 0.45 }),
    ...await compareSpeed("R = 20, 10,000 + 10,000", small!, many, peer, { ms: 50, ratio: 0.6 }),
    ...await compareSpeed("R = 200, 500 + 200", large!, { ...PAPER, permutations: 200 }, peer, { ratio: 0.6 }),
    ...await compareSpeed("R = 1,000, 1,000 resamples without errors", huge!, bootstrap, peer, { ratio: 2 }),
    // Both resample all runs and shuffle 500; once each, since NumPy takes half a minute.
    ...await compareSpeed("R = 1,000, 500 resamples + 2,000 permutations of 500", huge!, PAPER, peer, {
      ratio: 0.5,
      once: true,
    }),
    atMost(3000, await timed("R = 1,000, 1,000 resamples with errors", () => analyse(huge!, bootstrap))),
    atMost(12, await timed("diffusiveNull, R = 20, 2,000 draws", () => diffusiveNull(small!, { rng: createRng(1) }))),
    ...(peer === undefined ? [] : await compareAnswers(peer)),
  ];
}

/** The analysis that the peer does; without permutations also without standard errors, as there. */
function analyse(runs: readonly Trajectory[], { permutations, ...work }: Work, studentise = true): void {
  const rng = createRng(1);
  bootstrapSlope(runs, { rng, ...work, studentise });
  if (permutations > 0) permutationNull(subsetOf(runs, rng), { rng, permutations });
}

async function compareSpeed(
  name: string,
  runs: readonly Trajectory[],
  work: Work,
  peer: Peer | undefined,
  { ms, ratio, once = false }: { ms?: number; ratio: number; once?: boolean },
): Promise<BenchRow[]> {
  const times: number[] = [],
    ask = async () => {
      if (peer !== undefined) times.push((await peer.ask(runs, work, once ? 1 : 3)).milliseconds);
    };
  const own = await timed(name, () => analyse(runs, work, work.permutations > 0), ask, once ? 1 : ROUNDS);
  const row = ms === undefined ? own : atMost(ms, own);
  if (peer === undefined) return [{ ...row, note: `${row.note}. ${NO_NUMPY}` }];
  const theirs = bestOf(`${name}: NumPy ${peer.version}`, times);
  const quotient = { name: `${name}: ratio to NumPy`, value: round(row.value / theirs.value), unit: "×" };
  return [row, theirs, atMost(ratio, quotient)];
}

/** The best of some rounds, each as the peer measures: warmed up, the middle of three. `between` has its turn after each. */
async function timed(
  name: string,
  work: () => void,
  between = async () => {},
  rounds = ROUNDS,
): Promise<BenchRow> {
  const once = () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    once();
    times.push([once(), once(), once()].sort((a, b) => a - b)[1]!);
    await between();
  }
  return bestOf(name, times);
}

function bestOf(name: string, times: readonly number[]): BenchRow {
  const note = `best of ${times.length}, worst ${round(Math.max(...times))} ms`;
  return { name, value: round(Math.min(...times)), unit: "ms", note };
}

/** On stationary replicates, where p is neither 0 nor 1. Chance differs, so p may by three standard errors. */
async function compareAnswers(peer: Peer): Promise<BenchRow[]> {
  const runs = growing(createRng(7), 0, { replicates: 20 });
  const theirs = await peer.ask(runs, PAPER);
  const { lambda } = lyapunovSlope(divergence(runs));
  const { resamples, permutations } = PAPER, rng = createRng(1);
  const { p } = permutationNull(runs, { rng, permutations });
  const { low, high } = bootstrapSlope(runs, { rng, resamples }).percentile;
  const width = theirs.high - theirs.low;
  const apart = Math.max(Math.abs(low! - theirs.low), Math.abs(high! - theirs.high)) / width;
  const slopes = Math.abs(lambda! - theirs.lambda);
  return [
    atMost(1e-9, { name: "λ̂: difference from NumPy", value: slopes, unit: "nats per round" }),
    atMost(0.05, { name: "p: difference from NumPy", value: round(Math.abs(p! - theirs.p)), unit: "" }),
    atMost(0.2, { name: "interval: difference from NumPy", value: round(apart), unit: "of its width" }),
  ];
}

/** The peer, as it can be run here. */
interface Peer {
  readonly version: string;
  ask(runs: readonly Trajectory[], work: Work, repeat?: number): Promise<PeerResult>;
}

/** With the first Python that can import NumPy, the system's before any other. */
async function findPeer(): Promise<Peer | undefined> {
  for (const python of ["/usr/bin/python3", "python3"]) {
    try {
      const args = ["-c", "import numpy; print(numpy.__version__)"];
      const { success, stdout } = await new Deno.Command(python, { args, stderr: "null" }).output();
      const version = new TextDecoder().decode(stdout).trim();
      if (success) return { version: `${version} (${python})`, ask: (...asked) => askPeer(python, ...asked) };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

async function askPeer(
  python: string,
  runs: readonly Trajectory[],
  { resamples, permutations }: Work,
  repeat = 3,
): Promise<PeerResult> {
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, JSON.stringify(runs));
    const { success, stdout, stderr } = await new Deno.Command(python, {
      args: [
        PEER,
        file,
        ...Object.entries({ resamples, permutations, repeat }).flatMap(([k, v]) => [`--${k}`, `${v}`]),
      ],
      env: { OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1" },
    }).output();
    if (!success) throw new Error(`the NumPy peer failed: ${new TextDecoder().decode(stderr)}`);
    const printed = JSON.parse(new TextDecoder().decode(stdout));
    return { ...printed, milliseconds: printed["bootstrap_ms"] + (printed["permutation_ms"] ?? 0) };
  } finally {
    await Deno.remove(file);
  }
}

const round = (value: number) => Number(value.toPrecision(3));
