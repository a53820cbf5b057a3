import { cumulativeStdNormalProbability, mean, sampleStandardDeviation } from "simple-statistics";
import { signFlipTest, signTest } from "@/stats/exact_tests.ts";
import { referenceSlopes } from "@/stats/lyapunov_slope.ts";
import { kendallTau } from "@/stats/rank_correlation.ts";
import type { DeliberationEvidence } from "./deliberation_tables.ts";
import { descending, factRange, lowest, parted, rowOf } from "./rows.ts";
import type { Quantities } from "./values.ts";

type Condition = DeliberationEvidence["conditions"][number];

/** The rounding error of a slope printed to four decimals. */
const HALF_DIGIT = 0.00005;

/** Standard errors of a two-sided interval of 95 %. */
const STANDARD_ERRORS = 1.96;

/** The numbers behind claims about slopes, in nats per round. */
export const SLOPE_QUANTITIES: Quantities<DeliberationEvidence> = {
  /** HL-01's four slopes (Fig. 1B) and how they combine; `contrast` is zero where the two effects add up. */
  routes: ({ routes }) => squareOf(routes),

  /** The interaction contrast beside standard errors: none is printed, so that of the contrast is unknown. */
  contrastError({ routes, conditions }) {
    const { contrast, size } = squareOf(routes);
    const [withRoles, without] = [true, false].map((roles) => deviation(sweep(conditions, roles)));
    const errors = size / Math.hypot(withRoles!, withRoles!, without!, without!);
    return { contrast, size, cell: size / 2 / STANDARD_ERRORS, withRoles, without, errors };
  },

  /** The change by mixing models, and the range of slopes over single models. */
  otherModels({ routes, models }) {
    const alone = slopes(models.filter((row) => !row.roles && row.temperature === 0));
    return { mixedAlone: squareOf(routes).mixedAlone, alone, spread: Math.max(...alone) - Math.min(...alone) };
  },

  /** Number of scenarios in which roles steepen the slope, and by how much. */
  rolesRaise({ landscape }, { temperature }) {
    const pairs = scenarioPairs(landscape, temperature as number), [first, ...rest] = descending(pairs, effectOf);
    return { pairs, ...turned(pairs), first, rest, flip: signFlipTest(pairs.map(effectOf)) };
  },

  /** Slopes of uniform committees without roles. */
  baseline({ landscape, models }) {
    const cells = landscape.filter((row) => !row.roles), positive = cells.filter(isPositive);
    const others = models.filter((row) => !row.roles && row.provider !== "Baseline");
    const [theirs, below] = parted(others, isPositive), least = lowest(cells, slopeOf);
    return { cells, positive, share: positive.length / cells.length, least, others, theirs, below };
  },

  /** Number of scenarios in which no configuration has a lower slope at T = 0 than the uniform one without roles. */
  lowestOfAll({ landscape, mixed }) {
    const pairs = scenarioPairs(landscape, 0), printed = mixed.filter(isPrinted);
    const mixedBelow = ({ name, without }: RolePair) =>
      printed.some(({ scenario, lambda }) => scenario === name && lambda < without);
    const undercut = pairs.filter((pair) => pair.effect < 0 || mixedBelow(pair));
    const possible = pairs.length - undercut.length, unprinted = mixed.length - printed.length;
    const narrow = descending(undercut.filter((pair) => !mixedBelow(pair)), effectOf).slice(0, 2)
      .map(({ name, effect }) => ({ name, by: -effect }));
    const again = turned(scenarioPairs(landscape, 0.1)).below;
    return { undercut, pairs, possible, printed, mixed, unprinted, p: evenOdds(possible, pairs.length), narrow, again };
  },

  /** Number of scenarios in which roles alone, and mixed models alone, give a steeper slope than neither at T = 0. */
  elevated({ landscape, mixed }) {
    const pairs = scenarioPairs(landscape, 0), { above: raised, p } = turned(pairs);
    const printed = mixed.filter(isPrinted).filter((row) => !row.roles);
    const theirs = printed.filter(({ scenario, lambda }) =>
      lambda > pairs.find(({ name }) => name === scenario)!.without
    );
    const most = theirs.length + pairs.length - printed.length;
    const [mixedP, bestP] = [theirs.length, most].map((above) => evenOdds(above, pairs.length));
    const warm = turned(scenarioPairs(landscape, 0.1)).above;
    return { raised, theirs, most, pairs, printed, p, mixedP, bestP, warm };
  },

  /** The scenarios with four printed slopes, and those in which mixing and its interaction go as stated. */
  fourSlopes({ landscape, mixed }) {
    const pairs = scenarioPairs(landscape, 0);
    const squares = pairs.flatMap(({ name, without, with: roles }) => {
      const slope = (roles: boolean) => mixed.find((row) => row.scenario === name && row.roles === roles)?.lambda;
      const [alone, both] = [slope(false), slope(true)];
      if (alone === undefined || both === undefined) return [];
      return [{ name, alike: alone > without && both - alone - roles + without < 0 }];
    });
    const alike = squares.filter(({ alike }) => alike);
    return { squares, pairs, alike, against: squares.length - alike.length };
  },

  /** Rank of IM-01's effect of roles among the twelve at T = 0. */
  im01Place({ landscape }) {
    const pairs = scenarioPairs(landscape, 0), own = pairs.find(({ name }) => name === "IM-01");
    if (own === undefined) return { instead: "IM-01 is not among those published." };
    const place = (key: "effect" | "with" | "without") => descending(pairs, (one) => one[key]).indexOf(own) + 1;
    const [rank, withRoles, without] = [place("effect"), place("with"), place("without")];
    const [next] = descending(pairs.filter((pair) => pair !== own), effectOf);
    const [quarter, threeQuarters] = [pairs.length / 4, 3 * pairs.length / 4];
    return { own, next, pairs, rank, withRoles, without, quarter, threeQuarters };
  },

  /** The scenarios in which roles steepen the slope at T = 0, and those in which they do at 0.1 too. */
  persistence({ landscape, conditions }) {
    const cold = turned(scenarioPairs(landscape, 0)).above.map(nameOf);
    const warm = turned(scenarioPairs(landscape, 0.1)).above;
    const rest = scenarioPairs(landscape, 0).filter(({ name }) => !cold.includes(name)).map(nameOf);
    const [kept, come] = [cold, rest].map((some) => warm.filter(({ name }) => some.includes(name)));
    const temperatures = sweepPairs(conditions);
    return { raised: cold, kept, rest, come, temperatures, above: turned(temperatures).above };
  },

  /** The numbers of options of the scenarios. */
  optionCounts({ scenarios, landscape }) {
    const effect = (id: string, temperature: number) => {
      const pairs = descending(scenarioPairs(landscape, temperature), effectOf).reverse();
      const place = pairs.findIndex(({ name }) => name === id);
      return { change: pairs[place]!.effect, place: place + 1, of: pairs.length };
    };
    const other = scenarios.filter(({ options }) => options.length !== 3)
      .map((one) => ({ ...one, cold: effect(one.id, 0), warm: effect(one.id, 0.1) }));
    return { scenarios, other, three: scenarios.length - other.length };
  },

  /** Slopes with roles over temperature, and the one that lies furthest from the others. */
  sweepWithRoles({ conditions }) {
    const rows = sweep(conditions, true), temperatures = rows.map(({ temperature }) => temperature);
    const tau = kendallTau(temperatures, slopes(rows)) ?? 0;
    const distances = rows.map((row) => {
      const others = slopes(rows.filter((other) => other !== row));
      const [centre, sd] = [mean(others), sampleStandardDeviation(others)];
      return { name: row.condition, centre, sd, distance: Math.abs(row.lambda - centre) / sd };
    });
    const sorted = descending(rows, slopeOf), [odd] = descending(distances, ({ distance }) => distance);
    return { least: sorted.at(-1), most: sorted[0], tau, trend: Math.abs(tau), sd: deviation(rows), odd };
  },

  /** Slopes with and without roles, temperature by temperature. */
  sweepBoth({ conditions }) {
    const pairs = sweepPairs(conditions);
    return { pairs, lower: turned(pairs).above, least: lowest(pairs, effectOf) };
  },

  /** Slopes without roles over temperature, against zero; `sd` stands for a standard error if temperature changes nothing. */
  sweepWithoutRoles({ conditions }) {
    const rows = descending(sweep(conditions, false), slopeOf), all = slopes(rows), [first, second] = rows;
    const sd = deviation(rows), within = all.filter((one) => Math.abs(one) <= STANDARD_ERRORS * sd);
    return { all, ...signsOf(all, Number), first, second, apart: first!.lambda - second!.lambda, sd, within };
  },

  /** Slopes at T = 0, and beside those of the same cells at T = 0.1. */
  coldSlopes({ landscape }) {
    const cold = landscape.filter(({ temperature }) => temperature === 0), positive = cold.filter(isPositive);
    const { above: higher, below: lower, p } = signsOf(
      cold,
      ({ scenario, roles, lambda }) => lambda - rowOf(landscape, { scenario, roles, temperature: 0.1 }).lambda,
    );
    return { cold, positive, share: positive.length / cold.length, higher, lower, p };
  },

  /** The distance of two slopes whose intervals of one width still touch, and the two printed slopes. */
  touching({ conditions }) {
    const [cold, hot] = [0, 0.7].map((temperature) => rowOf(sweep(conditions, true), { temperature }).lambda);
    const z = STANDARD_ERRORS * Math.SQRT2;
    return { cold, hot, z, p: 2 - 2 * cumulativeStdNormalProbability(z), equal: cold === hot };
  },

  /** The growth of the fitted distance over the window. */
  growth({ conditions, facts }) {
    const [from, to] = factRange(facts, "fit-rounds"), rounds = to - from, { lambda } = fullOf(conditions);
    return { lambda, growth: Math.exp(rounds * lambda), needed: Math.log(100) / rounds };
  },

  /** Number of models in which roles steepen IM-01's slope, and by how much. */
  rolesByModel({ models }) {
    const all = [...new Set(models.map(({ model }) => model))];
    const [cold, warm] = [0, 0.1].map((temperature) =>
      all.map((model) => pairOf(models, { model, temperature }, model))
    );
    const [coldRaised, warmRaised] = [cold!, warm!].map((pairs) => turned(pairs).above.map(nameOf));
    const raised = [...coldRaised!, ...warmRaised!], always = coldRaised!.filter((name) => warmRaised!.includes(name));
    const [most, ...others] = descending(cold!, effectOf);
    return { all, raised, cells: 2 * all.length, always, p: evenOdds(always.length, all.length), most, others };
  },

  /** Printed positive slopes beside those of laws without exponential growth. */
  laws({ routes, landscape, conditions, models, facts }) {
    const [from, to] = factRange(facts, "fit-rounds");
    const { randomWalk, ballistic } = referenceSlopes({ from, to });
    const tables = { "HL-01's 2×2": routes, "Table S5": conditions, "Table S6": models, "Table S8": landscape };
    const beside = (reference: number) =>
      Object.entries(tables).map(([name, rows]) => {
        const positive = slopes(rows.filter(isPositive)), over = positive.filter((one) => one - HALF_DIGIT > reference);
        return { name, over: over.length, of: positive.length };
      });
    const all = (counts: ReturnType<typeof beside>) => counts.every(({ over, of }) => over === of);
    const [aboveWalk, aboveDrift] = [beside(randomWalk), beside(ballistic)];
    return { randomWalk, ballistic, aboveWalk, aboveDrift, allWalk: all(aboveWalk), allDrift: all(aboveDrift) };
  },

  /** The slope across phrasings and that across replicates. */
  phrasingSlope({ conditions }) {
    const across = rowOf(conditions, { experiment: "semantic" }), within = fullOf(conditions);
    return { across: across.lambda, phrasings: across.n, within: within.lambda, runs: within.n };
  },
};

