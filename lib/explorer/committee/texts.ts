// @ts-types="@types/d3-dsv"
import { csvFormat } from "d3-dsv";
import { fixedText, intervalText, LAMBDA, pValue, share, undefinedText } from "../../core/numbers.ts";
import type { BootstrapSlope } from "../../stats/bootstrap_slope.ts";
import type { GrowthLaw } from "../../stats/growth_law_fits.ts";
import type { GrowthLaws } from "../../stats/growth_laws.ts";
import type { Measures } from "./measures.ts";
import { type Known, lambdaText } from "./pictures.ts";
import type { State } from "./state.ts";

/** Stands where a number is being worked out. */
export const PENDING = "…";

const LAW_NAMES: Readonly<Record<GrowthLaw, string>> = {
  "steady": "steady",
  "random-walk": "random walk, √t",
  "ballistic": "straight paths, t",
  "exponential": "exponential",
  "mean-reverting": "mean-reverting walk",
  "plateau": "growth up to a plateau",
};

/** The interval that we believe; what is undefined says why. */
export function intervalWords(bootstrap: BootstrapSlope | undefined): string {
  if (bootstrap === undefined) return PENDING;
  const { low, high, reason } = bootstrap;
  return (intervalText(low, high) ?? undefinedText(reason)) + (bootstrap.bimodal ? ", carried by few runs" : "");
}

function percentileWords(bootstrap: BootstrapSlope | undefined): string {
  if (bootstrap === undefined) return PENDING;
  return intervalText(bootstrap.percentile.low, bootstrap.percentile.high) ?? undefinedText(bootstrap.reason);
}

export function lawWords(laws: GrowthLaws | undefined): string {
  if (laws === undefined) return PENDING;
  const best = laws.laws.find(({ law }) => law === laws.best);
  return best === undefined
    ? undefinedText(laws.reason)
    : `${LAW_NAMES[best.law]}, best in ${share(best.share)} of resamples`;
}

/** Every result of a committee by its name. */
export function resultRows({ runs, complete, slope, bootstrap, laws, published }: Known): [string, string][] {
  const { p, reason } = bootstrap ?? {};
  return [
    ["complete runs", `${complete.length} of ${runs.length}`],
    [`${LAMBDA}, nats per round`, lambdaText(slope)],
    ["95 % interval, studentised", intervalWords(bootstrap)],
    ["95 % interval, percentile", percentileWords(bootstrap)],
    [
      "p if there is no growth",
      bootstrap === undefined ? PENDING : p === undefined ? undefinedText(reason) : pValue(p),
    ],
    ["law of growth", lawWords(laws)],
    [`${LAMBDA} as published`, published ? `${fixedText(published.lambda)} (${published.source})` : "not printed"],
  ];
}

/** Δλ̂ of two committees with its interval. */
export function differenceWords(measures: Measures | undefined): string {
  if (measures === undefined) return PENDING;
  const { delta, low, high, reason } = measures.difference ?? {};
  if (delta === undefined) return undefinedText(reason);
  const interval = intervalText(low, high);
  const apart = low === undefined || high === undefined
    ? `no interval (${undefinedText(reason)})`
    : `${interval}, ${low > 0 || high < 0 ? "told apart" : "not told apart"}`;
  return `${fixedText(delta)} ${apart}`;
}

/** All that was measured, in a few sentences to be read out. */
export function summaryWords(known: readonly Known[], measures: Measures | undefined, { from, to }: State): string {
  const each = known.map(({ label, runs, complete, slope, bootstrap }) =>
    `${label}: ${complete.length} of ${runs.length} runs complete, ${LAMBDA} over rounds ${from} to ${to} is ` +
    `${lambdaText(slope)}, 95 % interval ${intervalWords(bootstrap)}.`
  );
  return [...each, ...(measures?.difference ? [`A less B: Δ${LAMBDA} ${differenceWords(measures)}.`] : [])].join(" ");
}

/** D(t) and the slope of every committee, a row a round; unknown is left empty. */
export function divergenceCsv(known: readonly Known[], state: State): string {
  const rows = known.flatMap(({ sign, label, D = [], complete, slope, bootstrap }) =>
    D.map((d, i) => ({
      // Of the reader's own runs neither is known here.
      ...(sign === "C" ? { seed: "", synthetic: "" } : { seed: state.seed, synthetic: true }),
      ...{ committee: sign, condition: label, replicates: complete.length, round: i + 1, D: d },
      ...{ ln_D: d > 0 ? Math.log(d) : "", from: state.from, to: state.to, lambda: slope?.lambda ?? "" },
      ...{ low: bootstrap?.low ?? "", high: bootstrap?.high ?? "" },
    }))
  );
  return csvFormat(rows, [
    "committee",
    "condition",
    "seed",
    "replicates",
    "round",
    "D",
    "ln_D",
    "from",
    "to",
    "lambda",
    "low",
    "high",
    "synthetic",
  ]) + "\n";
}
