import { mean, sampleStandardDeviation, sum, sumNthPowerDeviations } from "simple-statistics";
import { classify, PUBLISHED_THRESHOLDS } from "@/quality/classify.ts";
import { type Interval, printedQ, type PublishedRow } from "@/quality/published_row.ts";
import { pairOrder } from "@/quality/ranks.ts";
import { possibleQ, rescoreBounds } from "@/quality/rescore_bounds.ts";
import { NAMED_WEIGHTS, PUBLISHED_WEIGHTS, type Weights } from "@/quality/weights.ts";
import { CLASSIFICATIONS, type ComponentName } from "@/schema/quality_names.ts";
import { fisherExact } from "@/stats/exact_tests.ts";
import { rankCorrelation } from "@/stats/rank_correlation.ts";
import { studentT } from "@/stats/distributions.ts";
import { varianceComponents } from "@/stats/variance_components.ts";
import { furtherValues } from "@/lab/paper/published_rows.ts";
import type { FloorRun, LiveRun, StationTables } from "@/lab/paper/published_station.ts";
import { descending, factNumber, lowest, parted } from "./rows.ts";
import { recomputeTables } from "./quality_tables.ts";
import { listed } from "@/lab/notebook/words.ts";
import type { Values } from "@/lab/paper/claims.ts";
import type { Quantities } from "./values.ts";

/** The seed on which the one miss happened. */
const HARD = 104;

/** The formula's clamp: information integrity counts from 0.40, and in full from 0.45 above. */
const INFO = { from: 0.40, span: 0.45 };

/** Numbers of runs that may count as the strongest: the claim should not depend on where the line is drawn. */
const CUTS = [3, 4, 5, 6, 7, 8, 9, 10];

/** Live runs that passed a plan by this round passed early. */
const EARLY = 2;

/** Two ways of summing the same decimals may differ in their last binary digit. */
const DUST = 1e-12;

