import {
  cumulativeStdNormalProbability,
  mean,
  median,
  sampleCorrelation,
  sampleStandardDeviation,
  sum,
} from "simple-statistics";
import { share, slope } from "../../core/numbers.ts";
import { ROLES } from "../../schema/scenario.ts";
import { branchingEntropy } from "../../stats/branching_entropy.ts";
import { fisherExact, signFlipTest, signTest } from "../../stats/exact_tests.ts";
import { kendallTau } from "../../stats/rank_correlation.ts";
import { referenceSlopes } from "../../stats/lyapunov_slope.ts";
import { factBound, factValue, rowOf } from "../published_table.ts";
import type { DeliberationEvidence } from "../published_deliberation.ts";
import { type Quantities, signed } from "./claims.ts";

type Condition = DeliberationEvidence["conditions"][number];

/** The rounding error of a slope printed to four decimals. */
const HALF_DIGIT = 0.00005;

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
    const [least, most] = [Math.min(...alone), Math.max(...alone)];
    return { mixedAlone: squareOf(routes).mixedAlone, least, most, spread: most - least };
  },

  /** Number of scenarios in which roles steepen the slope, and by how much. */
  rolesRaise({ landscape }, { temperature }) {
    const pairs = scenarioPairs(landscape, temperature as number);
    const { raised, lowered } = turned(pairs);
    const [first, ...rest] = descending(pairs, ({ effect }) => effect);
    const [p, flip] = [signTest({ above: raised.length, below: lowered.length }), signFlipTest(effects(pairs))];
    const centre = { mean: mean(effects(pairs)), median: median(effects(pairs)), rest: mean(effects(rest)) };
    return { raised, lowered, pairs, p, flip, ...centre, first: first!.name };
  },

  /** Slopes of uniform committees without roles. */
  baseline({ landscape, models }) {
    const cells = landscape.filter((row) => !row.roles);
    const others = models.filter((row) => !row.roles && row.provider !== "Baseline");
    const positive = cells.filter(isPositive), theirs = others.filter(isPositive);
    const { lambda: least, scenario, temperature } = lowest(cells, ({ lambda }) => lambda);
    const below = others.filter((row) => !isPositive(row))
      .map(({ model, temperature, lambda }) => `${model} at T = ${temperature} with ${slope(lambda)}`);
    return {
      ...{ positive, cells, share: positive.length / cells.length, least, scenario, temperature },
      ...{ theirs, others, below },
    };
  },

  /** Number of scenarios in which no configuration has a lower slope at T = 0 than the uniform one without roles. */
  lowestOfAll({ landscape, mixed }) {
    const pairs = scenarioPairs(landscape, 0);
    const printed = mixed.filter(({ lambda }) => lambda !== undefined);
    const mixedBelow = ({ name, without }: RolePair) =>
      printed.some(({ scenario, lambda }) => scenario === name && lambda! < without);
    const undercut = pairs.filter((pair) => pair.effect < 0 || mixedBelow(pair));
    const possible = pairs.length - undercut.length;
    const narrow = descending(undercut.filter((pair) => !mixedBelow(pair)), ({ effect }) => effect).slice(0, 2);
    return {
      ...{ undercut: names(undercut), pairs, possible, printed, mixed, unprinted: mixed.length - printed.length },
      p: signTest({ above: possible, below: undercut.length }),
      narrow: narrow.map(({ name, effect }) => `${name} by ${slope(-effect)}`),
      again: turned(scenarioPairs(landscape, 0.1)).lowered,
    };
  },

  /** Number of scenarios in which roles alone, and mixed models alone, give a steeper slope than neither at T = 0. */
  elevated({ landscape, mixed }) {
    const pairs = scenarioPairs(landscape, 0), { raised } = turned(pairs);
    const printed = pairs.flatMap(({ name, without }) => {
      const lambda = mixed.find((row) => row.scenario === name && !row.roles)?.lambda;
      return lambda === undefined ? [] : [{ raised: lambda > without }];
    });
    const theirs = printed.filter(({ raised }) => raised);
    const most = theirs.length + pairs.length - printed.length;
    const [p, mixedP, bestP] = [raised.length, theirs.length, most].map((above) =>
      signTest({ above, below: pairs.length - above })
    );
    const warm = turned(scenarioPairs(landscape, 0.1)).raised;
    return { raised, theirs, most, pairs, half: pairs.length / 2, printed, p, mixedP, bestP, warm };
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
    return { squares: names(squares), pairs, half: pairs.length / 2, alike, against: squares.length - alike.length };
  },

  /** Rank of IM-01's effect of roles among the twelve at T = 0. */
  im01Place({ landscape }) {
    const pairs = scenarioPairs(landscape, 0);
    const place = (key: "effect" | "with" | "without") =>
      names(descending(pairs, (one) => one[key])).indexOf("IM-01") + 1;
    const own = pairs.find(({ name }) => name === "IM-01");
    if (own === undefined) return { instead: "IM-01 is not among those published." };
    const [next] = descending(pairs.filter((pair) => pair !== own), ({ effect }) => effect);
    return {
      ...{ effect: own.effect, next: next!.effect, nextName: next!.name, mean: mean(effects(pairs)), pairs },
      ...{ rank: place("effect"), withRoles: place("with"), without: place("without") },
      ...{ quarter: pairs.length / 4, threeQuarters: 3 * pairs.length / 4 },
    };
  },

  /** The scenarios in which roles steepen the slope at T = 0, and those in which they do at 0.1 too. */
  persistence({ landscape, conditions }) {
    const cold = turned(scenarioPairs(landscape, 0)), warm = turned(scenarioPairs(landscape, 0.1)).raised;
    const rest = names(scenarioPairs(landscape, 0)).filter((name) => !cold.raised.includes(name));
    const temperatures = sweepPairs(conditions);
    return {
      ...{ raised: cold.raised, kept: cold.raised.filter((name) => warm.includes(name)) },
      ...{ rest, come: rest.filter((name) => warm.includes(name)) },
      ...{ above: turned(temperatures).raised, temperatures },
    };
  },

  /** The numbers of options of the scenarios. */
  optionCounts({ scenarios, landscape }) {
    const other = scenarios.filter(({ options }) => options.length !== 3);
    const effect = (id: string, temperature: number) => {
      const pairs = descending(scenarioPairs(landscape, temperature), ({ effect }) => -effect);
      const place = names(pairs).indexOf(id);
      return `${signed(pairs[place]!.effect)} at T = ${temperature} (number ${
        place + 1
      } of ${pairs.length} from below)`;
    };
    const told = other.map(({ id, options }) =>
      `${id} has ${options.length}; roles change its slope by ${effect(id, 0)} and ${effect(id, 0.1)}`
    );
    return { scenarios, other, three: scenarios.length - other.length, told: told.join(". ") };
  },

  /** IM-01's fall of λ̂ without each role's mandate, and without all. */
  falls({ conditions }) {
    const [first, second, ...rest] = fallsOf(conditions);
    const all = [first!, second!, ...rest];
    const whole = fullOf(conditions).lambda -
      rowOf(conditions, { experiment: "temperature", temperature: 0, roles: false }).lambda;
    const large = all.filter(({ fall }) => fall > whole / 2);
    return {
      ...{
        falls: all.map(({ role, fall }) => `${slope(fall)} (${role})`),
        whole,
        total: sum(all.map(({ fall }) => fall)) / whole,
      },
      ...{ chair: all.find(({ role }) => role === "Chair")!.fall / whole, chairFirst: first!.role === "Chair" },
      ...{ first: first!.fall, second: second!.fall, ofFirst: second!.fall / first!.fall },
      nextShare: Math.max(...all.filter(({ role }) => role !== "Chair").map(({ fall }) => fall)) / whole,
      large: large.map(({ role, fall }) => `${role} (${share(fall / whole)})`),
    };
  },

  /** The Chair's effects of Figure 2B, and the scenario with the lowest slope among them. */
  chairOverScenarios({ effects, landscape }) {
    const own = effects.filter(({ figure }) => figure === "2B");
    const positive = own.filter(({ sign }) => sign === "positive");
    const resolved = positive.filter(({ excludes_zero }) => excludes_zero === true).map(({ scenario }) => scenario);
    return {
      ...{ own, positive, resolved, half: own.length / 2 },
      p: signTest({ above: positive.length, below: own.length - positive.length }),
      ...leastWithRoles(landscape, own.map(({ scenario }) => scenario)),
    };
  },

  /** A run's switches, the Chair's and all others'. */
  switches({ switches }) {
    const chair = rowOf(switches, { role: "Chair" }).mean_switches;
    const [next, ...others] = descending(switches.filter(({ role }) => role !== "Chair"), (row) => row.mean_switches);
    const rest = [next!, ...others].reduce((sum, row) => sum + row.mean_switches, 0);
    const all = chair + rest;
    return { chair, rest, all, share: chair / all, next: next!.role, nextMean: next!.mean_switches };
  },

  /** Security's switches beside the fewest of a role not called stable; z in standard errors of the printed means. */
  security({ switches }) {
    const own = rowOf(switches, { role: "Security" });
    const next = lowest(
      switches.filter(({ role }) => role !== "Security" && role !== "Rights"),
      (row) => row.mean_switches,
    );
    const z = (next.mean_switches - own.mean_switches) / Math.sqrt(own.sd! ** 2 / own.n + next.sd! ** 2 / next.n);
    return { own: own.mean_switches, next: next.role, nextMean: next.mean_switches, z, apart: Math.abs(z) };
  },

  /** Roles by how much their mandate steepens the slope, and by switches. */
  orders({ switches, conditions }) {
    const falls = fallsOf(conditions).map((one) => ({
      ...one,
      moves: rowOf(switches, { role: one.role }).mean_switches,
    }));
    const tau = (rows: typeof falls) => kendallTau(rows.map(({ fall }) => fall), rows.map(({ moves }) => moves));
    const most = descending(falls, ({ moves }) => moves);
    return {
      ...{ byFall: falls.map(({ role }) => role), bySwitches: most.map(({ role }) => role) },
      leads: falls[0]!.role === "Chair" && most[0]!.role === "Chair",
      ...{ tau: tau(falls) ?? NaN, others: tau(falls.filter(({ role }) => role !== "Chair")) ?? NaN },
    };
  },

  /** IM-01 with all mandates and without the Chair's: slope, flips, time to majority. */
  withoutChair({ conditions }) {
    const full = fullOf(conditions), bare = rowOf(conditions, { experiment: "ablation", ablated: "Chair" });
    const [before, after] = [flipsOf(full), flipsOf(bare)];
    return {
      ...{
        full: full.lambda,
        bare: bare.lambda,
        change: bare.lambda - full.lambda,
        rounds: bare.ttm,
        fullRounds: full.ttm,
      },
      ...{ flips: after.part, of: after.whole, fullFlips: before.part, fullOf: before.whole },
      ...{ rate: bare.flip_rate, fullRate: full.flip_rate, p: fisherExact(before, after) },
    };
  },

  /** The stated effects of shorter windows, and the scenario with the lowest slope among those tried. */
  shorterWindow({ effects, landscape }) {
    const own = effects.filter(({ change }) => change === "k3" || change === "k1");
    const scenarios = [...new Set(own.map(({ scenario }) => scenario))];
    const lowered = scenarios.filter((id) => own.every(({ scenario, sign }) => scenario !== id || sign === "positive"));
    return {
      ...{ own, positive: own.filter(({ sign }) => sign === "positive"), scenarios, lowered },
      p: signTest({ above: lowered.length, below: scenarios.length - lowered.length }),
      ...leastWithRoles(landscape, scenarios),
    };
  },

  /** Slopes with roles over temperature, and the one that lies furthest from the others. */
  sweepWithRoles({ conditions }) {
    const rows = sweep(conditions, true), sorted = descending(rows, ({ lambda }) => -lambda);
    const tau = kendallTau(rows.map(({ temperature }) => temperature), slopes(rows)) ?? 0;
    const [odd] = descending(
      rows.map((row) => {
        const others = slopes(rows.filter((other) => other !== row));
        const [centre, sd] = [mean(others), sampleStandardDeviation(others)];
        return { row, centre, sd, distance: Math.abs(row.lambda - centre) / sd };
      }),
      ({ distance }) => distance,
    );
    return {
      ...{ least: sorted[0]!.lambda, leastAt: sorted[0]!.condition, tau, trend: Math.abs(tau) },
      ...{ most: sorted.at(-1)!.lambda, mostAt: sorted.at(-1)!.condition, sd: sampleStandardDeviation(slopes(rows)) },
      ...{ odd: odd!.row.condition, distance: odd!.distance, centre: odd!.centre, oddSd: odd!.sd },
    };
  },

  /** Slopes with and without roles, temperature by temperature. */
  sweepBoth({ conditions }) {
    const pairs = sweepPairs(conditions), least = lowest(pairs, ({ effect }) => effect);
    return {
      ...{ lower: turned(pairs).raised, pairs, least: least.effect, leastAt: least.name },
      most: Math.max(...pairs.map(({ without }) => without)),
      lowest: Math.min(...pairs.map((pair) => pair.with)),
    };
  },

  /** Slopes without roles over temperature, against zero; `sd` stands for a standard error if temperature changes nothing. */
  sweepWithoutRoles({ conditions }) {
    const rows = descending(sweep(conditions, false), ({ lambda }) => lambda), all = slopes(rows);
    const [first, second] = rows, sd = sampleStandardDeviation(all), above = all.filter((lambda) => lambda > 0);
    return {
      ...{ all, above, p: signTest({ above: above.length, below: all.filter((lambda) => lambda < 0).length }) },
      ...{ mean: mean(all), least: Math.min(...all), most: Math.max(...all), sd },
      ...{ first: first!.lambda, firstAt: first!.condition, second: second!.lambda, secondAt: second!.condition },
      ...{ apart: first!.lambda - second!.lambda, within: all.filter((one) => Math.abs(one) <= STANDARD_ERRORS * sd) },
    };
  },

  /** Slopes at T = 0, and beside those of the same cells at T = 0.1. */
  coldSlopes({ landscape }) {
    const cold = landscape.filter(({ temperature }) => temperature === 0);
    const effects = cold.map(({ scenario, roles, lambda }) =>
      lambda - rowOf(landscape, { scenario, roles, temperature: 0.1 }).lambda
    );
    const [higher, lower] = [effects.filter((x) => x > 0), effects.filter((x) => x < 0)];
    const positive = cold.filter(isPositive);
    return {
      ...{ cold, positive, share: positive.length / cold.length, higher, lower },
      p: signTest({ above: higher.length, below: lower.length }),
    };
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
    const raised = [...turned(cold!).raised, ...turned(warm!).raised];
    const always = turned(cold!).raised.filter((name) => turned(warm!).raised.includes(name));
    const [most, next, ...others] = descending(cold!, ({ effect }) => effect);
    return {
      ...{ all, raised, cells: 2 * all.length, always },
      p: signTest({ above: always.length, below: all.length - always.length }),
      ...{ model: most!.name, most: most!.effect, least: (others.at(-1) ?? next)!.effect, next: next!.effect },
    };
  },

  /** Mixed cells with all their runs, and with a printed slope. */
  mixedRuns({ mixed, accounting, facts }) {
    const target = factValue(facts, "replicate-target");
    const totals = accounting.filter(({ condition }) => /matrix: Mixed/.test(condition));
    return {
      ...{ mixed, full: mixed.filter(({ n }) => n === target), target },
      ...{ realised: sum(totals.map((row) => row.realised)), wanted: sum(totals.map((row) => row.target)) },
      printed: mixed.filter(({ lambda }) => lambda !== undefined),
    };
  },

  /** The parse-failure rate of each condition if every missing run had failed to parse. */
  worstParseRate({ accounting, models, failures, facts }) {
    const [high, target] = [factBound(facts, "parse-failure-rate", "high"), factValue(facts, "replicate-target")];
    const cells = [
      ...accounting.map((row) => ({ name: row.condition, share: 1 - row.realised / row.target })),
      ...models.map((row) => ({ name: cellName(row), share: 1 - row.n / target })),
    ];
    const [worst] = descending(cells, ({ share }) => share);
    const matrix = accounting.filter(({ condition }) => /matrix/.test(condition));
    const wanted = sum(matrix.map((row) => row.target));
    const status = failures.find(({ failure_source }) => failure_source.startsWith("Parser"))?.status;
    return {
      ...{ cells, over: cells.filter(({ share }) => share >= high), worst: worst!.share, worstIn: worst!.name },
      ...{ rate: 100 * (1 - sum(matrix.map((row) => row.realised)) / wanted), wanted },
      status: status?.toLowerCase() ?? "nothing",
    };
  },

  /** The ablated roles and temperatures of IM-01 that Table S1 has a row for. */
  accounted({ accounting, conditions }) {
    const words = accounting.map(({ condition }) => condition);
    const own = words.filter((name) => name.startsWith("Uniform roles (IM-01"));
    const counted = own.map((name) => Number(/T = ([\d.e-]+)/.exec(name)?.[1]));
    const temperatures = [...new Set(sweep(conditions, true).map(({ temperature }) => temperature))];
    return {
      ...{ all: ROLES, roles: ROLES.filter((role) => words.some((name) => name.startsWith(`Ablate ${role} (IM-01`))) },
      ...{ temperatures, counted: temperatures.filter((one) => counted.includes(one)).map((one) => `T = ${one}`) },
    };
  },

  /** The agent-runs of Table S7 beside the runs of the temperatures pooled. */
  pooled({ switches, conditions, facts }) {
    const temperatures = factValue(facts, "switches-temperatures"), rows = sweep(conditions, true);
    const runs = [...new Set(rows.map(({ n }) => n))], product = temperatures * runs[0]!;
    const right = switches.filter(({ n }) => n === product);
    return { runs, product, right, switches, rows, rest: rows.length - temperatures };
  },

  /** References that lead to what they name. */
  references({ references }) {
    const lost = references.filter(({ named, stands }) => named !== stands);
    const told = lost.map((one) => `the ${one.part} (${one.source} names ${one.named}, printed as ${one.stands})`);
    return { references, lost, right: references.length - lost.length, told };
  },

  /** Missing runs of Table S6, and what Table S3 says of their causes. */
  attrition({ models, failures, facts }) {
    const target = factValue(facts, "replicate-target"), short = models.filter(({ n }) => n < target);
    return {
      ...{ models, short, lacking: sum(short.map(({ n }) => target - n)), failures },
      most: cellName(lowest(short, ({ n }) => n)),
      known: failures.filter(({ status }) => status === "Known"),
      told: failures.map(({ failure_source, status }) => `${failure_source} ${status.toLowerCase()}`),
    };
  },

  /** Printed positive slopes beside those of laws without exponential growth. */
  laws({ routes, landscape, conditions, models, facts }) {
    const [from, to] = [factBound(facts, "fit-rounds", "low"), factBound(facts, "fit-rounds", "high")];
    const { randomWalk, ballistic } = referenceSlopes({ from, to });
    const tables = { "HL-01's 2×2": routes, "Table S5": conditions, "Table S6": models, "Table S8": landscape };
    const beside = (reference: number) => {
      const counts = Object.entries(tables).map(([name, rows]) => {
        const positive = slopes(rows.filter(isPositive)), over = positive.filter((one) => one - HALF_DIGIT > reference);
        return { all: positive.length === over.length, told: `${over.length} of ${positive.length} in ${name}` };
      });
      return { all: counts.every(({ all }) => all), told: counts.map(({ told }) => told) };
    };
    const [walk, drift] = [beside(randomWalk), beside(ballistic)];
    return {
      randomWalk,
      ballistic,
      aboveWalk: walk.told,
      aboveDrift: drift.told,
      allWalk: walk.all,
      allDrift: drift.all,
    };
  },

  /** Rejection rates of the shuffle test where the slope is zero, in our own simulations. */
  shuffling({ facts, study }) {
    const sized = study.filter(({ truth, counts }) => truth === 0 && SHUFFLED in counts)
      .map((row) => ({ ...row, size: row.counts[SHUFFLED]! / row.ensembles }));
    const often = sized.filter(({ size, ensembles }) => size > LEVEL + 3 * Math.sqrt(LEVEL * (1 - LEVEL) / ensembles));
    return {
      ...{ level: LEVEL, sized, often, most: Math.max(0, ...often.map(({ size }) => size)) },
      least: 1 / (factValue(facts, "permutations") + 1),
      told: sized.map(({ regime, replicates, size }) => `${share(size)} (${regime}, ${replicates[0]} runs)`),
    };
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
    const largest = Math.max(
      ...[...Map.groupBy(phrasings, ({ decision }) => decision).values()].map((own) => own.length),
    );
    const across = { part: phrasings.length - largest, whole: phrasings.length }, within = flipsOf(fullOf(conditions));
    return {
      ...{ part: across.part, whole: across.whole, within: within.part, of: within.whole },
      ...{ share: across.part / across.whole, withinShare: within.part / within.whole, p: fisherExact(across, within) },
    };
  },

  /** The slope across phrasings and that across replicates. */
  phrasingSlope({ conditions }) {
    const across = rowOf(conditions, { experiment: "semantic" }), within = fullOf(conditions);
    return { across: across.lambda, phrasings: across.n, within: within.lambda, runs: within.n };
  },

  /** Median times to majority without roles, and decisions off the mode. */
  majorityWithout({ conditions }) {
    const rows = sweep(conditions, false);
    const flips = rows.filter(({ flip_rate }) => flip_rate > 0)
      .map((row) => `${flipsOf(row).part} of ${row.n} runs at ${row.condition}`);
    return { rows, first: rows.filter(({ ttm }) => ttm === 1), flips };
  },

  /** Median times to majority with roles, beside the rounds and the share of runs stated. */
  majorityWith({ conditions, facts }) {
    const rows = sweep(conditions, true), runs = rows[0]!.n;
    const [delayed, never] = ["majority-rounds-roles", "never-majority-roles"].map((id) =>
      [factBound(facts, id, "low"), factBound(facts, id, "high")] as const
    );
    return {
      ...{ rows, runs, medians: [...new Set(rows.map(({ ttm }) => ttm))].toSorted((a, b) => a - b) },
      within: rows.filter(({ ttm }) => ttm >= delayed![0] && ttm <= delayed![1]),
      late: rows.filter(({ ttm }) => ttm > factValue(facts, "rounds")),
      ...{ fewest: never![0] * runs, most: never![1] * runs },
    };
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

const slopes = (rows: readonly { readonly lambda: number }[]): number[] => rows.map(({ lambda }) => lambda);
const names = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name);
const isPositive = ({ lambda }: { readonly lambda: number }): boolean => lambda > HALF_DIGIT;

