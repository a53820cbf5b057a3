import { mean, sampleStandardDeviation } from "simple-statistics";
import { PUBLISHED_THRESHOLDS } from "../../../quality/classify.ts";
import { varianceComponents } from "../../../stats/variance_components.ts";
import type { LiveRun, StationTables } from "../../published_station.ts";
import type { Checks } from "../evaluate_claims.ts";
import { countOf, LEVEL, listed, pText, qOf, rangeOf, threeDecimals, words } from "../words.ts";

/** The share of the sum of squares within a family that one run may be said to make up almost entirely. */
const ALMOST_ENTIRELY = 0.9;

/** The seed on which the one miss happened. */
const HARD = 104;

/** What is said of model families and of seeds. */
export const FAMILIES: Checks<StationTables> = {
  /** Four of the five means lie above the threshold of the strong class. */
  fourMeansStrong({ models }) {
    const above = models.filter(({ mean_q }) => mean_q > PUBLISHED_THRESHOLDS.strong);
    const below = models.filter((row) => !above.includes(row)).map(({ model, mean_q }) =>
      `${model} ${threeDecimals(mean_q)}`
    );
    return {
      holds: above.length === 4 && models.length === 5,
      evidence: words`${countOf(above, models)} means exceed ${PUBLISHED_THRESHOLDS.strong}; not above it:
        ${listed(below)}.`,
    };
  },

  /** Like with like: the range of the means is smaller than the range of q within every family. */
  meansNarrowByRange({ runs }) {
    const families = familiesOf(runs);
    const between = rangeOf(families.map(({ own }) => mean(qOf(own))));
    const wider = families.filter(({ own }) => rangeOf(qOf(own)) > between);
    const ranges = families.map(({ own }) => rangeOf(qOf(own)));
    return {
      holds: wider.length === families.length,
      evidence: words`The means range over ${threeDecimals(between)}; q within a family over
        ${threeDecimals(Math.min(...ranges))} to ${threeDecimals(Math.max(...ranges))}, more than that in
        ${countOf(wider, families)} families.`,
    };
  },

  /** As the sentence sets it out: the range of the means is smaller than each standard deviation beside it. */
  meansNarrowBySd({ models }) {
    const between = rangeOf(models.map(({ mean_q }) => mean_q));
    const wider = models.filter(({ sd_q }) => sd_q > between);
    return {
      holds: wider.length === models.length,
      evidence: words`The printed means range over ${threeDecimals(between)}, and ${countOf(wider, models)} printed SDs
        are larger: ${listed(wider.map(({ model, sd_q }) => `${model} ${threeDecimals(sd_q)}`))}.`,
    };
  },

  /** One run makes up nearly all of the variation within Gemini. */
  geminiSpreadByOneSeed({ runs }) {
    const own = runs.filter(({ model }) => model.startsWith("Gemini"));
    const failed = own.filter((run) => !run.stabilized);
    const rest = own.filter((run) => run.stabilized);
    const share = 1 - squares(qOf(rest)) / squares(qOf(own));
    const others = familiesOf(runs).filter(({ model }) => model !== own[0]?.model).map(({ own }) => deviation(own));
    return {
      holds: failed.length === 1 && share >= ALMOST_ENTIRELY,
      evidence: words`Without seed ${listed(failed.map(({ seed }) => String(seed)))} the SD falls from
        ${threeDecimals(deviation(own))} to ${threeDecimals(deviation(rest))}, and the sum of squares by
        ${(100 * share).toFixed(1)} %; the smallest SD of another family is ${threeDecimals(Math.min(...others))}.`,
    };
  },

  /** Leaving out a single seed changes the order of the families' means. */
  orderNotStable({ runs }) {
    const whole = orderOf(runs);
    const seeds = [...new Set(runs.map(({ seed }) => seed))];
    const changed = seeds.filter((left) => orderOf(runs.filter(({ seed }) => seed !== left)).join() !== whole.join());
    const overtaken = changed.flatMap((left) => {
      const [first] = orderOf(runs.filter(({ seed }) => seed !== left));
      return first === whole[0] ? [] : [`without ${left} ${first} comes first instead of ${whole[0]}`];
    });
    const { F: { council }, reliability } = studyOf(runs);
    return {
      holds: changed.length > 0 && council.p >= LEVEL,
      evidence: words`The order of the families' means changes when one of ${countOf(changed, seeds)} seeds is left out
        (${listed(changed.map(String))})${overtaken.length === 0 ? "" : `; ${listed(overtaken)}`}. The families'
        means have F ${council.F.toFixed(2)} (${pText(council.p)}), and their order a reliability of
        ${reliability.toFixed(2)}.`,
    };
  },

  /** Without seed 104, the seed means differ by less than q differs between the families on any one of those seeds. */
  difficultyFlat({ runs }) {
    const rest = bySeed(runs.filter(({ seed }) => seed !== HARD));
    const between = rangeOf(rest.map(({ own }) => mean(qOf(own))));
    const within = Math.min(...rest.map(({ own }) => rangeOf(qOf(own))));
    return {
      holds: between < within,
      evidence: words`Without seed ${HARD} the seed means range over ${threeDecimals(between)}; on one seed the
        families differ by at least ${threeDecimals(within)}.`,
    };
  },

  /** Seed 104 has the lowest mean and the only miss. */
  seed104Hardest({ runs }) {
    const seeds = bySeed(runs).toSorted((a, b) => mean(qOf(a.own)) - mean(qOf(b.own)));
    const missed = seeds.filter(({ own }) => own.some((run) => !run.stabilized)).map(({ seed }) => seed);
    const others = seeds.map(({ seed, own }) => ({ seed, q: mean(qOf(own.filter((run) => run.stabilized))) }));
    const rank = others.toSorted((a, b) => a.q - b.q).findIndex(({ seed }) => seed === HARD) + 1;
    const { F, p } = studyOf(runs).F.seed;
    return {
      holds: seeds[0]?.seed === HARD && missed.join() === String(HARD),
      evidence: words`Lowest mean q: seed ${seeds[0]?.seed}; misses: seed ${listed(missed.map(String))}. Among the runs
        that stabilised, seed ${HARD} is number ${rank} of ${seeds.length} from below. That one seed is harder than
        another at all is not established: the seeds' means have F ${F.toFixed(2)} (${pText(p)}).`,
    };
  },

  /** The families that did not miss, and the room without a model, find seed 104 harder than most seeds. */
  seed104HardForOthers({ runs, floor }) {
    const failed = new Set(runs.filter((run) => !run.stabilized).map(({ model }) => model));
    const seeds = bySeed(runs.filter(({ model }) => !failed.has(model))).map(({ seed, own }) => ({
      seed,
      q: mean(qOf(own)),
    }));
    const [own, room] = [standing(seeds), standing(floor)];
    if (own === undefined || room === undefined) {
      return { holds: undefined, evidence: `Seed ${HARD} is not among those published.` };
    }
    const { F, p } = studyOf(runs).F.seed;
    return {
      holds: own.easier < own.others / 2 && room.easier < room.others / 2,
      evidence: words`The other ${families(runs) - failed.size} families average ${threeDecimals(own.q)} on seed
        ${HARD}, above ${own.easier} of their ${own.others} other seeds; without a model q is
        ${threeDecimals(room.q)}, above ${room.easier} of ${room.others}. Over all families the seeds' means have F
        ${F.toFixed(2)} (${pText(p)}).`,
    };
  },
};

