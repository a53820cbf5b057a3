import * as Plot from "@observablehq/plot";
import { countText, requireFinite } from "../core/numbers.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import { topOption } from "../stats/decisions.ts";
import { roundAxis } from "./axes.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend } from "./legend.ts";
import { INK, MUTED, RULE, seriesStyle, SHADE, textOn } from "./palette.ts";
import { hatchMark } from "./shading.ts";
import { textWidth, wrapText } from "./text.ts";

export interface AgentsPlotOptions extends FigureOptions {
  /** Preferences of one run, shape [T][agent][K]; undefined where an agent's turn could not be read. */
  readonly preferences: readonly (readonly (readonly number[] | undefined)[])[];
  /** Names of the agents. */
  readonly agents: readonly string[];
  /** Names of the K options, at most eight. */
  readonly options: readonly string[];
}

/**
 * One run, agent by agent: preferences over the rounds, and below them each agent's top option in each round.
 *
 * A tie goes to the first of the tied options and is marked with an asterisk. Unread turns leave gaps and hatched boxes.
 * Source: Figure S2 of the deliberation paper, which has the lines.
 *
 * @throws {RangeError} when a preference is not finite or the numbers of agents or options differ from their names'.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const preferences = [[[0.7, 0.3], [0.4, 0.6]], [[0.5, 0.5], [0.4, 0.6]]];
 * const figure = agentsPlot({ preferences, agents: ["Chair", "Rights"], options: ["stay", "leave"], synthetic: true });
 * assert.match(figure.alt, /Chair: A A\*\. Rights: B B\./);
 * ```
 */
export function agentsPlot(options: AgentsPlotOptions): Figure {
  const { preferences, agents, options: names } = options;
  checkShape(options);
  const tops = agents.map((_, agent) => preferences.map((round) => readTop(round[agent])));
  const canvas = createCanvas();
  const legend = names.map((name, k) => {
    const { colour, dash } = seriesStyle(k);
    return { label: `${OPTION_LETTERS[k]}: ${name}`, colour, dash };
  });
  const top = drawLegend(canvas, legend, { y: 12 }) + 4;
  let bottom = top + 2 * LINE_HEIGHT;
  if (preferences.length === 0 || agents.length === 0) {
    canvas.text("No rounds to draw.", WIDTH / 2, top + LINE_HEIGHT, { anchor: "middle", fill: MUTED });
  } else {
    bottom = drawTops(canvas, tops, agents, drawPanels(canvas, options, top));
  }
  const ties = tops.flat().filter((cell) => cell?.tied).length;
  const unread = tops.flat().filter((cell) => cell === undefined).length;
  return toFigure(options, {
    kind: "agents",
    canvas,
    height: bottom,
    alt: [
      `Preferences of ${countText(agents.length, "agent")} for ${countText(names.length, "option")} over ${
        countText(preferences.length, "round")
      } of one run; top option of each agent by round`,
      ...agents.map((agent, i) => `${agent}: ${tops[i]!.map((cell) => cell?.text ?? "unread").join(" ")}`),
    ],
    caption: [
      "Preferences of each agent by round, and the option each prefers most",
      ...(ties === 0 ? [] : [`Asterisks: ${countText(ties, "tie")}, given to the first of the tied options`]),
      ...(unread === 0 ? [] : [`Hatched: ${countText(unread, "turn")} that could not be read`]),
    ],
    rows: preferences.flatMap((round, t) =>
      agents.flatMap((agent, i) =>
        names.map((option, k) => ({
          round: t + 1,
          agent,
          option,
          preference: round[i]?.[k],
          top: tops[i]![t]?.index === k,
        }))
      )
    ),
  });
}

interface Top {
  readonly index: number;
  readonly tied: boolean;
  readonly text: string;
}

function checkShape({ preferences, agents, options }: AgentsPlotOptions): void {
  if (options.length > OPTION_LETTERS.length) {
    throw new RangeError(`${options.length} options, but there are letters for ${OPTION_LETTERS.length}`);
  }
  preferences.forEach((round, t) => {
    if (round.length !== agents.length) {
      throw new RangeError(`round ${t + 1} has ${round.length} agents, for ${agents.length} names`);
    }
    round.forEach((shares, i) => {
      requireFinite(`a preference of "${agents[i]}" in round ${t + 1}`, ...(shares ?? []));
      if (shares !== undefined && shares.length !== options.length) {
        throw new RangeError(
          `"${agents[i]}" has ${shares.length} preferences in round ${t + 1}, not ${options.length}`,
        );
      }
    });
  });
}