const descending = <Row>(rows: readonly Row[], by: (row: Row) => number): Row[] =>
  rows.toSorted((a, b) => by(b) - by(a));
const lowest = <Row>(rows: readonly Row[], by: (row: Row) => number): Row =>
  rows.reduce((a, b) => by(b) < by(a) ? b : a);

/** The effect of roles on the slope of one scenario, temperature or model. */
interface RolePair {
  readonly name: string;
  readonly without: number;
  readonly with: number;
  /** Difference `with` − `without`. */
  readonly effect: number;
}

function pairOf<Row extends { readonly lambda: number; readonly roles: boolean }>(
  rows: readonly Row[],
  cells: Partial<Row>,
  name: string,
): RolePair {
  const [on, off] = [true, false].map((roles) => rowOf(rows, { ...cells, roles }).lambda);
  return { name, without: off!, with: on!, effect: on! - off! };
}

/** Each scenario's slopes at one temperature (Table S8). */
const scenarioPairs = (landscape: DeliberationEvidence["landscape"], temperature: number): RolePair[] =>
  [...new Set(landscape.map(({ scenario }) => scenario))]
    .map((scenario) => pairOf(landscape, { scenario, temperature }, scenario));

/** The temperature sweep of IM-01 with or without roles (Table S5). */
const sweep = (conditions: readonly Condition[], roles: boolean): Condition[] =>
  conditions.filter((row) => row.experiment === "temperature" && row.roles === roles);

