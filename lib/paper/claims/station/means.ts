import { mean, sampleStandardDeviation } from "simple-statistics";
import { PUBLISHED_THRESHOLDS } from "../../../quality/classify.ts";
import type { LiveRun, StationTables } from "../../station_tables.ts";
import type { Finding } from "../evaluate_claims.ts";
import { countOf, listed, qOf, rangeOf, threeDecimals } from "./words.ts";

type Models = Pick<StationTables, "models">;
type Runs = Pick<StationTables, "runs">;

/** Four of the five means lie above the threshold of the strong class. */
export function fourMeansStrong({ models }: Models): Finding {
  const above = models.filter(({ mean_q }) => mean_q > PUBLISHED_THRESHOLDS.strong);
  const below = models.filter((row) => !above.includes(row)).map(({ model, mean_q }) =>
    `${model} ${threeDecimals(mean_q)}`
  );
  return {
    holds: above.length === 4 && models.length === 5,
    evidence: `${countOf(above, models)} means exceed ${PUBLISHED_THRESHOLDS.strong}; not above it: ${listed(below)}.`,
  };
}

/** Like with like: the range of the means is smaller than the range of q within every family. */
export function meansNarrowByRange({ runs }: Runs): Finding {
  const families = familiesOf(runs);
  const between = rangeOf(families.map(({ own }) => mean(qOf(own))));
  const wider = families.filter(({ own }) => rangeOf(qOf(own)) > between);
  const ranges = families.map(({ own }) => rangeOf(qOf(own)));
  return {
    holds: wider.length === families.length,
    evidence: `The means range over ${threeDecimals(between)}; q within a family over ${
      threeDecimals(Math.min(...ranges))
    } to ${threeDecimals(Math.max(...ranges))}, more than that in ${countOf(wider, families)} families.`,
  };
}

/** As the sentence sets it out: the range of the means is smaller than each standard deviation beside it. */
export function meansNarrowBySd({ models }: Models): Finding {
  const between = rangeOf(models.map(({ mean_q }) => mean_q));
  const wider = models.filter(({ sd_q }) => sd_q > between);
  return {
    holds: wider.length === models.length,
    evidence: `The printed means range over ${threeDecimals(between)}, and ${
      countOf(wider, models)
    } printed SDs are larger: ${listed(wider.map(({ model, sd_q }) => `${model} ${threeDecimals(sd_q)}`))}.`,
  };
}

/** The share of the sum of squares within a family that one run may be said to make up almost entirely. */
const ALMOST_ENTIRELY = 0.9;

/** One run makes up nearly all of the variation within Gemini. */
export function geminiSpreadByOneSeed({ runs }: Runs): Finding {
  const own = runs.filter(({ model }) => model.startsWith("Gemini"));
  const failed = own.filter((run) => !run.stabilized);
  const rest = own.filter((run) => run.stabilized);
  const share = 1 - squares(qOf(rest)) / squares(qOf(own));
  const others = familiesOf(runs).filter(({ model }) => model !== own[0]?.model).map(({ own }) => deviation(own));
  return {
    holds: failed.length === 1 && share >= ALMOST_ENTIRELY,
    evidence:
      `Without seed ${listed(failed.map(({ seed }) => String(seed)))} the SD falls from ${
        threeDecimals(deviation(own))
      }` +
      ` to ${threeDecimals(deviation(rest))}, and the sum of squares by ${
        (100 * share).toFixed(1)
      } %; the smallest SD of another family is ${threeDecimals(Math.min(...others))}.`,
  };
}

/** Leaving out a single seed changes the order of the families' means. */
export function orderNotStable({ runs }: Runs): Finding {
  const whole = orderOf(runs);
  const seeds = [...new Set(runs.map(({ seed }) => seed))];
  const changed = seeds.filter((left) => orderOf(runs.filter(({ seed }) => seed !== left)).join() !== whole.join());
  const overtaken = changed.flatMap((left) => {
    const [first] = orderOf(runs.filter(({ seed }) => seed !== left));
    return first === whole[0] ? [] : [`without ${left} ${first} comes first instead of ${whole[0]}`];
  });
  return {
    holds: changed.length > 0,
    evidence: `The order of the families' means changes when one of ${countOf(changed, seeds)} seeds is left out (${
      listed(changed.map(String))
    })${overtaken.length === 0 ? "" : `; ${listed(overtaken)}`}.`,
  };
}

function familiesOf(runs: readonly LiveRun[]): { model: string; own: LiveRun[] }[] {
  return [...Map.groupBy(runs, ({ model }) => model)].map(([model, own]) => ({ model, own }));
}

const orderOf = (runs: readonly LiveRun[]): string[] =>
  familiesOf(runs).toSorted((a, b) => mean(qOf(b.own)) - mean(qOf(a.own))).map(({ model }) => model);

const deviation = (runs: readonly LiveRun[]): number => sampleStandardDeviation(qOf(runs));

function squares(values: readonly number[]): number {
  const centre = mean([...values]);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
}