/** The numbers behind the station paper's claims. */
export const STATION_QUANTITIES: Quantities<StationTables> = {
  /** The run with the highest q, beside the next of all printed ones. */
  highest({ runs, floor }) {
    const [first, second] = byQ(runs), orderly = runs.filter((run) => run.public_order > first!.public_order);
    const { q, active_rumors: rumors } = first!, next = Math.max(second!.q, ...qOf(floor));
    return { name: nameOf(first!), q, rumors, isExample: isExample(first!), next, orderly };
  },

  /** The rows of Table 8 that have the public order and the rumours of the run that the introduction tells of. */
  story({ floor, facts }) {
    const [order, rumors] = ["public-order", "active-rumors"].map((id) => factNumber(facts, `fallback-111-${id}`));
    const found = floor.filter((run) => run.active_rumors === rumors && three(run.public_order) === three(order!));
    return { found };
  },

  /** The lowest public order without a model, and of a live run. */
  lowestOrder: ({ runs, floor }) => ({ runs, floor, run: lowest(floor, orderOf) }),

  /** The slots of a run without a model. */
  slots: ({ facts }) => ({ slots: factNumber(facts, "council-roles") * factNumber(facts, "rounds") }),

  /** The ways to share the strict sweep's stabilised runs among the families of which none is printed. */
  strictSweep({ facts }) {
    const [mimo, glm] = [factNumber(facts, "strict-mimo"), factNumber(facts, "strict-glm")];
    const left = factNumber(facts, "strict-stabilized") - mimo - glm, counts = [0, 1, 2, 3, 4, 5, 6];
    const possible = counts.flatMap((a) => counts.filter((b) => b <= a).map((b) => [a, b, left - a - b]))
      .filter(([, b, c]) => c! >= 0 && c! <= b!);
    return { left, possible, ranked: possible.filter((own) => new Set([...own, mimo, glm]).size === 5) };
  },

  /** Runs of the repair rollout that stabilised (Table 3). */
  repair: ({ phases }) => repairPhase(phases),

  /** Clean-live runs that stabilised, beside those of the repair rollout. */
  saturation({ runs, phases }) {
    const [live, failed] = parted(runs, isStable), { stabilized: part, runs: whole } = repairPhase(phases);
    const known = part !== undefined && whole !== undefined;
    const p = known ? fisherExact({ part, whole }, { part: live.length, whole: runs.length }) : undefined;
    return { runs, live, failed, part, whole, p };
  },

  /** Printed classes beside those that the printed values give. */
  classes({ runs, floor }) {
    const rows = [
      ...runs.map((run) => ({ name: nameOf(run), given: run.class, follows: classify(run) })),
      ...floor.map((run) => ({ name: `no model ${run.seed}`, given: run.classification, follows: classify(run) })),
    ];
    const wrong = rows.filter(({ given, follows }) => given !== follows);
    const occur = new Set(rows.map(({ given }) => given)).size;
    return { rows, wrong, right: rows.length - wrong.length, occur, all: CLASSIFICATIONS };
  },

  /** Printed q that the published formula can give with what else is printed of the run. */
  possible({ runs, floor }) {
    const rows: PublishedRow[] = [...runs, ...floor];
    const possible = rows.filter((row) => {
      const [may, printed] = [possibleQ(row), printedQ(row)];
      return printed.low <= may.high + DUST && printed.high >= may.low - DUST;
    });
    return { rows, possible };
  },

  /** The weights of Table 4 and their sum. */
  weights({ weights }) {
    const total = sum(weights.map(weightOf)), terms = weights.map(({ weight }) => weight.toFixed(2)).join(" + ");
    return { terms, weights, total, off: Math.abs(total - 1) };
  },

  /** The weights of feasibility and stability, and of participation. */
  priorities({ weights }) {
    const of = (...names: ComponentName[]) => weights.filter(({ component }) => names.includes(component));
    return { first: of("executability", "public_order"), second: of("trust", "coalition") };
  },

  /** Named weightings that turn round the order of two families' means, whatever was not published. */
  otherWeights({ runs }) {
    const before = familyBounds(runs, PUBLISHED_WEIGHTS), named = Object.values(NAMED_WEIGHTS);
    const certain = named.flatMap(({ label, weights }) => {
      const turned = turnedRound(before, familyBounds(runs, weights));
      return turned.length > 0 ? [`"${label}" puts ${listed(turned)}`] : [];
    });
    return { named, certain };
  },

  /** q of live runs that passed early, and without a model. */
  early: ({ runs, floor }) => ({
    early: survivors(runs).filter((run) => run.time_to_first_pass! <= EARLY),
    ...{ by: EARLY, floor },
  }),

  /** Live survivors that score no more than the best run without a model. */
  overlap({ runs, floor }) {
    const live = survivors(runs), most = Math.max(...qOf(floor)), within = live.filter(({ q }) => q <= most);
    const above = live.flatMap(({ q }) => floor.map((run) => q > run.q));
    return { live, within, most, percent: 100 * above.filter(Boolean).length / above.length };
  },

  /** Cells of Tables 6, 7 and 8 computed again from the printed rows. */
  recomputed(published) {
    const cells = recomputeTables(published);
    const within = cells.filter(({ verdict }) => verdict === "within rounding");
    const wrong = cells.filter(({ verdict }) => verdict === "not compatible");
    return { cells, within, wrong, right: cells.length - within.length - wrong.length };
  },

  /** Printed means above the threshold of the strong class. */
  strongMeans({ models }) {
    const { strong } = PUBLISHED_THRESHOLDS;
    const [above, below] = parted(models, ({ mean_q }) => mean_q > strong);
    return { models, above, below, strong };
  },

  /** The range of the families' means beside the ranges of q within a family. */
  familyRanges({ runs }) {
    const families = groups(runs, "model"), between = range(families.map(({ mean }) => mean));
    const ranges = families.map(({ own }) => range(qOf(own)));
    return { families, between, ranges, wider: ranges.filter((one) => one > between) };
  },

  /** The range of the printed means beside the printed standard deviations. */
  printedSds({ models }) {
    const between = range(models.map(({ mean_q }) => mean_q));
    return { models, between, wider: models.filter(({ sd_q }) => sd_q > between) };
  },

  /** The share of Gemini's variation that is due to the failed run. */
  geminiSpread({ runs }) {
    const [own, others] = parted(runs, ({ model }) => model.startsWith("Gemini")),
      [rest, failed] = parted(own, isStable);
    const spread = (some: readonly LiveRun[]) => sampleStandardDeviation(qOf(some));
    const share = 1 - sumNthPowerDeviations(qOf(rest), 2) / sumNthPowerDeviations(qOf(own), 2);
    const least = Math.min(...groups(others, "model").map(({ own }) => spread(own)));
    return { failed, sd: spread(own), without: spread(rest), share, percent: 100 * share, least };
  },

  /** The order of the families' means, and its change without each seed. */
  familyOrder({ runs }) {
    const order = (some: readonly LiveRun[]) =>
      groups(some, "model").toSorted((a, b) => b.mean - a.mean).map(({ name }) => name);
    const whole = order(runs), seeds = groups(runs, "seed").map(({ name }) => name);
    const changed = seeds.map((left) => ({ left, order: order(runs.filter(({ seed }) => seed !== left)) }))
      .filter((one) => one.order.join() !== whole.join());
    const overtaken = changed.filter(({ order }) => order[0] !== whole[0])
      .map(({ left, order }) => `without ${left} ${order[0]} comes first instead of ${whole[0]}`);
    const { F: { council }, reliability } = studyOf(runs);
    return { seeds, changed, overtaken, ...council, reliability };
  },

  /** The range of the other seeds' means, beside the least range of the families on one of them. */
  difficulty({ runs }) {
    const rest = groups(runs, "seed").filter(({ name }) => name !== HARD);
    const within = Math.min(...rest.map(({ own }) => range(qOf(own))));
    return { between: range(rest.map(({ mean }) => mean)), within };
  },

  /** The seed with the lowest mean q, and those of misses. */
  hardestSeed({ runs }) {
    const seeds = groups(runs, "seed"), missed = [...new Set(failures(runs).map(({ seed }) => seed))];
    const others = groups(survivors(runs), "seed").toSorted((a, b) => a.mean - b.mean);
    const rank = others.findIndex(({ name }) => name === HARD) + 1, missedThere = missed.join() === String(HARD);
    return { seeds, least: lowest(seeds, ({ mean }) => mean), missed, missedThere, rank, ...studyOf(runs).F.seed };
  },

  /** Seed 104 for the families that did not miss, and for the room without a model. */
  hardSeed({ runs, floor }) {
    const missed = failures(runs).map(({ model }) => model), rest = runs.filter(({ model }) => !missed.includes(model));
    const own = standing(groups(rest, "seed").map(({ name, mean }) => ({ seed: name, q: mean })));
    const room = standing(floor), families = groups(rest, "model");
    if (own === undefined || room === undefined) return { instead: `Seed ${HARD} is not among those published.` };
    return { families, own, room, ...studyOf(runs).F.seed };
  },

  /** The mean without a model beside adequate, and beside the families' means. */
  floorMean({ floor, models }) {
    const own = mean(qOf(floor)), means = models.map(({ mean_q }) => mean_q);
    return { own, above: own - PUBLISHED_THRESHOLDS.adequate, below: Math.min(...means) - own, range: range(means) };
  },

  /** Runs without a model that are adequate. */
  floorAdequate({ floor }) {
    const { adequate } = PUBLISHED_THRESHOLDS;
    return { floor, clear: floor.filter(({ q }) => q >= adequate), half: floor.length / 2, adequate };
  },

  /** Public order and rumours without a model, and of the live survivors. */
  endings: ({ runs, floor }) => ({ live: survivors(runs), floor }),

  /** Seeds that were run without a model more than once, and how many of them ended alike. */
  repeatedFloor({ floor, batches, runs }) {
    const twice = [...Map.groupBy(floor, ({ seed }) => seed).values()].filter((own) => own.length > 1);
    const alike = twice.filter((own) => new Set(own.map(({ seed: _, ...rest }) => JSON.stringify(rest))).size === 1);
    const seeds = twice.length === 0 ? "no seed" : listed(twice.map(([run]) => `seed ${run!.seed}`));
    const told = twice.length && `${alike.length} of ${twice.length}`;
    return { made: floorRunsMade({ batches, runs }), floor, twice, alike, seeds, told };
  },

  /** Printed runs without a model that stabilised, beside those that were made. */
  floorRuns({ floor, batches, runs }) {
    const made = floorRunsMade({ batches, runs });
    return { made, floor, stable: floor.filter(isStable), unprinted: made - floor.length };
  },

  /** The gain in q by a live council on each seed. */
  gaps({ runs, floor }) {
    const gaps = floor.map(({ seed, q }) => ({ seed, gap: mean(qOf(runs.filter((run) => run.seed === seed))) - q }));
    return { gaps, positive: gaps.filter(({ gap }) => gap > 0), least: lowest(gaps, ({ gap }) => gap) };
  },

  /** Live runs that stabilised and are adequate. */
  adequateRuns({ runs }) {
    const { adequate } = PUBLISHED_THRESHOLDS, live = survivors(runs);
    return { runs, live, clear: live.filter(({ q }) => q >= adequate), adequate, last: byQ(live).slice(-1) };
  },

  /** The failed run's levels beside the gate: the least information integrity with which its q is possible. */
  failedLevels: ({ runs, facts }) =>
    ofTheFailed(runs, (run) => {
      const { low: least } = rescoreBounds({ ...run, ...furtherValues(nameOf(run), facts) }, { info_integrity: 1 });
      const info = INFO.from + INFO.span * least;
      // Whatever lies below its first level counts as 0: from a component of 0 nothing follows about the level.
      const told = least > 0 ? `at least ${three(info)} for its q to be possible` : "not bounded by its q";
      return { name: nameOf(run), passed: run.passed_count, order: run.public_order, least, info, told };
    }),

  /** The failed run's surface beside the survivors'. */
  failedSurface: ({ runs }) =>
    ofTheFailed(runs, (run) => {
      const live = survivors(runs);
      return { ...run, name: nameOf(run), live, below: live.filter((one) => one.public_order < run.public_order) };
    }),

  /** Bounds of a component in the failed run or in the clean example, given all that is printed of it. */
  runBounds({ runs, facts }, { run: which, component }) {
    const bounds = (run: LiveRun): Values => ({
      name: nameOf(run),
      ...rescoreBounds({ ...run, ...furtherValues(nameOf(run), facts) }, { [component!]: 1 }),
    });
    if (which === "failed") return ofTheFailed(runs, bounds);
    const example = runs.find(isExample);
    return example ? bounds(example) : { instead: "The run is not among those published." };
  },

  /** The runs of the batches and their sum. */
  batches({ batches }) {
    const runs = batches.map(({ runs }) => runs);
    return { terms: runs.join(" + "), total: sum(runs), batches };
  },

  /** Families that ran in one batch alone. */
  familyBatches({ runs }) {
    const families = groups(runs, "model"), batches = groups(runs, "batch");
    const single = families.filter(({ own }) => new Set(own.map(({ batch }) => batch)).size === 1);
    return { families, single, batches };
  },

  /** Mean of the first pass (`of.value`) or of rumours among the strongest and the rest, wherever the line is drawn. */
  cuts({ runs }, { value }) {
    const of = (some: readonly LiveRun[]) =>
      mean(some.map((run) => value === "first pass" ? run.time_to_first_pass ?? NaN : run.active_rumors));
    const ordered = byQ(survivors(runs)), others = ordered.length - 5;
    const cuts = CUTS.map((cut) => ({ cut, strongest: of(ordered.slice(0, cut)), rest: of(ordered.slice(cut)) }));
    const [held, failed] = parted(cuts, (one) => one.strongest < one.rest);
    const { strongest, rest } = cuts.find(({ cut }) => cut === 5)!;
    return { cuts, held, failed, strongest, rest, others, ...timeRanks(survivors(runs)) };
  },

  /** The five strongest runs that passed before the mean round and ended with at most the mean number of rumours. */
  shape({ runs }) {
    const live = survivors(runs), strongest = byQ(live).slice(0, 5);
    const [round, rumors] = [mean(live.map((run) => run.time_to_first_pass!)), mean(live.map(rumorsOf))];
    const shaped = strongest.filter((run) => run.time_to_first_pass! < round && run.active_rumors <= rumors);
    return { strongest, shaped, round, rumors };
  },

  /** Bounds of a component in the strongest runs, given q and the values printed beside it. */
  strongestBounds({ runs }, { component }) {
    const bounds = byQ(survivors(runs)).slice(0, CUTS.at(-1)).map((run) => rescoreBounds(run, { [component!]: 1 }));
    return { bounds, enough: bounds.filter(({ low }) => low >= 0.5), half: 0.5, strongest: bounds.slice(0, 5) };
  },
};