/** A slope's row. */
interface Sloped {
  readonly lambda: number;
}

export const slopeOf = ({ lambda }: Sloped): number => lambda;
export const slopes = (rows: readonly Sloped[]): number[] => rows.map(slopeOf);
const deviation = (rows: readonly Sloped[]): number => sampleStandardDeviation(slopes(rows));
export const isPositive = ({ lambda }: Sloped): boolean => lambda > HALF_DIGIT;
export const isPrinted = <Row extends { readonly lambda?: number | undefined }>(row: Row): row is Row & Sloped =>
  row.lambda !== undefined;

/** Rows above and below zero, and the sign test's p. */
function signsOf<Row>(rows: readonly Row[], by: (row: Row) => number) {
  const [above, below] = [rows.filter((row) => by(row) > 0), rows.filter((row) => by(row) < 0)];
  return { above, below, p: signTest({ above: above.length, below: below.length }) };
}

/** The sign test's p where so many of all go one way, and the others the other. */
export const evenOdds = (above: number, all: number): number => signTest({ above, below: all - above });

/** The effect of roles on the slope of one scenario, temperature or model: `with` − `without`. */
type RolePair = ReturnType<typeof pairOf>;

function pairOf<Row extends { readonly lambda: number; readonly roles: boolean }>(
  rows: readonly Row[],
  cells: Partial<Row>,
  name: string,
) {
  const [on, off] = [true, false].map((roles) => rowOf(rows, { ...cells, roles }).lambda);
  return { name, without: off!, with: on!, effect: on! - off! };
}