function readTop(shares: readonly number[] | undefined): Top | undefined {
  if (shares === undefined) return undefined;
  const { option, tied } = topOption(shares);
  return { index: option, tied, text: `${OPTION_LETTERS[option]}${tied ? "*" : ""}` };
}

const COLUMNS = 3;
const HEADING = 22;
const PANEL_HEIGHT = 180;

function drawPanels(canvas: Canvas, { preferences, agents, options }: AgentsPlotOptions, top: number): number {
  const width = (WIDTH - 16) / COLUMNS;
  agents.forEach((agent, i) => {
    const [x, y] = [8 + (i % COLUMNS) * width, top + Math.floor(i / COLUMNS) * PANEL_HEIGHT];
    canvas.lines(wrapText(agent, width - 60, BOLD_SIZE, 1), x + 44, y + 16, { weight: "bold" });
    canvas.plot(
      {
        ...{ width, height: PANEL_HEIGHT - HEADING, marginLeft: 44, marginRight: 12, marginTop: 8, marginBottom: 42 },
        x: roundAxis(preferences.length, { most: 6 }),
        y: { domain: [0, 1], ticks: 3, label: null },
        marks: [
          Plot.gridY({ ticks: 3, stroke: RULE, strokeOpacity: 1 }),
          ...options.map((_, k) => optionLine(preferences.map((round) => round[i]?.[k]), k)),
          Plot.frame({ anchor: "bottom", stroke: INK }),
        ],
      },
      x,
      y + HEADING,
    );
  });
  return top + Math.ceil(agents.length / COLUMNS) * PANEL_HEIGHT;
}

function optionLine(shares: readonly (number | undefined)[], k: number): Plot.Markish {
  const { colour, dash } = seriesStyle(k);
  const points = shares.map((share, t) => ({ round: t + 1, share }));
  return Plot.line(points, { x: "round", y: "share", stroke: colour, strokeDasharray: dash, strokeWidth: 1.8 });
}

const LEFT = 140;
const ROW = 26;

/** The strip of boxes, a row for each agent and a column for each round; returns the `y` below it. */
function drawTops(
  canvas: Canvas,
  tops: readonly (readonly (Top | undefined)[])[],
  agents: readonly string[],
  y: number,
) {
  const rounds = tops[0]?.length ?? 0;
  const width = Math.min(27, (WIDTH - LEFT - 16) / rounds);
  canvas.text("Top option by round", 16, y + 16, { weight: "bold" });
  const top = y + 28;
  agents.forEach((agent, i) => {
    const middle = top + (i + 0.5) * ROW;
    canvas.lines(wrapText(agent, LEFT - 28, TEXT_SIZE, 1), LEFT - 12, middle + 4, { anchor: "end" });
    tops[i]!.forEach((cell, t) => {
      const box = { x1: LEFT + t * width, x2: LEFT + (t + 1) * width - 2, y1: middle - 11, y2: middle + 11 };
      drawTop(canvas, box, cell);
    });
  });
  const ticks = top + agents.length * ROW + 16;
  const stride = width >= 18 ? 1 : width >= 4 ? 5 : 50;
  for (let round = stride; round <= rounds; round += stride) {
    canvas.text(String(round), LEFT + (round - 0.5) * width - 1, ticks, { anchor: "middle" });
  }
  canvas.text("Round t", LEFT + (rounds * width) / 2, ticks + LINE_HEIGHT + 4, { anchor: "middle" });
  return ticks + LINE_HEIGHT + 16;
}

function drawTop(canvas: Canvas, box: { x1: number; x2: number; y1: number; y2: number }, cell: Top | undefined): void {
  const colour = cell === undefined ? SHADE : seriesStyle(cell.index).colour;
  canvas.marks(Plot.rect([box], { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: colour }));
  if (cell === undefined) return canvas.marks(hatchMark(box));
  // With very many rounds the boxes are too narrow for letters; the rows and the alt text still have them.
  if (box.x2 - box.x1 < textWidth(cell.text, TEXT_SIZE)) return;
  canvas.text(cell.text, (box.x1 + box.x2) / 2, box.y2 - 7, { anchor: "middle", fill: textOn(colour) });
}
