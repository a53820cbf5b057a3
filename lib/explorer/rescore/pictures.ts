import { max, min } from "d3-array";
import * as Plot from "@observablehq/plot";
import { fixedText } from "../../core/numbers.ts";
import { intervalDots, publishedDiamonds } from "../../plots/marks.ts";
import { COLOURS, INK, MUTED, RULE, SHADE } from "../../plots/palette.ts";
import type { Interval } from "../../quality/published_row.ts";
import type { Family } from "./ranking.ts";
import type { FullWeights } from "./state.ts";
import { intervalText, labelOf, rankText } from "./texts.ts";

const narrow = (width: number): boolean => width < 480;
const labels = (weights: FullWeights) => Object.keys(weights).map(labelOf);
const margins = (width: number) => ({ marginLeft: narrow(width) ? 140 : 160, marginRight: 16, marginBottom: 40 });
const short = (text: string, width: number) => {
  const most = narrow(width) ? 15 : 22;
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};
const wording = (width: number) => (label: string) => short(label.replace("information", "info"), width);

/** The tenth that a number lies in begins here. */
const tenth = (value: number): number => Math.floor(value * 10) / 10;

/** What is known of the components of a run. */
export interface Breakdown {
  readonly label: string;
  readonly components: Readonly<Record<string, Interval | undefined>>;
}

/** What each component gives to q, of the most that it can give: one run, or two side by side. */
export function breakdownPicture(runs: readonly Breakdown[], weights: FullWeights, width: number) {
  const names = Object.keys(weights);
  const rows = runs.flatMap(({ label, components }, place) =>
    names.map((name) => {
      const found = components[name], weight = weights[name]!;
      const [low, high] = [weight * (found?.low ?? 0), weight * (found?.high ?? 0)];
      return {
        ...{ run: `${"AB"[place]}: ${short(label, width)}`, component: labelOf(name), weight, low, high },
        words: found === undefined ? "not known" : intervalText(found),
      };
    })
  );
  const y = { y: "component", fx: "run" } as const;
  return {
    ...{ height: 330, ...margins(width), marginTop: 40 },
    x: {
      label: "weight, and what is earned of it",
      ticks: 3,
      grid: true,
      domain: [0, Math.max(...Object.values(weights)) * 1.6],
    },
    y: { label: null, domain: labels(weights), tickSize: 0, tickFormat: wording(width) },
    fx: { label: null },
    marks: [
      Plot.barX(rows, { ...y, x1: 0, x2: "weight", fill: SHADE, stroke: RULE }),
      Plot.barX(rows, { ...y, x1: 0, x2: "high", fill: COLOURS[0], fillOpacity: 0.35 }),
      Plot.barX(rows, { ...y, x1: 0, x2: "low", fill: COLOURS[0] }),
      Plot.text(rows, {
        ...y,
        x: "weight",
        text: "words",
        textAnchor: "start",
        dx: 4,
        fontSize: narrow(width) ? 9 : 11,
      }),
    ],
    words: runs.map(({ label, components }) =>
      `Components of ${label}: ${
        names.map((name) =>
          `${labelOf(name)} ${components[name] === undefined ? "not known" : intervalText(components[name])}`
        ).join(", ")
      }`
    ).join(". "),
  } satisfies Plot.PlotOptions & { words: string };
}

/** Mean q by model or council, with what is possible; the diamond is the mean under the published weights. */
export function familiesPicture(
  families: readonly (Family & { readonly published?: number | undefined })[],
  width: number,
) {
  const rows = families.map(({ name, q, ...family }) => ({ name, ...family, ...q, mean: q && (q.low + q.high) / 2 }));
  return {
    ...{ height: 60 + 26 * rows.length, ...margins(width), marginTop: 10 },
    x: {
      label: "mean q",
      grid: true,
      ticks: narrow(width) ? 3 : 6,
      domain: [
        Math.min(0.9, tenth(min(rows, ({ low }) => low) ?? 0)),
        Math.min(1, tenth(max(rows, ({ high }) => high) ?? 1) + 0.1),
      ],
    },
    y: { label: null, domain: rows.map(({ name }) => name), tickSize: 0, tickFormat: wording(width) },
    marks: [
      ...intervalDots(rows, { x: "mean", low: "low", high: "high", y: "name" }),
      publishedDiamonds(rows.filter(({ published }) => published !== undefined), { x: "published", y: "name", dy: 8 }),
    ],
    words: `Mean q: ${
      families.map(({ name, runs, q, rank, lacking }) =>
        `${name}, ${runs} runs, ${
          q === undefined ? `not computable, ${lacking} lack components` : `${intervalText(q)}, rank ${rankText(rank!)}`
        }`
      ).join("; ")
    }`,
  } satisfies Plot.PlotOptions & { words: string };
}

