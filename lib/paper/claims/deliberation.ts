import {
  cumulativeStdNormalProbability,
  mean,
  sampleCorrelation,
  sampleStandardDeviation,
  sum,
} from "simple-statistics";
import { ROLES } from "../../schema/scenario.ts";
import { branchingEntropy } from "../../stats/branching_entropy.ts";
import { fisherExact, signFlipTest } from "../../stats/exact_tests.ts";
import { kendallTau } from "../../stats/rank_correlation.ts";
import { referenceSlopes } from "../../stats/lyapunov_slope.ts";
import { factBound, factValue, rowOf } from "../published_table.ts";
import type { DeliberationEvidence } from "../published_deliberation.ts";
import { type Quantities, signed } from "./claims.ts";
import {
  cellName,
  descending,
  effectOf,
  evenOdds,
  fallsOf,
  flipsOf,
  fullOf,
  HALF_DIGIT,
  isPositive,
  isPrinted,
  leastWithRoles,
  lowest,
  nameOf,
  pairOf,
  type RolePair,
  scenarioPairs,
  signsOf,
  slopeOf,
  slopes,
  squareOf,
  sweep,
  sweepPairs,
  turned,
} from "./slopes.ts";

/** Standard errors of a two-sided interval of 95 %. */
const STANDARD_ERRORS = 1.96;

/** The level of a test whose size is counted. */
const LEVEL = 0.05;

/** The paper's null test among what the study of the estimators counts. */
const SHUFFLED = "rounds shuffled";

/** Two continuations that part in the first round and never move again. */
const PART_AND_STAY = [[[0.5, 0.5], [0.6, 0.4], [0.6, 0.4]], [[0.5, 0.5], [0.4, 0.6], [0.4, 0.6]]];

