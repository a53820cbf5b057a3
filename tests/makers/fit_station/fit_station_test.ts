import assert from "node:assert/strict";
import type { Mosaic } from "@/schema/mosaic.ts";
import type { StationSummary } from "@/schema/station_summary.ts";
import { RULES } from "@/station/rules.ts";
import { fitSeeds, fitStation, FLOOR_TARGETS, floorFacts, floorRuns } from "./fit_station.ts";

/** Rules to be fitted on few seeds, some of them in the panel. */
const FEW: Mosaic = { ...RULES, seeds: { ...RULES.seeds, fit: [1, 8], panel: [3, 7] } };
const SEEDS = [1, 2, 4, 5, 6, 8];

/** The same, started away from where the facts put it. */
const FAR: Mosaic = { ...FEW, start: { ...FEW.start, order: 0.8 }, shock: { ...FEW.shock, rumorHeat: 0.6 } };

const misfit = (facts: Record<string, number>): number =>
  Object.entries(FLOOR_TARGETS).reduce((sum, [name, { value, unit }]) => sum + ((facts[name]! - value) / unit) ** 2, 0);

Deno.test("fitSeeds() are the fit seeds without the panel, and none that is held out", () => {
  const seeds = fitSeeds(RULES);
  assert.equal(seeds.length, 144);
  for (const seed of RULES.seeds.panel) assert.ok(!seeds.includes(seed), `panel seed ${seed}`);
  assert.deepEqual([Math.min(...seeds), Math.max(...seeds), new Set(seeds).size], [1, 150, 144]);
  assert.deepEqual(fitSeeds(FEW), SEEDS);
});

Deno.test("floorFacts() of two runs by hand", () => {
  const one = (q: number, public_order: number, active_rumors: number, classification: string, stabilized = true) =>
    ({ q, public_order, active_rumors, classification, stabilized }) as StationSummary;
  const facts = floorFacts([
    one(0.6, 0.45, 1, "BENCHMARK_ADEQUATE"),
    one(0.8, 0.65, 4, "FAILED_AFTER_VALID_PLAN", false),
  ]);
  const due = { q: 0.7, qSpread: 0.02 ** 0.5, margin: 0.2, marginSpread: 0.02 ** 0.5, rumors: 2.5, adequate: 0.5 };
  for (const [name, value] of Object.entries({ ...due, stabilized: 0.5 })) {
    assert.ok(Math.abs(facts[name as keyof typeof facts] - value) < 1e-12, name);
  }
});

Deno.test("floorRuns() runs the clerk alone, under the rules it is given", async () => {
  const [one] = await floorRuns([5], RULES);
  assert.deepEqual([one!.seed, one!.fallback_actions, one!.synthetic], [5, 36, true]);
  const [calm] = await floorRuns([5], { ...RULES, start: { ...RULES.start, order: 0.6 } });
  assert.ok(calm!.public_order < one!.public_order);
});

Deno.test("fitStation() comes nearer within its ridge, on the fit seeds alone, and leaves its input as it is", async () => {
  const before = structuredClone(FAR);
  const told: number[] = [];
  const fitted = await fitStation(FAR, {
    seed: 2,
    generations: 1,
    onGeneration: (generation) => told.push(generation),
  });
  assert.deepEqual(FAR, before);
  assert.deepEqual(told, [1]);
  // A panel seed among the runs would change these facts.
  assert.deepEqual(fitted.facts, floorFacts(await floorRuns(SEEDS, fitted.rules)));

  const start = misfit(floorFacts(await floorRuns(SEEDS, FAR)));
  assert.ok(fitted.loss < start, `${fitted.loss} is not below ${start}`);
  const moves = Object.values(fitted.constants).map(([from, to]) => Math.log(to / from) / Math.log(1.2));
  assert.equal(moves.length, 8);
  const ridge = moves.reduce((sum, move) => sum + move ** 2, 0);
  assert.ok(ridge > 0.01 && ridge < fitted.loss, "what the constants moved by is part of the loss");
  // The rules hold three digits, the loss was reached with all of them.
  assert.ok(Math.abs(misfit(fitted.facts) + ridge - fitted.loss) < 0.1 * fitted.loss);

  const changed = structuredClone(FAR) as unknown as Record<string, Record<string, unknown>>;
  for (const [path, [from, to]] of Object.entries(fitted.constants)) {
    const keys = path.split(".");
    const node = keys.slice(0, -1).reduce<Record<string, unknown>>((at, key) => at[key] as typeof at, changed);
    assert.equal(node[keys.at(-1)!], from);
    assert.equal(to, Number(to.toPrecision(3)));
    node[keys.at(-1)!] = to;
  }
  assert.deepEqual(fitted.rules, changed, "nothing but the constants that are named moves");
});

Deno.test("fitStation() gives equal results for equal seeds, and others for others", async () => {
  const fit = (seed: number) => fitStation({ ...FEW, seeds: { ...FEW.seeds, fit: [1, 4] } }, { seed, generations: 1 });
  const [one, again, other] = [await fit(2), await fit(2), await fit(3)];
  assert.deepEqual(again, one);
  assert.notDeepEqual(other.constants, one.constants);
});

Deno.test("fitStation() without a generation keeps every constant", async () => {
  const { constants, loss, rules } = await fitStation(FEW, { seed: 1, generations: 0 });
  for (const [path, [from, to]] of Object.entries(constants)) assert.equal(to, from, path);
  assert.equal(loss, misfit(floorFacts(await floorRuns(SEEDS, FEW))));
  assert.deepEqual(rules, FEW);
});

Deno.test("fitStation() keeps levels and shares within [0, 1] where the data pull them beyond", async () => {
  const edge: Mosaic = {
    ...FEW,
    seeds: { ...FEW.seeds, fit: [1, 2], panel: [] },
    start: { ...FEW.start, order: 0.999 },
    close: { ...FEW.close, scandalKeep: 0.999, orderScandal: 0.06, orderPower: 0.2 },
  };
  for (const seed of [1, 2, 3, 4]) {
    const { rules } = await fitStation(edge, { seed, generations: 1 });
    assert.ok(rules.start.order <= 1, `order ${rules.start.order}`);
    assert.ok(rules.close["scandalKeep"]! <= 1, `scandalKeep ${rules.close["scandalKeep"]}`);
  }
});