function familiesOf(runs: readonly LiveRun[]): { model: string; own: LiveRun[] }[] {
  return [...Map.groupBy(runs, ({ model }) => model)].map(([model, own]) => ({ model, own }));
}

const orderOf = (runs: readonly LiveRun[]): string[] =>
  familiesOf(runs).toSorted((a, b) => mean(qOf(b.own)) - mean(qOf(a.own))).map(({ model }) => model);

/** Families on seeds, one run each: variance that families, and seeds, have beyond what is left. */
const studyOf = (runs: readonly LiveRun[]) =>
  varianceComponents(runs.map(({ model, seed, q }) => ({ council: model, seed, value: q })));

const deviation = (runs: readonly LiveRun[]): number => sampleStandardDeviation(qOf(runs));

function squares(values: readonly number[]): number {
  const centre = mean([...values]);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}

/** The q on seed 104, and how many of the other seeds have a lower one: those it is easier than. */
function standing(
  seeds: readonly { readonly seed: number; readonly q: number }[],
): { q: number; easier: number; others: number } | undefined {
  const own = seeds.find(({ seed }) => seed === HARD);
  if (own === undefined) return undefined;
  return { q: own.q, easier: seeds.filter(({ q }) => q < own.q).length, others: seeds.length - 1 };
}

const families = (runs: readonly LiveRun[]): number => new Set(runs.map(({ model }) => model)).size;

function bySeed(runs: readonly LiveRun[]): { seed: number; own: LiveRun[] }[] {
  return [...Map.groupBy(runs, ({ seed }) => seed)].map(([seed, own]) => ({ seed, own }));
}