/** The numbers behind the deliberation paper's claims; slopes in nats per round. */
export const DELIBERATION_QUANTITIES: Quantities<DeliberationEvidence> = {
  /** HL-01's four slopes (Fig. 1B) and how they combine; `contrast` is zero where the two effects add up. */
  routes: ({ routes }) => squareOf(routes),

  /** The interaction contrast beside standard errors: none is printed, so that of the contrast is unknown. */
  contrastError({ routes, conditions }) {
    const { contrast, size } = squareOf(routes);
    const [withRoles, without] = [true, false].map((roles) =>
      sampleStandardDeviation(slopes(sweep(conditions, roles)))
    );
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
    const [theirs, below] = [true, false].map((is) => others.filter((row) => isPositive(row) === is));
    return {
      cells,
      positive,
      share: positive.length / cells.length,
      least: lowest(cells, slopeOf),
      others,
      theirs,
      below,
    };
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
    const again = turned(scenarioPairs(landscape, 0.1)).lowered;
    return { undercut, pairs, possible, printed, mixed, unprinted, p: evenOdds(possible, pairs.length), narrow, again };
  },

  /** Number of scenarios in which roles alone, and mixed models alone, give a steeper slope than neither at T = 0. */
  elevated({ landscape, mixed }) {
    const pairs = scenarioPairs(landscape, 0), { raised, p } = turned(pairs), half = pairs.length / 2;
    const printed = mixed.filter(isPrinted).filter((row) => !row.roles);
    const theirs = printed.filter(({ scenario, lambda }) =>
      lambda > pairs.find(({ name }) => name === scenario)!.without
    );
    const most = theirs.length + pairs.length - printed.length;
    const [mixedP, bestP] = [theirs.length, most].map((above) => evenOdds(above, pairs.length));
    const warm = turned(scenarioPairs(landscape, 0.1)).raised;
    return { raised, theirs, most, pairs, half, printed, p, mixedP, bestP, warm };
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
    return { squares, pairs, half: pairs.length / 2, alike, against: squares.length - alike.length };
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
    const cold = turned(scenarioPairs(landscape, 0)).raised.map(nameOf);
    const warm = turned(scenarioPairs(landscape, 0.1)).raised;
    const rest = scenarioPairs(landscape, 0).filter(({ name }) => !cold.includes(name)).map(nameOf);
    const [kept, come] = [cold, rest].map((some) => warm.filter(({ name }) => some.includes(name)));
    const temperatures = sweepPairs(conditions);
    return { raised: cold, kept, rest, come, temperatures, above: turned(temperatures).raised };
  },

  /** The numbers of options of the scenarios. */
  optionCounts({ scenarios, landscape }) {
    const other = scenarios.filter(({ options }) => options.length !== 3);
    const effect = (id: string, temperature: number) => {
      const pairs = descending(scenarioPairs(landscape, temperature), effectOf).reverse();
      const place = pairs.findIndex(({ name }) => name === id);
      const rank = `number ${place + 1} of ${pairs.length} from below`;
      return `${signed(pairs[place]!.effect)} at T = ${temperature} (${rank})`;
    };
    const told = other.map(({ id, options }) =>
      `${id} has ${options.length}; roles change its slope by ${effect(id, 0)} and ${effect(id, 0.1)}`
    );
    return { scenarios, other, three: scenarios.length - other.length, told: told.join(". ") };
  },

  /** IM-01's fall of λ̂ without each role's mandate, and without all. */
  falls({ conditions }) {
    const bare = rowOf(conditions, { experiment: "temperature", temperature: 0, roles: false });
    const whole = fullOf(conditions).lambda - bare.lambda;
    const falls = fallsOf(conditions).map((one) => ({ ...one, share: one.fall / whole }));
    const [first, second] = falls.map(({ fall }) => fall), chairFirst = falls[0]!.role === "Chair";
    const [chairs, others] = [true, false].map((chair) =>
      falls.filter(({ role }) => (role === "Chair") === chair).map(({ share }) => share)
    );
    const [chair, nextShare] = [chairs![0], Math.max(...others!)], large = falls.filter(({ share }) => share > 1 / 2);
    return { falls, whole, chair, chairFirst, first, second, ofFirst: second! / first!, nextShare, large };
  },

  /** The Chair's effects of Figure 2B, and the scenario with the lowest slope among them. */
  chairOverScenarios({ effects, landscape }) {
    const own = effects.filter(({ figure }) => figure === "2B");
    const positive = own.filter(({ sign }) => sign === "positive");
    const resolved = positive.filter(({ excludes_zero }) => excludes_zero === true);
    const least = leastWithRoles(landscape, own.map(({ scenario }) => scenario));
    return { own, positive, resolved, half: own.length / 2, p: evenOdds(positive.length, own.length), least };
  },

  /** A run's switches, the Chair's and all others'. */
  switches({ switches }) {
    const chair = rowOf(switches, { role: "Chair" }).mean_switches;
    const others = descending(switches.filter(({ role }) => role !== "Chair"), movesOf), [next] = others;
    const rest = sum(others.map(movesOf)), all = chair + rest;
    return { chair, rest, all, share: chair / all, next: next!.role, nextMean: next!.mean_switches };
  },

  /** Security's switches beside the fewest of a role not called stable; z in standard errors of the printed means. */
  security({ switches }) {
    const own = rowOf(switches, { role: "Security" });
    const next = lowest(switches.filter(({ role }) => role !== "Security" && role !== "Rights"), movesOf);
    const z = (next.mean_switches - own.mean_switches) / Math.sqrt(own.sd! ** 2 / own.n + next.sd! ** 2 / next.n);
    return { own, next, z, apart: Math.abs(z) };
  },

  /** Roles by how much their mandate steepens the slope, and by switches. */
  orders({ switches, conditions }) {
    const byFall = fallsOf(conditions)
      .map((one) => ({ ...one, moves: rowOf(switches, { role: one.role }).mean_switches }));
    const tau = (rows: typeof byFall) =>
      kendallTau(rows.map(({ fall }) => fall), rows.map(({ moves }) => moves)) ?? NaN;
    const bySwitches = descending(byFall, ({ moves }) => moves);
    const leads = byFall[0]!.role === "Chair" && bySwitches[0]!.role === "Chair";
    return { byFall, bySwitches, leads, tau: tau(byFall), others: tau(byFall.filter(({ role }) => role !== "Chair")) };
  },

  /** IM-01 with all mandates and without the Chair's: slope, flips, time to majority. */
  withoutChair({ conditions }) {
    const { lambda: full, flip_rate: fullRate, ttm: fullRounds } = fullOf(conditions);
    const after = rowOf(conditions, { experiment: "ablation", ablated: "Chair" });
    const { lambda: bare, flip_rate: rate, ttm: rounds } = after;
    const [flips, fullFlips] = [flipsOf(after), flipsOf(fullOf(conditions))], p = fisherExact(fullFlips, flips);
    return { bare, full, change: bare - full, rate, fullRate, rounds, fullRounds, flips, fullFlips, p };
  },

  /** The stated effects of shorter windows, and the scenario with the lowest slope among those tried. */
  shorterWindow({ effects, landscape }) {
    const own = effects.filter(({ change }) => change === "k3" || change === "k1");
    const scenarios = [...new Set(own.map(({ scenario }) => scenario))];
    const lowered = scenarios.filter((id) => own.every(({ scenario, sign }) => scenario !== id || sign === "positive"));
    const positive = own.filter(({ sign }) => sign === "positive"), p = evenOdds(lowered.length, scenarios.length);
    return { own, positive, scenarios, lowered, p, least: leastWithRoles(landscape, scenarios) };
  },

  /** Slopes with roles over temperature, and the one that lies furthest from the others. */
  sweepWithRoles({ conditions }) {
    const rows = sweep(conditions, true),
      tau = kendallTau(rows.map(({ temperature }) => temperature), slopes(rows)) ?? 0;
    const distances = rows.map((row) => {
      const others = slopes(rows.filter((other) => other !== row));
      const [centre, sd] = [mean(others), sampleStandardDeviation(others)];
      return { name: row.condition, centre, sd, distance: Math.abs(row.lambda - centre) / sd };
    });
    const sorted = descending(rows, slopeOf), [odd] = descending(distances, ({ distance }) => distance);
    const sd = sampleStandardDeviation(slopes(rows));
    return { least: sorted.at(-1), most: sorted[0], tau, trend: Math.abs(tau), sd, odd };
  },

  /** Slopes with and without roles, temperature by temperature. */
  sweepBoth({ conditions }) {
    const pairs = sweepPairs(conditions), least = lowest(pairs, effectOf);
    const most = Math.max(...pairs.map(({ without }) => without));
    return { pairs, lower: turned(pairs).raised, least, most, lowest: Math.min(...pairs.map((pair) => pair.with)) };
  },

  /** Slopes without roles over temperature, against zero; `sd` stands for a standard error if temperature changes nothing. */
  sweepWithoutRoles({ conditions }) {
    const rows = descending(sweep(conditions, false), slopeOf), all = slopes(rows), [first, second] = rows;
    const sd = sampleStandardDeviation(all), within = all.filter((one) => Math.abs(one) <= STANDARD_ERRORS * sd);
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

  /** The numbers of identical calls that would be a share in the range stated. */
  identicalCalls({ facts }) {
    const [calls, id] = [factValue(facts, "identical-calls"), "identical-calls-differ"] as const;
    const [low, high] = [factBound(facts, id, "low"), factBound(facts, id, "high")];
    const counts = Array.from({ length: calls + 1 }, (_, k) => k).filter((k) => k / calls >= low && k / calls <= high);
    const none = `No number of ${calls} calls is a share of ${low} to ${high}.`;
    if (counts.length === 0) return { instead: none, verdict: "contradicted" };
    return { counts, first: counts[0], last: counts.at(-1) };
  },

  /** The growth of the fitted distance over the window. */
  growth({ conditions, facts }) {
    const rounds = factBound(facts, "fit-rounds", "high") - factBound(facts, "fit-rounds", "low");
    const { lambda } = fullOf(conditions);
    return { lambda, growth: Math.exp(rounds * lambda), needed: Math.log(100) / rounds };
  },

  /** Number of models in which roles steepen IM-01's slope, and by how much. */
  rolesByModel({ models }) {
    const all = [...new Set(models.map(({ model }) => model))];
    const [cold, warm] = [0, 0.1].map((temperature) =>
      all.map((model) => pairOf(models, { model, temperature }, model))
    );
    const [coldRaised, warmRaised] = [cold!, warm!].map((pairs) => turned(pairs).raised.map(nameOf));
    const raised = [...coldRaised!, ...warmRaised!], always = coldRaised!.filter((name) => warmRaised!.includes(name));
    const [most, ...others] = descending(cold!, effectOf);
    return { all, raised, cells: 2 * all.length, always, p: evenOdds(always.length, all.length), most, others };
  },

  /** Mixed cells with all their runs, and with a printed slope. */
  mixedRuns({ mixed, accounting, facts }) {
    const target = factValue(facts, "replicate-target"), full = mixed.filter(({ n }) => n === target);
    const totals = accounting.filter(({ condition }) => /matrix: Mixed/.test(condition));
    const [realised, wanted] = [sum(totals.map((row) => row.realised)), sum(totals.map((row) => row.target))];
    return { mixed, full, target, realised, wanted, printed: mixed.filter(isPrinted) };
  },

  /** The parse-failure rate of each condition if every missing run had failed to parse. */
  worstParseRate({ accounting, models, failures, facts }) {
    const [high, target] = [factBound(facts, "parse-failure-rate", "high"), factValue(facts, "replicate-target")];
    const cells = [
      ...accounting.map((row) => ({ name: row.condition, share: 1 - row.realised / row.target })),
      ...models.map((row) => ({ name: cellName(row), share: 1 - row.n / target })),
    ];
    const [worst] = descending(cells, ({ share }) => share), over = cells.filter(({ share }) => share >= high);
    const matrix = accounting.filter(({ condition }) => /matrix/.test(condition));
    const wanted = sum(matrix.map((row) => row.target));
    const rate = 100 * (1 - sum(matrix.map((row) => row.realised)) / wanted);
    const parser = failures.find(({ failure_source }) => failure_source.startsWith("Parser"));
    return { cells, over, worst, rate, wanted, status: parser?.status.toLowerCase() ?? "nothing" };
  },

  /** The ablated roles and temperatures of IM-01 that Table S1 has a row for. */
  accounted({ accounting, conditions }) {
    const words = accounting.map(({ condition }) => condition);
    const counts = words.filter((name) => name.startsWith("Uniform roles (IM-01"))
      .map((name) => Number(/T = ([\d.e-]+)/.exec(name)?.[1]));
    const temperatures = [...new Set(sweep(conditions, true).map(({ temperature }) => temperature))];
    const counted = temperatures.filter((one) => counts.includes(one)).map((one) => `T = ${one}`);
    const roles = ROLES.filter((role) => words.some((name) => name.startsWith(`Ablate ${role} (IM-01`)));
    return { all: ROLES, roles, temperatures, counted };
  },

  /** The agent-runs of Table S7 beside the runs of the temperatures pooled. */
  pooled({ switches, conditions, facts }) {
    const temperatures = factValue(facts, "switches-temperatures"), rows = sweep(conditions, true);
    const runs = [...new Set(rows.map(({ n }) => n))], product = temperatures * runs[0]!;
    const right = switches.filter(({ n }) => n === product), rest = rows.length - temperatures;
    return { runs, product, right, switches, rows, rest };
  },

  /** References that lead to what they name. */
  references({ references }) {
    const lost = references.filter(({ named, stands }) => named !== stands);
    return { references, lost, right: references.length - lost.length };
  },

  /** Missing runs of Table S6, and what Table S3 says of their causes. */
  attrition({ models, failures, facts }) {
    const target = factValue(facts, "replicate-target"), short = models.filter(({ n }) => n < target);
    const lacking = sum(short.map(({ n }) => target - n)), most = cellName(lowest(short, ({ n }) => n));
    const told = failures.map(({ failure_source, status }) => `${failure_source} ${status.toLowerCase()}`);
    return { models, short, lacking, failures, most, known: failures.filter(({ status }) => status === "Known"), told };
  },

  /** Printed positive slopes beside those of laws without exponential growth. */
  laws({ routes, landscape, conditions, models, facts }) {
    const [from, to] = [factBound(facts, "fit-rounds", "low"), factBound(facts, "fit-rounds", "high")];
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

  /** Rejection rates of the shuffle test where the slope is zero, in our own simulations. */
  shuffling({ facts, study }) {
    const sized = study.filter(({ truth, counts }) => truth === 0 && SHUFFLED in counts)
      .map((row) => ({ ...row, first: row.replicates[0], size: row.counts[SHUFFLED]! / row.ensembles }));
    const often = sized.filter(({ size, ensembles }) => size > LEVEL + 3 * Math.sqrt(LEVEL * (1 - LEVEL) / ensembles));
    const most = Math.max(0, ...often.map(({ size }) => size));
    return { level: LEVEL, sized, often, most, least: 1 / (factValue(facts, "permutations") + 1) };
  },

  /** The printed certificate in its standard errors, and that of continuations that part once and never move again. */
  certificate({ facts }) {
    const { gamma, initial } = branchingEntropy(PART_AND_STAY);
    return { errors: factValue(facts, "branching-gamma") / factValue(facts, "branching-gamma-se"), gamma, initial };
  },

  /** Similarity within and across, of continuations that never move from where they start. */
  standing() {
    const stay = (state: readonly number[]) => [[state, state], [state, state]];
    const { cosIn, cosOut } = branchingEntropy(stay([0.6, 0.4]), { others: stay([0.4, 0.6]) });
    return { cosIn, cosOut };
  },

  /** Runs that leave the commonest decision, over phrasings and over runs of one phrasing. */
  phrasings({ phrasings, conditions }) {
    const groups = [...Map.groupBy(phrasings, ({ decision }) => decision).values()];
    const largest = Math.max(...groups.map((own) => own.length)), whole = phrasings.length;
    const across = { part: whole - largest, whole },
      within = flipsOf(fullOf(conditions)),
      p = fisherExact(across, within);
    return { across, within, share: across.part / whole, withinShare: within.part / within.whole, p };
  },

  /** The slope across phrasings and that across replicates. */
  phrasingSlope({ conditions }) {
    const across = rowOf(conditions, { experiment: "semantic" }), within = fullOf(conditions);
    return { across: across.lambda, phrasings: across.n, within: within.lambda, runs: within.n };
  },

  /** Median times to majority without roles, and decisions off the mode. */
  majorityWithout({ conditions }) {
    const rows = sweep(conditions, false), first = rows.filter(({ ttm }) => ttm === 1);
    const flips = rows.filter(({ flip_rate }) => flip_rate > 0).map((row) => ({ ...row, flips: flipsOf(row).part }));
    return { rows, first, flips };
  },

  /** Median times to majority with roles, beside the rounds and the share of runs stated. */
  majorityWith({ conditions, facts }) {
    const rows = sweep(conditions, true), runs = rows[0]!.n;
    const bounds = (id: string) => (["low", "high"] as const).map((end) => factBound(facts, id, end));
    const [from, to] = bounds("majority-rounds-roles"), never = bounds("never-majority-roles");
    const medians = [...new Set(rows.map(({ ttm }) => ttm))].toSorted((a, b) => a - b);
    const within = rows.filter(({ ttm }) => ttm >= from! && ttm <= to!);
    const late = rows.filter(({ ttm }) => ttm > factValue(facts, "rounds"));
    return { rows, runs, medians, within, late, fewest: never[0]! * runs, most: never[1]! * runs };
  },

  /** Conditions with a positive slope whose runs all end alike. */
  unanimous({ conditions }) {
    // The sweep at T = 0 and "No ablation" are one condition, printed twice.
    const rows = conditions.filter((row) => isPositive(row) && row !== fullOf(conditions));
    const unanimous = rows.filter(({ flip_rate }) => flip_rate === 0), swept = sweep(conditions, true);
    const r = sampleCorrelation(slopes(swept), swept.map(({ flip_rate }) => flip_rate));
    return { rows, unanimous, most: Math.max(0, ...slopes(unanimous)), swept, r };
  },
};

/** A role's switches a run. */
const movesOf = ({ mean_switches }: DeliberationEvidence["switches"][number]): number => mean_switches;
