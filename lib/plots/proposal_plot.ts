import * as Plot from "@observablehq/plot";
import { countText, fixedText, requireFinite } from "../core/numbers.ts";
import { drawColumnRules, drawRoundHeadings, LAST_ROUND, requireRound, roundColumns } from "./axes.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend, type LegendItem, symbolMark } from "./legend.ts";
import { COLOURS, INK, MUTED, RULE } from "./palette.ts";
import { wrapText } from "./text.ts";

/** The lifecycle gate's judgement of a proposal at the end of a round. */
export interface ProposalGate {
  readonly round: number;
  /** Whole votes, quarters possible. */
  readonly support: number;
  readonly against: number;
  /** In [0, 1]. */
  readonly executability: number;
  readonly passed: boolean;
}

/** One proposal from filing to its end. */
export interface ProposalLife {
  readonly id: string;
  /** The role that filed it. */
  readonly by: string;
  /** In the council's own words, or by the clerk. */
  readonly origin: "model" | "fallback";
  /** The round in which it was filed. */
  readonly round: number;
  /** The proposal it was forked from. */
  readonly parent?: string | undefined;
  readonly status: "open" | "invalid" | "passed" | "executed" | "blocked";
  /** Why it is invalid. */
  readonly flaw?: string | undefined;
  readonly gates?: readonly ProposalGate[] | undefined;
  /** The round in which its plan was carried out. */
  readonly executed?: number | undefined;
}

export interface ProposalPlotOptions extends FigureOptions {
  /** A row each, in this order. */
  readonly proposals: readonly ProposalLife[];
}

/**
 * The life of every proposal of a station run: filing, the votes at each gate, and its end.
 *
 * @throws {RangeError} when a number is not finite, a round is not from 1 to 6 or lies before the filing, or a proposal
 * is judged twice in one round.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const gates = [{ round: 1, support: 4.25, against: 1, executability: 0.76, passed: true }];
 * const life = { id: "P1", by: "C3_ENGINEER", origin: "model", round: 1, status: "executed", executed: 1 } as const;
 * const { alt } = proposalPlot({ proposals: [{ ...life, gates }], synthetic: true });
 * assert.match(alt, /P1 by C3_ENGINEER, model, filed in round 1: 4.25 to 1 and passed in round 1, executed in round 1/);
 * ```
 */
export function proposalPlot(options: ProposalPlotOptions): Figure {
  const { proposals } = options;
  proposals.forEach(checkLife);
  const canvas = createCanvas();
  let y = drawLegend(canvas, LEGEND, { y: 12 }) + 12;
  if (proposals.length === 0) {
    canvas.text("No proposals to draw.", WIDTH / 2, y + 12, { anchor: "middle", fill: MUTED });
    y += 2 * LINE_HEIGHT;
  } else {
    drawRoundHeadings(canvas, COLUMNS, y + 6);
    const top = y + LINE_HEIGHT;
    y = proposals.reduce((below, life) => drawLife(canvas, life, below), top);
    drawColumnRules(canvas, COLUMNS, top, y);
  }
  return toFigure(options, {
    kind: "proposals",
    canvas,
    height: y + 8,
    alt: [`Lives of ${countText(proposals.length, "proposal")}`, ...proposals.map(lifeWords)],
    caption: [
      "Proposals from filing to their end; below each gate the votes for and against and the executability e at the end of that round",
    ],
    rows: proposals.flatMap(dataRows),
  });
}

const LEFT = 150;
const RIGHT = 132;
const COLUMNS = roundColumns({ first: 1, left: LEFT, right: RIGHT });

const SIGNS = {
  model: { colour: COLOURS[0], symbol: "circle" },
  fallback: { colour: COLOURS[0], symbol: "circle", hollow: true },
  judged: { colour: COLOURS[1], symbol: "square", hollow: true },
  passed: { colour: COLOURS[2], symbol: "star" },
  executed: { colour: INK, symbol: "diamond" },
  invalid: { colour: COLOURS[1], symbol: "times" },
} as const;

const LEGEND: readonly LegendItem[] = [
  { label: "filed by a model", ...SIGNS.model },
  { label: "filed by fallback", ...SIGNS.fallback },
  { label: "judged, not passed", ...SIGNS.judged },
  { label: "passed", ...SIGNS.passed },
  { label: "executed", ...SIGNS.executed },
  { label: "invalid", ...SIGNS.invalid },
];

function checkLife({ id, round, gates = [], executed }: ProposalLife): void {
  requireRound(`the filing of "${id}"`, round);
  for (const { round: judged, support, against, executability } of gates) {
    requireRound(`a gate of "${id}"`, judged);
    requireFinite(`a vote or the executability of "${id}" in round ${judged}`, support, against, executability);
  }
  if (executed !== undefined) requireRound(`the execution of "${id}"`, executed);
  const rounds = gates.map((gate) => gate.round);
  if (new Set(rounds).size !== rounds.length) throw new RangeError(`"${id}" is judged twice in one round`);
  const early = [...rounds, executed ?? round].find((one) => one < round);
  if (early !== undefined) {
    throw new RangeError(`"${id}" was filed in round ${round}, after what befell it in ${early}`);
  }
}