/** A stretch of one weight over which the same run is first. */
export interface Stretch {
  readonly component: string;
  readonly from: number;
  readonly to: number;
  readonly run: string;
  readonly certain: boolean;
}

/** How much of all weightings a run is first under. */
export interface FirstShare {
  readonly run: string;
  readonly certain: number;
  /** First by the middle of what is possible, and not certain. */
  readonly likely: number;
}

/** Where the pointer is in the picture of weights. */
export interface PickedWeight {
  readonly component: string;
  readonly at: number;
}

const OTHERS = "another run";

/**
 * Who is first as each weight goes from none to all, the others sharing the rest: a line a component through the present weights,
 * one to every corner of the space of weights. Below, over how much of the whole space each run is first.
 */
export function firstPicture(
  stretches: readonly Stretch[],
  { weights, shares, width }: {
    readonly weights: FullWeights;
    readonly shares: readonly FirstShare[];
    readonly width: number;
  },
) {
  const seen = new Set(stretches.map(({ run }) => run));
  const named = [...shares.map(({ run }) => run), ...seen].filter((run, i, all) => all.indexOf(run) === i)
    .slice(0, COLOURS.length - 1);
  const nameOf = (run: string) => named.includes(run) ? run : OTHERS;
  const present = Object.entries(weights).map(([component, at]) => ({ component, at }));
  const points = stretches.flatMap(({ component, from, to }): PickedWeight[] =>
    Array.from(
      { length: Math.round((to - from) * 100) },
      (_, i) => ({ component, at: Math.round(from * 100 + i) / 100 }),
    )
  );
  const listed = [...named, ...([...seen].some((run) => !named.includes(run)) ? [OTHERS] : [])];
  const most = listed.length;
  const key = listed.map((run, i) => {
    const found = shares.find((share) => share.run === run);
    return {
      run,
      dy: 18 * (i - most) - 6,
      words: found ? `${short(run, width)}: ${shareWords(found)}` : short(run, width),
    };
  });
  const label = ({ component }: { component: string }) => labelOf(component);
  const sides = margins(width), place = { frameAnchor: "top-left" } as const;
  return {
    ...{ height: 290 + 18 * most, ...sides, marginTop: 18 * most + 14 },
    x: { label: "weight; the others share the rest", domain: [0, 1], ticks: narrow(width) ? 3 : 6 },
    y: { label: null, domain: labels(weights), tickSize: 0, tickFormat: wording(width) },
    color: { domain: [...named, OTHERS], range: [...COLOURS.slice(0, named.length), "#999999"] },
    marks: [
      Plot.barX(stretches, {
        x1: "from",
        x2: "to",
        y: label,
        fill: ({ run }) => nameOf(run),
        fillOpacity: ({ certain }) => certain ? 1 : 0.35,
      }),
      Plot.tickX(present, { x: "at", y: label, stroke: INK, strokeWidth: 3 }),
      Plot.dot(points, Plot.pointer({ x: "at", y: label, r: 5, stroke: INK, fill: "white" })),
      ...key.flatMap(({ run, words, dy }) => [
        Plot.dot([run], { ...place, dy, dx: 5 - sides.marginLeft + 10, symbol: "square", r: 5, fill: [run] }),
        Plot.text([words], { ...place, dy, dx: 16 - sides.marginLeft + 10, fill: MUTED, text: [words] }),
      ]),
    ],
    words: `Who is first as each weight goes from 0 to 1, the others sharing the rest. ${
      Object.entries(weights).map(([name, weight]) =>
        `${labelOf(name)}, now ${fixedText(weight, 2)}: ${
          stretches.filter(({ component }) => component === name).map(({ from, to, run, certain }) =>
            `${run}${certain ? "" : " perhaps"} from ${from.toFixed(2)} to ${to.toFixed(2)}`
          ).join(", ")
        }`
      ).join(". ")
    }. Of all weightings, certainly + perhaps: ${
      shares.map((share) => `${share.run} ${shareWords(share)}`).join("; ")
    }`,
  } satisfies Plot.PlotOptions & { words: string };
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const shareWords = ({ certain, likely }: FirstShare): string => `${percent(certain)} + ${percent(likely)}`;