/** Each scenario's slopes at one temperature (Table S8). */
const scenarioPairs = (landscape: DeliberationEvidence["landscape"], temperature: number): RolePair[] =>
  [...new Set(landscape.map(({ scenario }) => scenario))]
    .map((scenario) => pairOf(landscape, { scenario, temperature }, scenario));

/** The temperature sweep of IM-01 with or without roles (Table S5). */
export const sweep = (conditions: readonly Condition[], roles: boolean): Condition[] =>
  conditions.filter((row) => row.experiment === "temperature" && row.roles === roles);

/** Each temperature's slopes in that sweep. */
const sweepPairs = (conditions: readonly Condition[]): RolePair[] =>
  sweep(conditions, true).map(({ condition, temperature }) =>
    pairOf(conditions, { experiment: "temperature", temperature }, condition)
  );

const effectOf = ({ effect }: RolePair): number => effect;
const nameOf = ({ name }: RolePair): string => name;

/** Those in which roles steepen the slope (`above`) and those in which they flatten it, and the sign test's p. */
const turned = (pairs: readonly RolePair[]) => signsOf(pairs, effectOf);

function squareOf(routes: DeliberationEvidence["routes"]) {
  const slope = (lineup: "uniform" | "mixed", roles: boolean) => rowOf(routes, { lineup, roles }).lambda;
  const [neither, roles, mixed] = [slope("uniform", false), slope("uniform", true), slope("mixed", false)];
  const both = slope("mixed", true), contrast = both - mixed - roles + neither;
  const effects = { rolesAlone: roles - neither, mixedAlone: mixed - neither };
  const beside = { rolesBeside: both - mixed, mixedBeside: both - roles };
  const ofLogs = Math.log(both * neither / (roles * mixed)), oneSign = Math.sign(contrast) === Math.sign(ofLogs);
  const [added, multiplied, size] = [both - contrast, roles * mixed / neither, Math.abs(contrast)];
  const place = both < Math.min(roles, mixed) ? "below" : "not below";
  const slopes = { neither, roles, mixed, both };
  return { ...slopes, ...effects, ...beside, contrast, size, ofLogs, oneSign, added, multiplied, place };
}

export const fullOf = (conditions: readonly Condition[]): Condition =>
  rowOf(conditions, { experiment: "ablation", ablated: "none" });

export const cellName = ({ model, roles, temperature }: DeliberationEvidence["models"][number]): string =>
  `${model} ${roles ? "with" : "without"} roles at T = ${temperature}`;
