import { sampleCorrelation, sum } from "simple-statistics";
import { ROLES } from "@/schema/scenario.ts";
import { branchingEntropy } from "@/stats/branching_entropy.ts";
import { fisherExact } from "@/stats/exact_tests.ts";
import { kendallTau } from "@/stats/rank_correlation.ts";
import type { DeliberationEvidence } from "./deliberation_tables.ts";
import { descending, factNumber, factRange, lowest, parted, rowOf } from "./rows.ts";
import type { Quantities } from "./values.ts";
import {
  cellName,
  evenOdds,
  fullOf,
  isPositive,
  isPrinted,
  SLOPE_QUANTITIES,
  slopeOf,
  slopes,
  sweep,
} from "./slopes.ts";

/** The level of a test whose size is counted. */
const LEVEL = 0.05;

/** The paper's null test among what the study of the estimators counts. */
const SHUFFLED = "rounds shuffled";

/** Two continuations that part in the first round and never move again. */
const PART_AND_STAY = [[[0.5, 0.5], [0.6, 0.4], [0.6, 0.4]], [[0.5, 0.5], [0.4, 0.6], [0.4, 0.6]]];

/** The numbers behind the deliberation paper's claims; slopes in nats per round. */
export const DELIBERATION_QUANTITIES: Quantities<DeliberationEvidence> = {
  ...SLOPE_QUANTITIES,

  /** IM-01's fall of λ̂ without each role's mandate, and without all. */
  falls({ conditions }) {
    const bare = rowOf(conditions, { experiment: "temperature", temperature: 0, roles: false });
    const whole = fullOf(conditions).lambda - bare.lambda;
    const falls = fallsOf(conditions).map((one) => ({ ...one, share: one.fall / whole }));
    const [first, second] = falls.map(({ fall }) => fall), chairFirst = falls[0]!.role === "Chair";
    const [[chair], others] = parted(falls, ({ role }) => role === "Chair");
    const nextShare = Math.max(...others.map(({ share }) => share)), large = falls.filter(({ share }) => share > 0.5);
    return {
      falls,
      whole,
      chair: chair!.share,
      chairFirst,
      first,
      second,
      ofFirst: second! / first!,
      nextShare,
      large,
    };
  },

  /** The Chair's effects of Figure 2B, and the scenario with the lowest slope among them. */
  chairOverScenarios({ effects, landscape }) {
    const own = effects.filter(({ figure }) => figure === "2B");
    const positive = own.filter(({ sign }) => sign === "positive");
    const resolved = positive.filter(({ excludes_zero }) => excludes_zero === true);
    const least = leastWithRoles(landscape, own.map(({ scenario }) => scenario));
    return { own, positive, resolved, p: evenOdds(positive.length, own.length), least };
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

  /** The numbers of identical calls that would be a share in the range stated. */
  identicalCalls({ facts }) {
    const calls = factNumber(facts, "identical-calls"), [low, high] = factRange(facts, "identical-calls-differ");
    const counts = Array.from({ length: calls + 1 }, (_, k) => k).filter((k) => k / calls >= low && k / calls <= high);
    const none = `No number of ${calls} calls is a share of ${low} to ${high}.`;
    if (counts.length === 0) return { instead: none, verdict: "contradicted" };
    return { counts, first: counts[0], last: counts.at(-1) };
  },

  /** Mixed cells with all their runs, and with a printed slope. */
  mixedRuns({ mixed, accounting, facts }) {
    const target = factNumber(facts, "replicate-target"), full = mixed.filter(({ n }) => n === target);
    const totals = accounting.filter(({ condition }) => /matrix: Mixed/.test(condition));
    const [realised, wanted] = [sum(totals.map((row) => row.realised)), sum(totals.map((row) => row.target))];
    return { mixed, full, target, realised, wanted, printed: mixed.filter(isPrinted) };
  },

  /** The parse-failure rate of each condition if every missing run had failed to parse. */
  worstParseRate({ accounting, models, failures, facts }) {
    const [high, target] = [factNumber(facts, "parse-failure-rate", "high"), factNumber(facts, "replicate-target")];
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
    const temperatures = factNumber(facts, "switches-temperatures"), rows = sweep(conditions, true);
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
    const target = factNumber(facts, "replicate-target"), short = models.filter(({ n }) => n < target);
    const lacking = sum(short.map(({ n }) => target - n)), most = cellName(lowest(short, ({ n }) => n));
    const told = failures.map(({ failure_source, status }) => `${failure_source} ${status.toLowerCase()}`);
    return { models, short, lacking, failures, most, known: failures.filter(({ status }) => status === "Known"), told };
  },

  /** Rejection rates of the shuffle test where the slope is zero, in our own simulations. */
  shuffling({ facts, study }) {
    const sized = study.filter(({ truth, counts }) => truth === 0 && SHUFFLED in counts)
      .map((row) => ({ ...row, first: row.replicates[0], size: row.counts[SHUFFLED]! / row.ensembles }));
    const often = sized.filter(({ size, ensembles }) => size > LEVEL + 3 * Math.sqrt(LEVEL * (1 - LEVEL) / ensembles));
    const most = Math.max(0, ...often.map(({ size }) => size));
    return { level: LEVEL, sized, often, most, least: 1 / (factNumber(facts, "permutations") + 1) };
  },

  /** The printed certificate in its standard errors, and that of continuations that part once and never move again. */
  certificate({ facts }) {
    const { gamma, initial } = branchingEntropy(PART_AND_STAY);
    return { errors: factNumber(facts, "branching-gamma") / factNumber(facts, "branching-gamma-se"), gamma, initial };
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
    const across = { part: whole - largest, whole }, within = flipsOf(fullOf(conditions));
    const [share, withinShare] = [across.part / whole, within.part / within.whole];
    return { across, within, share, withinShare, p: fisherExact(across, within) };
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
    const [from, to] = factRange(facts, "majority-rounds-roles"), never = factRange(facts, "never-majority-roles");
    const medians = [...new Set(rows.map(({ ttm }) => ttm))].toSorted((a, b) => a - b);
    const within = rows.filter(({ ttm }) => ttm >= from && ttm <= to);
    const late = rows.filter(({ ttm }) => ttm > factNumber(facts, "rounds"));
    return { rows, runs, medians, within, late, fewest: never[0] * runs, most: never[1] * runs };
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

/** The fall of the slope without each role's mandate, the largest first. */
function fallsOf(conditions: DeliberationEvidence["conditions"]) {
  const full = fullOf(conditions).lambda;
  const falls = conditions.flatMap(({ experiment, ablate, lambda }) =>
    experiment === "ablation" && ablate !== undefined ? [{ role: ablate, fall: full - lambda }] : []
  );
  return descending(falls, ({ fall }) => fall);
}

/** The cell with the lowest slope with roles at T = 0. */
const leastWithRoles = (landscape: DeliberationEvidence["landscape"], scenarios: readonly string[]) =>
  lowest(scenarios.map((scenario) => rowOf(landscape, { scenario, roles: true, temperature: 0 })), slopeOf);

/** Runs that end in another than the commonest decision. */
const flipsOf = ({ flip_rate, n }: DeliberationEvidence["conditions"][number]) => ({
  part: Math.round(flip_rate * n),
  whole: n,
});
