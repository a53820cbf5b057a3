import { fixedText, intervalText, LAMBDA, pValue, share, undefinedText } from "../../core/numbers.ts";
import type { BootstrapSlope } from "../../stats/bootstrap_slope.ts";
import type { GrowthLaw, LawEstimate } from "../../stats/growth_law_fits.ts";
import type { GrowthLaws } from "../../stats/growth_laws.ts";
import type { Measured, QuickMeasures } from "./measures.ts";
import type { MeasureState } from "./state.ts";

/** Stands where a number is being worked out. */
export const PENDING = "…";

export const LAW_NAMES: Readonly<Record<GrowthLaw, string>> = {
  "steady": "steady",
  "random-walk": "random walk, √t",
  "ballistic": "straight paths, t",
  "exponential": "exponential",
  "mean-reverting": "mean-reverting walk",
  "plateau": "growth up to a plateau",
};

/** λ̂, or why there is none. */
export function slopeText({ slope: { lambda, reason } }: QuickMeasures): string {
  return lambda === undefined ? undefinedText(reason) : fixedText(lambda);
}

/** The percentile interval; what is undefined says why. */
export function percentileText(bootstrap: BootstrapSlope | undefined): string {
  if (bootstrap === undefined) return PENDING;
  return intervalText(bootstrap.low, bootstrap.high) ?? undefinedText(bootstrap.reason);
}

/** The studentised interval, and the one-sided p of no growth. */
export function studentisedTexts(bootstrap: BootstrapSlope | undefined): { interval: string; p: string } {
  if (bootstrap === undefined) return { interval: PENDING, p: PENDING };
  const { studentised: { low, high, p }, reason } = bootstrap;
  return {
    interval: intervalText(low, high) ?? undefinedText(reason),
    p: p === undefined ? undefinedText(reason) : pValue(p),
  };
}

/** What a law was fitted with besides its level. */
export function estimateText({ lambda, reversion, plateauFrom }: LawEstimate): string {
  const parts = [
    lambda !== undefined && `λ = ${fixedText(lambda)}`,
    reversion !== undefined && `θ = ${fixedText(reversion, 3)}`,
    plateauFrom !== undefined && `until round ${plateauFrom}`,
  ];
  return parts.filter(Boolean).join(", ") || "level alone";
}

export function bestLawText(laws: GrowthLaws | undefined): string {
  if (laws === undefined) return PENDING;
  const best = laws.laws.find(({ law }) => law === laws.best);
  if (best === undefined) return undefinedText(laws.reason);
  return `${LAW_NAMES[best.law]}, best in ${share(best.share)} of resamples`;
}

/** The name of the law that is drawn. */
export function drawnLawText({ state: { law }, careful: { laws } }: Measured): string {
  if (law === "none") return "none";
  const drawn = law === "best" ? laws?.best : law;
  if (laws === undefined) return PENDING;
  return drawn === undefined ? undefinedText(laws.reason) : LAW_NAMES[drawn];
}

const comparedText = ({ condition: { label, means, target }, replicates }: MeasureState): string =>
  `${label}: ${replicates} of ${means.length} complete runs${target > means.length ? ` (${target} planned)` : ""}`;

/** All that was measured, in a few sentences to be read out. */
export function summaryText({ state, quick, careful: { bootstrap, laws } }: Measured): string {
  const { randomWalk, ballistic } = quick.references;
  const slope = `${LAMBDA} over rounds ${state.from} to ${state.to} is ${slopeText(quick)}`;
  const interval = bootstrap?.low === undefined ? "no interval" : `95 % interval ${percentileText(bootstrap)}`;
  return [
    `${comparedText(state)}.`,
    `${slope}, ${interval}.`,
    `A random walk has ${fixedText(randomWalk)}, straight paths have ${fixedText(ballistic)}.`,
    `Law of growth: ${bestLawText(laws)}.`,
  ].join(" ");
}

/** The chart for those who do not see it. */
export function chartText({ state, quick: { D, slope } }: Measured): string {
  const { condition: { label }, from, to, scale } = state;
  const axis = scale === "log" ? "ln D(t)" : "D(t)";
  const course = `D is ${fixedText(D[0]!)} in round 1 and ${fixedText(D.at(-1)!)} in round ${D.length}`;
  const line = slope.lambda === undefined ? "no line" : `a line of slope ${fixedText(slope.lambda)}`;
  return `${axis} of ${label}; ${course}; ${line} over rounds ${from} to ${to}`;
}

/** The strip for those who do not see it. */
export function stripText({ quick, careful: { bootstrap } }: Measured): string {
  const { steady, randomWalk, ballistic } = quick.references;
  const lines = `steady ${fixedText(steady)}, random walk ${fixedText(randomWalk)}, straight paths ${
    fixedText(ballistic)
  }`;
  const interval = bootstrap?.low === undefined ? "" : ` with interval ${percentileText(bootstrap)}`;
  return `${LAMBDA} ${slopeText(quick)}${interval} among the slopes of growth without sensitivity: ${lines}`;
}

/** Rounds that ln D leaves out. */
export function zerosText({ D }: QuickMeasures): string {
  const zeros = D.flatMap((d, i) => d === 0 ? [i + 1] : []);
  if (zeros.length === 0) return "";
  return `D = 0 in round${zeros.length === 1 ? "" : "s"} ${zeros.join(", ")}: all runs agree, and ln D does not exist.`;
}