const three = (value: number): string => value.toFixed(3);
const range = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
const qOf = (runs: readonly { readonly q: number }[]): number[] => runs.map(({ q }) => q);
const byQ = <Run extends { readonly q: number }>(runs: readonly Run[]): Run[] => descending(runs, ({ q }) => q);
const nameOf = ({ model, seed }: LiveRun): string => `${model} ${seed}`;
const isExample = ({ model, seed }: LiveRun): boolean => model.startsWith("MIMO") && seed === 109;
const orderOf = ({ public_order }: FloorRun): number => public_order;
const rumorsOf = ({ active_rumors }: { readonly active_rumors: number }): number => active_rumors;
const weightOf = ({ weight }: { readonly weight: number }): number => weight;
const isStable = ({ stabilized }: { readonly stabilized: boolean }): boolean => stabilized;
const survivors = (runs: readonly LiveRun[]): LiveRun[] => runs.filter(isStable);
const failures = (runs: readonly LiveRun[]): LiveRun[] => runs.filter((run) => !isStable(run));

/** Runs by family, seed or batch, with their mean q. */
const groups = <Key extends "model" | "seed" | "batch">(runs: readonly LiveRun[], key: Key) =>
  [...Map.groupBy(runs, (run) => run[key])].map(([name, own]) => ({ name, own, mean: mean(qOf(own)) }));