/** Each temperature's slopes in that sweep. */
const sweepPairs = (conditions: readonly Condition[]): RolePair[] =>
  sweep(conditions, true).map(({ condition, temperature }) =>
    pairOf(conditions, { experiment: "temperature", temperature }, condition)
  );

const effects = (pairs: readonly RolePair[]): number[] => pairs.map(({ effect }) => effect);

/** The names of those in which roles steepen the slope, and in which they flatten it. */
const turned = (pairs: readonly RolePair[]): { raised: string[]; lowered: string[] } => ({
  raised: names(pairs.filter(({ effect }) => effect > 0)),
  lowered: names(pairs.filter(({ effect }) => effect < 0)),
});

function squareOf(routes: DeliberationEvidence["routes"]) {
  const slope = (lineup: "uniform" | "mixed", roles: boolean) => rowOf(routes, { lineup, roles }).lambda;
  const [neither, roles, mixed] = [slope("uniform", false), slope("uniform", true), slope("mixed", false)];
  const both = slope("mixed", true), contrast = both - mixed - roles + neither;
  const ofLogs = Math.log(both * neither / (roles * mixed));
  return {
    ...{ neither, roles, mixed, both, rolesAlone: roles - neither, mixedAlone: mixed - neither },
    ...{ rolesBeside: both - mixed, mixedBeside: both - roles, contrast, size: Math.abs(contrast), ofLogs },
    ...{
      added: both - contrast,
      multiplied: roles * mixed / neither,
      oneSign: Math.sign(contrast) === Math.sign(ofLogs),
    },
    place: both < Math.min(roles, mixed) ? "below" : "not below",
  };
}

