import type { ReferenceSlopes } from "../../../stats/reference_slopes.ts";
import { niceTicks } from "../nice_ticks.ts";
import { linear, type Tick } from "./chart_layout.ts";
import { fixedText, shortText } from "../../../figures/number_text.ts";

/** A slope on the strip with its interval, as far as they exist. */
export interface ShownSlope {
  readonly lambda?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  readonly references: ReferenceSlopes;
}

export interface Reference {
  readonly name: string;
  readonly x: number;
  readonly text: string;
  /** Whether its words stand left of its line, where there is no room on the right. */
  readonly before: boolean;
}

export interface SlopeLayout {
  readonly ticks: readonly Tick[];
  readonly references: readonly Reference[];
  readonly dot?: number;
  readonly bar?: readonly [number, number];
}

/** The growth that needs no sensitivity, as the strip names it. */
export const REFERENCE_NAMES = {
  steady: "steady",
  randomWalk: "random walk, √t",
  ballistic: "straight paths, t",
} as const;

/** Where everything of the strip stands across `width` pixels. */
export function slopeLayout({ lambda, low, high, references }: ShownSlope, width: number): SlopeLayout {
  const named = Object.entries(REFERENCE_NAMES).map(([key, name]) => ({
    name,
    slope: references[key as keyof typeof REFERENCE_NAMES],
  }));
  const values = [lambda, low, high, ...named.map(({ slope }) => slope)].filter((value) => value !== undefined);
  const least = Math.min(...values), most = Math.max(...values), spare = 0.08 * (most - least);
  const domain = [least - spare, most + spare] as const;
  const x = linear(domain, [8, width - 8]);
  return {
    ticks: niceTicks(...domain, width < 500 ? 3 : 6).map((value) => ({ at: x(value), text: shortText(value) })),
    references: named.map(({ name, slope }) => ({
      name,
      x: x(slope),
      text: `${name}: ${fixedText(slope)}`,
      before: x(slope) > width / 2,
    })),
    ...(lambda === undefined ? {} : { dot: x(lambda) }),
    ...(low === undefined || high === undefined ? {} : { bar: [x(low), x(high)] as const }),
  };
}