/** Families on seeds, one run each: variance that families, and seeds, have beyond what is left. */
const studyOf = (runs: readonly LiveRun[]) =>
  varianceComponents(runs.map(({ model, seed, q }) => ({ council: model, seed, value: q })));

/** The q on seed 104, and how many of the other seeds have a lower one: those it is easier than. */
function standing(seeds: readonly { readonly seed: number; readonly q: number }[]) {
  const own = seeds.find(({ seed }) => seed === HARD), others = seeds.length - 1;
  return own && { q: own.q, easier: seeds.filter(({ q }) => q < own.q).length, others, half: others / 2 };
}

const repairPhase = (phases: StationTables["phases"]) => ({
  ...phases.find(({ phase }) => phase.startsWith("Schema-interface repair")),
});

/** The runs without a model: those of the primary batch that are no clean-live runs. */
function floorRunsMade({ batches, runs }: Pick<StationTables, "batches" | "runs">): number {
  const primary = batches.find(({ batch }) => batch.startsWith("Quality-of-survival"));
  return (primary?.runs ?? 0) - runs.filter(({ batch }) => batch === "primary").length;
}

/** Values of the one clean-live run that failed. */
function ofTheFailed(runs: readonly LiveRun[], values: (run: LiveRun) => Values): Values {
  const [failed, ...others] = failures(runs);
  if (failed !== undefined && others.length === 0) return values(failed);
  const count = failures(runs).length;
  return { instead: `${count} of ${runs.length} clean-live runs failed, not one.`, verdict: "contradicted" };
}

