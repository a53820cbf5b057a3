import * as Plot from "@observablehq/plot";
import { countText, fixedText } from "../core/numbers.ts";
import { roundAxis } from "./axes.ts";
import { BOLD_SIZE, createCanvas, LINE_HEIGHT, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { type Grouped, groupRuns } from "./grouped_runs.ts";
import { drawLegend } from "./legend.ts";
import { INK, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

export interface TrajectoriesPlotOptions extends FigureOptions {
  /** Committee-mean preferences, shape [R][T][K]; runs may end in different rounds. */
  readonly runs: readonly (readonly (readonly number[])[])[];
  /** Names of the K options. */
  readonly options: readonly string[];
  /** A group for each run, such as its decision: told apart by colour and dash. Default: one group. */
  readonly groups?: readonly string[] | undefined;
}

/**
 * Committee-mean preferences over the rounds: one small panel for each option, one line for each replicate.
 *
 * @throws {RangeError} when a preference is not finite or has another number of options, or groups and runs differ in number.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const runs = [[[0.5, 0.5], [0.9, 0.1]], [[0.5, 0.5], [0.2, 0.8]]];
 * const figure = trajectoriesPlot({ runs, options: ["stay", "leave"], groups: ["stay", "leave"], synthetic: true });
 * assert.match(figure.alt, /stay: from 0.20 to 0.90 in the last round/);
 * ```
 */
export function trajectoriesPlot(options: TrajectoriesPlotOptions): Figure {
  const { runs, options: names } = options;
  const groups = groupRuns(options, names.length);
  const canvas = createCanvas();
  const top = drawLegend(
    canvas,
    groups.map(({ name, runs, style }) => ({
      ...{ label: `${name} (${runs.length})`, colour: style.colour, dash: style.dash },
    })),
    { y: 12 },
  ) + 8;
  let bottom = top;
  if (runs.length === 0) {
    canvas.text("No runs to draw.", WIDTH / 2, top + 12, { anchor: "middle", fill: MUTED });
    bottom = top + 2 * LINE_HEIGHT;
  } else {
    const columns = Math.min(names.length, names.length === 4 ? 2 : 3);
    const width = (WIDTH - 16) / columns;
    names.forEach((name, k) => {
      const [x, y] = [8 + (k % columns) * width, top + Math.floor(k / columns) * PANEL_HEIGHT];
      const heading = wrapText(name, width - 60, BOLD_SIZE, 2);
      canvas.lines(heading, x + 44, y + HEADING - 6 - (heading.length - 1) * LINE_HEIGHT, { weight: "bold" });
      canvas.plot(panel(groups, k, { width, rounds: Math.max(...runs.map((run) => run.length)) }), x, y + HEADING);
      bottom = y + PANEL_HEIGHT;
    });
  }
  return toFigure(options, {
    kind: "trajectories",
    canvas,
    height: bottom,
    alt: altSentences(options, groups),
    caption: ["Committee-mean preference for each option by round, one line for each replicate"],
    rows: groups.flatMap(({ name, runs }) => runs.flatMap(({ index, run }) => dataRows(index, name, run, names))),
  });
}

const HEADING = 36;
const PANEL_HEIGHT = 260;

function panel(groups: readonly Grouped[], k: number, { width, rounds }: { width: number; rounds: number }) {
  return {
    ...{ width, height: PANEL_HEIGHT - HEADING, marginLeft: 44, marginRight: 12, marginTop: 8, marginBottom: 44 },
    x: roundAxis(rounds, { most: 6 }),
    y: { domain: [0, 1], ticks: 5, label: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: RULE, strokeOpacity: 1 }),
      ...groups.flatMap(({ runs, style: { colour, dash } }) =>
        runs.map(({ run }) => {
          const points = run.map((preference, i): [number, number] => [i + 1, preference[k]!]);
          return Plot.line(points, { stroke: colour, strokeDasharray: dash, strokeWidth: 1.2, strokeOpacity: 0.7 });
        })
      ),
      Plot.frame({ anchor: "bottom", stroke: INK }),
    ],
  } satisfies Plot.PlotOptions;
}

function altSentences({ runs, options }: TrajectoriesPlotOptions, groups: readonly Grouped[]): string[] {
  const rounds = Math.max(0, ...runs.map((run) => run.length));
  const sizes = groups.map(({ name, runs }) => `${name} ${runs.length}`).join(", ");
  return [
    `Line charts of the committee-mean preference for ${countText(options.length, "option")}, ${
      countText(runs.length, "replicate")
    }, ${countText(rounds, "round")}${runs.length === 0 ? "" : `; ${sizes}`}`,
    ...options.flatMap((option, k) => {
      const last = runs.flatMap((run) => run.at(-1)?.[k] ?? []);
      if (last.length === 0) return [];
      return [
        `${option}: from ${fixedText(Math.min(...last), 2)} to ${fixedText(Math.max(...last), 2)} in the last round`,
      ];
    }),
  ];
}

function dataRows(run: number, group: string, rounds: readonly (readonly number[])[], options: readonly string[]) {
  return rounds.flatMap((preferences, i) =>
    preferences.map((preference, k) => ({ run, group, round: i + 1, option: options[k], preference }))
  );
}
