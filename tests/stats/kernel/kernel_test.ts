import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import bytes from "@/stats/kernel/bytes.json" with { type: "json" };
import { type ErrorKind, kernel, kernelOf } from "@/stats/kernel/kernel.ts";
import { plainShuffledSums, plainWalkSums } from "@/stats/nulls.ts";
import { plainForms } from "@/stats/weighted_slopes.ts";
import { walkers } from "../ensembles.ts";

const compiled = kernel()!;

/** Runs of any number up to past two blocks, any rounds, any options, and a window within them. */
const ensembles = fc.record({
  seed: fc.nat(),
  replicates: fc.integer({ min: 2, max: 43 }),
  rounds: fc.integer({ min: 3, max: 27 }),
  options: fc.integer({ min: 1, max: 5 }),
  ends: fc.tuple(fc.nat(), fc.nat()),
}).map(({ seed, ends: [a, b], ...size }) => {
  const from = 1 + a % (size.rounds - 2), to = from + 2 + b % (size.rounds - from - 1);
  return { rng: createRng(seed), runs: walkers(createRng(seed).fork("runs"), size), window: { from, to } };
});

/** That two lists agree to within some units of the last place, and where there is no number. */
function assertNear(actual: Float64Array, expected: Float64Array, relative: number, absolute = 0): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => {
    const wanted = expected[i]!, near = Math.abs(value - wanted) <= relative * Math.abs(wanted) + absolute;
    assert.ok(near || Number.isNaN(value) && Number.isNaN(wanted), `${value} for ${wanted} at ${i}`);
  });
}

for (const kind of ["none", "influence", "delete-one"] satisfies ErrorKind[]) {
  Deno.test(`the kernel's forms are those of plain TypeScript, and so are errors of kind ${kind}`, () => {
    fc.assert(
      fc.property(ensembles, fc.integer({ min: 1, max: 9 }), ({ rng, runs, window }, samples) => {
        const counts = Int32Array.from({ length: samples * runs.length }, () => Math.max(0, rng.int(5) - 1));
        const [fast, plain] = [compiled.forms, plainForms].map((forms) => forms(runs, counts, window, kind));
        assertNear(fast!.sums, plain!.sums, 1e-14);
        assertNear(fast!.errors, plain!.errors, 1e-12, 1e-14);
      }),
      { seed: 1 },
    );
  });
}

Deno.test("the kernel shuffles and walks as plain TypeScript does, to the last bit", () => {
  fc.assert(
    fc.property(ensembles, fc.integer({ min: 1, max: 9 }), ({ rng, runs, window }, permutations) => {
      const draws = (label: string) => ({ rng: rng.fork(label), permutations, window });
      const [fast, plain] = [compiled.shuffledSums, plainShuffledSums].map((sums) => sums(runs, draws("shuffle")));
      assert.deepEqual(fast!.sums, plain!.sums);
      assertNear(fast!.errors, plain!.errors, 1e-12, 1e-14);
      assert.deepEqual(compiled.walkSums(runs, draws("walk")), plainWalkSums(runs, draws("walk")));
    }),
    { seed: 1 },
  );
});

Deno.test("the kernel has the error of a run that carries nearly everything, whose shares are too small to multiply", () => {
  // Without the last run less than a ten thousandth of D is left; where the others agree, none.
  const [last, ...others] = walkers(createRng(4), { replicates: 4 });
  const given = [...others, last!.map((state) => state.map((value) => 3e4 * value))];
  const agreeing = given.map((run, i) => (i < 3 ? run.with(9, [1, 0, 0]) : run));
  for (const runs of [given, agreeing]) {
    const counts = Int32Array.of(1, 1, 1, 1, 0, 2, 1, 1), window = { from: 3, to: 20 };
    const [fast, plain] = [compiled.forms, plainForms].map((forms) => forms(runs, counts, window, "delete-one").errors);
    assertNear(fast!, plain!, 1e-9);
    assert.deepEqual([...fast!].map(Number.isNaN), runs === given ? [false, false] : [true, true]);
  }
});

Deno.test("a kernel that does not load is told of once, and is then not there", () => {
  const told: string[] = [];
  const broken = kernelOf(bytes.join("").slice(0, 100), (message) => told.push(message));
  assert.deepEqual(told, []);
  assert.deepEqual([broken(), broken()], [undefined, undefined]);
  assert.match(
    told.join("\n"),
    /^statistics take longer, since their compiled kernel does not load: CompileError: [^\n]*$/,
  );
});

Deno.test("without WebAssembly estimates are the same and one line says that they take longer", async () => {
  const script = `
    if (Deno.args[0] === "without") delete globalThis.WebAssembly;
    const { createRng } = await import("@/core/rng.ts");
    const { bootstrapSlope, diffusiveNull, permutationNull } = await import("@/stats/mod.ts");
    const { walkers } = await import("./tests/stats/ensembles.ts");
    const runs = walkers(createRng(1), { replicates: 8 }), rng = createRng(2);
    const { low, percentile } = bootstrapSlope(runs, { rng });
    const [plain, walk] = [permutationNull(runs, { rng }), diffusiveNull(runs, { rng, permutations: 99 })];
    console.log([percentile.low, low, plain.p, plain.studentised.p, walk.p].map((x) => x.toPrecision(12)).join());`;
  const [fast, plain] = await Promise.all(
    ["with", "without"].map(async (how) => {
      const args = ["run", "--no-check", "--ext=ts", "-", how];
      const child = new Deno.Command("deno", { args, stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(script));
      await writer.close();
      const { stdout, stderr } = await child.output();
      return [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
    }),
  );
  assert.equal(fast![0]!.split(",").length, 5);
  assert.equal(plain![0], fast![0]);
  assert.equal(fast![1], "");
  assert.match(plain![1]!, /^statistics take longer[^\n]*$/);
});