const fullOf = (conditions: readonly Condition[]): Condition =>
  rowOf(conditions, { experiment: "ablation", ablated: "none" });

/** The fall of the slope without each role's mandate, the largest first. */
function fallsOf(conditions: readonly Condition[]) {
  const full = fullOf(conditions).lambda;
  const falls = conditions.flatMap(({ experiment, ablate, lambda }) =>
    experiment === "ablation" && ablate !== undefined ? [{ role: ablate, fall: full - lambda }] : []
  );
  return descending(falls, ({ fall }) => fall);
}

/** The scenario with the lowest slope with roles at T = 0. */
function leastWithRoles(landscape: DeliberationEvidence["landscape"], scenarios: readonly string[]) {
  const rows = scenarios.map((scenario) => rowOf(landscape, { scenario, roles: true, temperature: 0 }));
  const { scenario, lambda } = lowest(rows, ({ lambda }) => lambda);
  return { least: lambda, leastIn: scenario };
}

/** Runs that end in another than the commonest decision. */
const flipsOf = ({ flip_rate, n }: Condition) => ({ part: Math.round(flip_rate * n), whole: n });

const cellName = ({ model, roles, temperature }: DeliberationEvidence["models"][number]): string =>
  `${model} ${roles ? "with" : "without"} roles at T = ${temperature}`;
