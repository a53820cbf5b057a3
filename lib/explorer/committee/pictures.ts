import * as Plot from "@observablehq/plot";
import { fixedText, LAMBDA, undefinedText } from "../../core/numbers.ts";
import { fitWindow, intervalDots, publishedDiamonds, simplexFrame, simplexPoint } from "../../plots/marks.ts";
import { COLOURS, INK, MUTED, RULE } from "../../plots/palette.ts";
import { OPTION_LETTERS } from "../../schema/scenario.ts";
import type { BootstrapSlope } from "../../stats/bootstrap_slope.ts";
import { distance } from "../../stats/distance.ts";
import type { GrowthLaws } from "../../stats/growth_laws.ts";
import type { LyapunovSlope } from "../../stats/lyapunov_slope.ts";
import type { ReferenceSlopes } from "../../stats/reference_slopes.ts";
import type { PageRun } from "./data.ts";
import type { PublishedSlope } from "./state.ts";
import type { State } from "./state.ts";

/** A committee and what is known of it by now. */
export interface Known {
  /** `A` or `B`; `C` for runs of the reader's own. */
  readonly sign: string;
  readonly label: string;
  readonly options: readonly string[];
  readonly seats: readonly string[];
  readonly runs: readonly PageRun[];
  readonly complete: readonly PageRun[];
  /** Absent with fewer than two complete runs. */
  readonly D?: readonly number[] | undefined;
  readonly slope?: LyapunovSlope | undefined;
  readonly bootstrap?: BootstrapSlope | undefined;
  readonly laws?: GrowthLaws | undefined;
  readonly published?: PublishedSlope | undefined;
}

const SIGNS = ["A", "B", "C"];
const COLOUR = { domain: SIGNS, range: [...COLOURS.slice(0, 3)] };
const narrow = (width: number): boolean => width < 480;

/** D(t) or ln D(t) with the fitted line and the best law of growth. */
export function divergencePicture(known: readonly Known[], { from, to, scale }: State, width: number) {
  const value = scale === "D(t)" ? (d: number) => d : Math.log;
  const rows = known.flatMap(({ sign, D = [] }) =>
    D.map((d, i) => ({ sign, round: i + 1, value: value(d), fitted: i + 1 >= from && i + 1 <= to }))
      .filter((row) => Number.isFinite(row.value))
  );
  const fits = known.flatMap(({ sign, slope }) =>
    slope?.lambda === undefined || slope.intercept === undefined ? [] : Array.from(
      { length: 4 * (to - from) + 1 },
      (_, i) => ({
        sign,
        round: from + i / 4,
        value: value(Math.exp(slope.intercept! + slope.lambda! * (from + i / 4))),
      }),
    )
  );
  const laws = known.flatMap(({ sign, laws }) =>
    (laws?.laws.find(({ law }) => law === laws.best)?.fitted ?? [])
      .map((d, i) => ({ sign, round: from + i, value: value(d) }))
  );
  const xy = { x: "round", y: "value" } as const;
  return {
    ...{ height: narrow(width) ? 260 : 320, marginLeft: 48, marginBottom: 40, color: COLOUR },
    x: { label: "round t", ticks: narrow(width) ? 6 : 12, tickFormat: "d" },
    y: { label: scale, grid: true, zero: scale === "D(t)" },
    marks: [
      fitWindow({ from, to }),
      Plot.lineY(fits, { ...xy, stroke: "sign", strokeWidth: 5, strokeOpacity: 0.35 }),
      Plot.lineY(laws, { ...xy, stroke: "sign", strokeDasharray: "7 3" }),
      Plot.lineY(rows, { ...xy, stroke: "sign" }),
      Plot.dot(rows, { ...xy, stroke: "sign", fill: ({ sign, fitted }) => fitted ? sign : "none", symbol: "sign" }),
    ],
    symbol: { domain: SIGNS, range: ["circle", "square", "triangle"] },
    words: `${scale}. ${
      known.map(({ label, D, slope }) =>
        `${label}: ${
          D === undefined
            ? "no distance yet"
            : `D ${fixedText(D[0]!)} in round 1, ${fixedText(D.at(-1)!)} in round ${D.length}`
        }; ${LAMBDA} over rounds ${from} to ${to} ${lambdaText(slope)}`
      ).join(". ")
    }`,
  } satisfies Plot.PlotOptions & { words: string };
}