/** A count of votes: quarters only where there are any. */
const votesText = (votes: number): string => fixedText(votes, Number.isInteger(votes) ? 0 : 2);

/** How it ended, with the round where that is not in sight. */
function endWords({ status, flaw, executed }: ProposalLife): string {
  if (status === "invalid") return flaw === undefined ? "invalid" : `invalid: ${flaw.replaceAll(/[-_]/g, " ")}`;
  return status === "executed" && executed !== undefined ? `executed in round ${executed}` : status;
}

function lifeWords(life: ProposalLife): string {
  const { id, by, origin, round, parent, gates = [] } = life;
  const fork = parent === undefined ? "" : ` as a fork of ${parent}`;
  const judged = gates.map(({ round, support, against, passed }) =>
    `${votesText(support)} to ${votesText(against)} and ${passed ? "passed" : "not passed"} in round ${round}`
  );
  return `${id} by ${by}, ${origin}, filed in round ${round}${fork}: ${[...judged, endWords(life)].join(", ")}`;
}

function drawLife(canvas: Canvas, life: ProposalLife, y: number): number {
  const { id, by, origin, parent, gates = [] } = life;
  const heading = wrapText(id, LEFT - 28, BOLD_SIZE, 2);
  const author = [by, parent === undefined ? origin : `${origin}, fork of ${parent}`];
  const about = author.flatMap((words) => wrapText(words, LEFT - 28, TEXT_SIZE, 2));
  const end = wrapText(endWords(life), RIGHT - 20, TEXT_SIZE, 4);
  const lines = Math.max(heading.length + about.length, end.length, gates.length > 0 ? 3 : 1);
  const height = lines * LINE_HEIGHT + 14;
  const start = y + 7 + 12;
  canvas.lines(about, 16, canvas.lines(heading, 16, start, { weight: "bold" }));
  canvas.lines(end, WIDTH - RIGHT + 12, start, life.status === "executed" ? { weight: "bold" } : {});
  drawLine(canvas, life, y + 7 + LINE_HEIGHT / 2);
  for (const { round, support, against, executability } of gates) {
    const x = COLUMNS.middle(round);
    const words = [`${votesText(support)} : ${votesText(against)}`, `e ${fixedText(executability, 2)}`];
    canvas.lines(words, x, start + LINE_HEIGHT, { anchor: "middle" });
  }
  canvas.marks(Plot.ruleY([y + height], { x1: 16, x2: WIDTH - 12, stroke: RULE }));
  return y + height;
}

/** Within its column a filing stands to the left, a gate to the right and an execution at the end. */
const OFFSETS = { filed: -0.32, gate: 0.12, executed: 0.34 };

function drawLine(canvas: Canvas, { origin, round, status, gates = [], executed }: ProposalLife, y: number): void {
  const place = (round: number, step: keyof typeof OFFSETS): readonly [number, number] => [
    COLUMNS.middle(round) + OFFSETS[step] * COLUMNS.width,
    y,
  ];
  const filed = place(round, "filed");
  const judged = (passed: boolean) =>
    gates.filter((gate) => gate.passed === passed).map((gate) => place(gate.round, "gate"));
  const carried = executed === undefined ? [] : [place(executed, "executed")];
  const last = status === "blocked" ? [[LEFT + LAST_ROUND * COLUMNS.width, y] as const] : [];
  const ends = [filed, ...judged(false), ...judged(true), ...carried, ...last].map(([x]) => x);
  canvas.marks(
    Plot.line([filed, [Math.max(...ends), y]], { stroke: MUTED, strokeWidth: 1.4 }),
    ...(status === "blocked"
      ? last.map(([x]) => Plot.ruleX([x], { y1: y - 7, y2: y + 7, stroke: MUTED, strokeWidth: 2.5 }))
      : []),
    symbolMark([filed], status === "invalid" ? SIGNS.invalid : SIGNS[origin]),
    symbolMark(judged(false), SIGNS.judged),
    symbolMark(judged(true), { ...SIGNS.passed, r: 6 }),
    symbolMark(carried, { ...SIGNS.executed, r: 5 }),
  );
}

function dataRows(life: ProposalLife): Figure["rows"] {
  const { id, by, origin, round, parent, status, flaw, gates = [], executed } = life;
  const about = { proposal: id, by, origin, filed: round, parent, status, flaw, executed };
  const none = {
    ...{ round: undefined, support: undefined, against: undefined },
    executability: undefined,
    passed: undefined,
  };
  if (gates.length === 0) return [{ ...about, ...none }];
  return gates.map(({ round, support, against, executability, passed }) => ({
    ...about,
    ...{ round, support, against, executability, passed },
  }));
}
