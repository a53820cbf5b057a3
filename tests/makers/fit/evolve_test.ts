import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { evolve } from "./evolve.ts";

type Point = readonly number[];
const TARGET = [3, -2, 0.5, 10, -7];
const quadratic = (point: Point) => point.reduce((sum, x, i) => sum + (x - TARGET[i]!) ** 2, 0);
/** Widths of the bowl from 1 to 1000: each coordinate needs a step of its own. */
const stretched = (point: Point) => point.reduce((sum, x, i) => sum + 1000 ** (i / 2) * (x - TARGET[i]!) ** 2, 0);
const rosenbrock = ([x, y]: Point) => (1 - x!) ** 2 + 100 * (y! - x! ** 2) ** 2;

Deno.test("evolve() finds the minimum of a shifted bowl to 1e-4", async () => {
  const { best, loss } = await evolve(quadratic, [0, 0, 0, 0, 0], { rng: createRng(1), generations: 250 });
  best.forEach((x, i) => assert.ok(Math.abs(x - TARGET[i]!) < 1e-4, `${best}`));
  assert.equal(loss, quadratic(best));
});

Deno.test("evolve() gives each coordinate a width of its own", async () => {
  const { best } = await evolve(stretched, [0, 0, 0, 0, 0], { rng: createRng(1), generations: 400 });
  best.forEach((x, i) => assert.ok(Math.abs(x - TARGET[i]!) < 1e-4, `${best}`));
});

Deno.test("evolve() follows Rosenbrock's valley to its end, to 1e-5", async () => {
  // Slowly, since widths by coordinate do not fit a valley that runs aslant.
  for (const seed of [1, 2, 3]) {
    const { best } = await evolve(rosenbrock, [-1.2, 1], { rng: createRng(seed), generations: 6000 });
    best.forEach((x) => assert.ok(Math.abs(x - 1) < 1e-5, `${best}`));
  }
});

Deno.test("evolve() is deterministic in its stream and calls nothing else random", async () => {
  const search = (seed: number) => evolve(quadratic, [0, 0, 0, 0, 0], { rng: createRng(seed), generations: 20 });
  assert.deepEqual(await search(1), await search(1));
  assert.notDeepEqual((await search(1)).best, (await search(2)).best);
});

Deno.test("evolve() keeps the best point it met, the start included, and tells of each generation", async () => {
  const told: [number, number][] = [];
  let calls = 0;
  const start = TARGET.slice();
  const counted = (point: Point) => {
    calls++;
    return quadratic(point);
  };
  const onGeneration = (generation: number, best: number) => told.push([generation, best]);
  const { best, loss, history } = await evolve(counted, start, {
    rng: createRng(1),
    generations: 7,
    population: 9,
    onGeneration,
  });
  assert.deepEqual(best, TARGET);
  assert.equal(loss, 0);
  assert.equal(calls, 1 + 7 * 9);
  assert.deepEqual(told, history.map((best, i) => [i + 1, best]));
  assert.ok(history.every((best) => best > 0));
  assert.deepEqual(start, TARGET, "the start is left as it was");
});

Deno.test("evolve() without generations is its start, and steps are as wide as asked", async () => {
  const { best, loss, history } = await evolve(quadratic, [1, 1, 1, 1, 1], { rng: createRng(1), generations: 0 });
  assert.deepEqual([best, loss, history], [[1, 1, 1, 1, 1], quadratic([1, 1, 1, 1, 1]), []]);
  const points: number[] = [];
  const record = (point: Point) => points.push(...point) && 0;
  await evolve(record, [5], { rng: createRng(1), generations: 1, population: 2000, step: 0.1 });
  const [, ...cloud] = points;
  const sd = Math.sqrt(cloud.reduce((sum, x) => sum + (x - 5) ** 2, 0) / cloud.length);
  assert.ok(Math.abs(sd - 0.1) < 4 * 0.1 / Math.sqrt(2 * cloud.length), `${sd}`);
});

Deno.test("evolve() walks out of a region where the loss is infinite", async () => {
  const walled = (point: Point) => (point[0]! < 0.5 ? Infinity : quadratic([...point, 0.5, 10, -7]));
  const { best } = await evolve(walled, [0, 0], { rng: createRng(1), generations: 200 });
  assert.ok(Math.abs(best[0]! - 3) < 1e-4 && Math.abs(best[1]! + 2) < 1e-4, `${best}`);
});