/** Rank correlation of q with the round of the first pass, and of q without its time term. */
function timeRanks(live: readonly LiveRun[]) {
  const rounds = live.map((run) => run.time_to_first_pass!), freedom = rounds.length - 2;
  const rank = (less: number) => rankCorrelation(live.map(({ q }, i) => q - less * (7 - rounds[i]!) / 6), rounds)!;
  const timeless = rank(PUBLISHED_WEIGHTS.time_to_pass);
  const p = 2 * studentT(-Math.abs(timeless) * Math.sqrt(freedom / (1 - timeless ** 2)), freedom);
  return { rank: rank(0), timeless, p };
}

/** Runs vary independently, so the mean's bounds are the means of the bounds. */
function familyBounds(runs: readonly LiveRun[], weights: Weights): Map<string, Interval> {
  return new Map(
    groups(runs, "model").map(({ name, own }) => {
      const bounds = own.map((run) => rescoreBounds(run, weights));
      return [name, { low: mean(bounds.map(({ low }) => low)), high: mean(bounds.map(({ high }) => high)) }];
    }),
  );
}

function turnedRound(before: ReadonlyMap<string, Interval>, after: ReadonlyMap<string, Interval>): string[] {
  const names = [...before.keys()], is = (of: typeof before, a: string, b: string) => pairOrder(of.get(a)!, of.get(b)!);
  return names.flatMap((a) =>
    names.filter((b) => is(before, a, b) === "above" && is(after, a, b) === "below").map((b) => `${a} below ${b}`)
  );
}