export const lambdaText = (slope: LyapunovSlope | undefined): string =>
  slope === undefined ? "…" : slope.lambda === undefined ? undefinedText(slope.reason) : fixedText(slope.lambda);

const REFERENCES = { steady: "steady", randomWalk: "random walk, √t", ballistic: "straight paths, t" } as const;

/** λ̂ with its intervals and, where printed, its published value, among the slopes of growth without sensitivity. */
export function slopesPicture(known: readonly Known[], references: ReferenceSlopes, width: number) {
  const lines = Object.entries(REFERENCES).map(([key, name], i) => ({
    ...{ x: references[key as keyof typeof REFERENCES], row: `reference ${i}` },
    name: `${name}: ${fixedText(references[key as keyof typeof REFERENCES])}`,
  }));
  const rows = known.map(({ sign, slope, bootstrap, published }) => ({
    ...{ sign, lambda: slope?.lambda, published: published?.lambda },
    ...{ low: bootstrap?.low, high: bootstrap?.high },
  }));
  const [shown, printed] = [
    rows.filter(({ lambda }) => lambda !== undefined),
    rows.filter((row) => row.published !== undefined),
  ];
  const late = (x: number) => x > references.randomWalk;
  const text = { x: "x", y: "row", text: "name", dx: 5, textAnchor: "start", fill: MUTED, stroke: "white" } as const;
  return {
    ...{ height: 120 + 30 * known.length, marginLeft: 24, marginRight: 20, marginBottom: 40, color: COLOUR },
    x: { label: `${LAMBDA}, nats per round`, ticks: narrow(width) ? 4 : 8, nice: true, insetLeft: 10, insetRight: 10 },
    y: {
      ...{ label: null, domain: [...lines.map(({ row }) => row), ...known.map(({ sign }) => sign)], tickSize: 0 },
      tickFormat: (name: string) => SIGNS.includes(name) ? name : "",
    },
    marks: [
      Plot.ruleX(lines, { x: "x", stroke: MUTED, strokeDasharray: "4 3" }),
      Plot.text(lines.filter(({ x }) => !late(x)), text),
      Plot.text(lines.filter(({ x }) => late(x)), { ...text, textAnchor: "end", dx: -5 }),
      ...intervalDots(shown, { x: "lambda", low: "low", high: "high", y: "sign", stroke: "sign" }),
      publishedDiamonds(printed, { x: "published", y: "sign", dy: 9 }),
    ],
    words: `${LAMBDA} among the slopes of growth without sensitivity: ${lines.map(({ name }) => name).join(", ")}. ${
      known.map(({ label, slope, bootstrap, published }) =>
        `${label}: ${lambdaText(slope)}${
          bootstrap?.low === undefined ? "" : `, interval ${fixedText(bootstrap.low)} to ${fixedText(bootstrap.high!)}`
        }${published === undefined ? "" : `, published ${fixedText(published.lambda)}`}`
      ).join(". ")
    }`,
  } satisfies Plot.PlotOptions & { words: string };
}

/** What the pointer is on. */
export interface Picked {
  readonly committee: number;
  readonly replicate: number;
}

/** The way of every replicate's mean: in the triangle of three options, otherwise option by option. */
export function replicatesPicture(known: readonly Known[], { shown }: State, width: number) {
  const three = known.every(({ options }) => options.length === 3);
  const rows = known.flatMap(({ sign, complete }, committee) =>
    complete.flatMap(({ replicate, means }) =>
      means.flatMap((mean, t) => {
        const at = { sign, committee, replicate, round: t + 1, run: `${sign}${replicate}` };
        return three
          ? [{ ...at, ...simplexPoint(mean), option: "" }]
          : mean.map((y, k) => ({ ...at, x: t + 1, y, option: OPTION_LETTERS[k]! }));
      })
    )
  );
  const isShown = (row: Picked) => row.committee === shown.committee && row.replicate === shown.replicate;
  const ends = rows.filter(({ round, committee }) => round === known[committee]!.complete[0]!.means.length);
  const xy = { x: "x", y: "y", ...(!three && { fx: "option" }) } as const;
  const line = { ...xy, z: "run", stroke: "sign" } as const;
  const first = narrow(width) ? [...OPTION_LETTERS] : known[0]!.options;
  // The corners' names are centred on the corners and need room on both sides.
  const aside = narrow(width) ? 24 : 100;
  return {
    color: COLOUR,
    ...(three
      ? {
        axis: null,
        width,
        height: Math.round((width - 2 * aside) * Math.sqrt(3) / 2) + 86,
        marginTop: 26,
        marginBottom: 60,
        marginLeft: aside,
        marginRight: aside,
      }
      : {
        height: 260,
        marginLeft: 40,
        marginBottom: 40,
        x: { label: "round t", ticks: 3 },
        y: { label: "mean share", domain: [0, 1], grid: true },
        fx: { label: null },
      }),
    marks: [
      ...(three ? simplexFrame([first[0]!, first[1]!, first[2]!]) : [Plot.frame({ stroke: RULE })]),
      Plot.line(rows, { ...line, strokeOpacity: 0.35, strokeWidth: 1 }),
      Plot.line(rows.filter(isShown), { ...line, strokeWidth: 3 }),
      Plot.dot(ends, { ...xy, fill: "sign", r: 3 }),
      Plot.dot(ends.filter(isShown), { ...xy, stroke: INK, r: 6 }),
      Plot.dot(rows, Plot.pointer({ ...xy, stroke: INK, r: 5 })),
    ],
    words: `Ways of the committee means of ${
      known.map(({ label, complete }) => `${complete.length} runs of ${label}`).join(" and ")
    }; ${SIGNS[shown.committee]} replicate ${shown.replicate} is marked`,
  } satisfies Plot.PlotOptions & { words: string };
}

/** What tells the seats apart, in the picture and beside their words. */
export const seatColour = (seat: number): string => COLOURS[seat % COLOURS.length]!;

/** Every agent's preferences of one run over its rounds, option by option. */
export function agentsPicture({ seats, label }: Known, { turns, replicate }: PageRun, round: number, width: number) {
  const rows = turns.flatMap(({ seat, preferences, ...turn }) =>
    preferences.map((share, k) => ({ seat: seats[seat]!, round: turn.round, share, option: OPTION_LETTERS[k]! }))
  );
  const xy = { x: "round", y: "share", fx: "option" } as const;
  return {
    ...{ height: narrow(width) ? 200 : 240, marginLeft: 40, marginBottom: 40 },
    color: { domain: [...seats], range: seats.map((_, i) => seatColour(i)) },
    x: { label: "round t", ticks: 3, tickFormat: "d" },
    y: { label: "share", domain: [0, 1], grid: true },
    fx: { label: null },
    marks: [
      Plot.frame({ stroke: RULE }),
      Plot.ruleX([round], { stroke: MUTED, strokeDasharray: "4 3" }),
      Plot.lineY(rows, { ...xy, z: "seat", stroke: "seat" }),
      Plot.dot(rows.filter((row) => row.round === round), { ...xy, fill: "seat", r: 3.5 }),
    ],
    words: `Preferences of ${seats.join(", ")} by option and round in replicate ${replicate} of ${label}`,
  } satisfies Plot.PlotOptions & { words: string };
}

/** How far a run and its twin are apart, round by round. */
export function twinDistances(run: PageRun, twin: PageRun): number[] {
  return twin.means.map((mean, t) => distance(mean, run.means[t]!));
}

export function twinPicture(run: PageRun, twin: PageRun, width: number) {
  const rows = twinDistances(run, twin).map((d, i) => ({ round: i + 1, d }));
  return {
    ...{ height: narrow(width) ? 160 : 180, marginLeft: 48, marginBottom: 40 },
    x: { label: "round t", ticks: narrow(width) ? 6 : 12, tickFormat: "d" },
    y: { label: "distance of the twins", grid: true, zero: true },
    marks: [
      Plot.lineY(rows, { x: "round", y: "d", stroke: COLOURS[2] }),
      Plot.dot(rows, { x: "round", y: "d", fill: COLOURS[2], r: 3 }),
    ],
    words: `Distance of the twins by round: ${rows.map(({ d }) => fixedText(d, 3)).join(", ")}`,
  } satisfies Plot.PlotOptions & { words: string };
}
