import * as Plot from "@observablehq/plot";
import { countText } from "../core/numbers.ts";
import { COUNCIL } from "../schema/station_ids.ts";
import { LAST_ROUND, requireRound } from "./axes.ts";
import { BOLD_SIZE, type Canvas, createCanvas, LINE_HEIGHT, TEXT_SIZE, WIDTH } from "./canvas.ts";
import { type Figure, type FigureOptions, toFigure } from "./figure.ts";
import { drawLegend } from "./legend.ts";
import { CARD, INK, MUTED } from "./palette.ts";
import { textWidth, wrapText } from "./text.ts";

/** A place on the card, in pixels. */
export type Point = readonly [x: number, y: number];

/** A straight line and where its label stands on it. */
export interface DrawnEdge {
  readonly from: Point;
  readonly to: Point;
  readonly label: Point;
}

/** Where along a line a label may stand; the middle is tried first. */
const FRACTIONS = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];

/** Far enough from everything else for a label; more is no better. */
const CLEAR = 26;

/**
 * A place for each line's label: the one nearest to the middle that is clear of other lines and labels, or else the
 * clearest.
 */
export function layOutEdges(edges: readonly (readonly [Point, Point])[]): DrawnEdge[] {
  const placed: Point[] = [];
  return edges.map(([from, to], i) => {
    const others = edges.filter((_, j) => j !== i);
    const places = FRACTIONS.map((share): Point => [
      from[0] + share * (to[0] - from[0]),
      from[1] + share * (to[1] - from[1]),
    ]);
    const room = places.map((place) =>
      Math.min(
        CLEAR,
        ...placed.map((label) => Math.hypot(label[0] - place[0], label[1] - place[1])),
        // A label may come nearer to a foreign line than to a foreign label.
        ...others.map((other) => 1.7 * distanceToLine(place, other)),
      )
    );
    const label = places[room.indexOf(Math.max(...room))]!;
    placed.push(label);
    return { from, to, label };
  });
}

/** Distance of a point from a straight line between two points. */
function distanceToLine([x, y]: Point, [[x1, y1], [x2, y2]]: readonly [Point, Point]): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

/** A tie between two roles. A pair that came together again has one entry for each time. */
export interface CoalitionEdge {
  readonly a: string;
  readonly b: string;
  /** The round in which it formed. */
  readonly round: number;
  /** The round in which it broke. Absent: it stood to the end. */
  readonly broken?: number | undefined;
}

export interface CoalitionPlotOptions extends FigureOptions {
  readonly edges: readonly CoalitionEdge[];
  /** Clockwise from the top. Default: the six roles of the council. */
  readonly roles?: readonly string[];
}

/**
 * The coalition graph of a station run: roles on a circle, a line for each tie with the round in which it formed.
 *
 * Earlier ties are darker and thicker; dashed ones broke. The number in a role's circle counts its standing ties.
 *
 * @throws {RangeError} when an edge names no role of the circle or one role twice, when a round is not from 1 to 6, when
 * an edge broke before it formed, or when one pair is tied twice at the same time.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const edges = [{ a: "C1_COMMAND", b: "F1_OUTER", round: 2 }, { a: "C1_COMMAND", b: "C4_CIVIL", round: 1, broken: 3 }];
 * const { alt } = coalitionPlot({ edges, synthetic: true });
 * assert.match(alt, /1 standing tie of 15/);
 * assert.match(alt, /C1_COMMAND and C4_CIVIL: from round 1 to 3/);
 * ```
 */
export function coalitionPlot(options: CoalitionPlotOptions): Figure {
  const { edges, roles = COUNCIL } = options;
  const pairs = pairUp(edges, roles);
  const canvas = createCanvas();
  const rounds = [...new Set(pairs.map(({ last }) => last.round))].sort();
  const top = drawLegend(canvas, legendItems(rounds, pairs), { y: 12 }) + 8;
  const centre: Point = [WIDTH / 2, top + MARGIN + RADIUS];
  const nodes = roles.map((_, i) => onCircle(centre, (i / roles.length) * 2 * Math.PI));
  drawEdges(canvas, pairs, layOutEdges(pairs.map(({ ends: [a, b] }) => [nodes[a]!, nodes[b]!])));
  const standing = pairs.filter(({ last }) => last.broken === undefined);
  roles.forEach((role, i) => {
    drawRole(canvas, role, nodes[i]!, centre, standing.filter(({ ends }) => ends.includes(i)).length);
  });
  if (edges.length === 0) canvas.text("No ties to draw.", centre[0], centre[1], { anchor: "middle", fill: MUTED });
  const possible = (roles.length * (roles.length - 1)) / 2;
  return toFigure(options, {
    kind: "coalition",
    canvas,
    height: centre[1] + RADIUS + MARGIN,
    alt: [
      `Coalition graph of ${countText(roles.length, "role")}, ${
        countText(standing.length, "standing tie")
      } of ${possible}`,
      ...pairs.map(({ ends: [a, b], spells }) => `${roles[a]} and ${roles[b]}: ${spells.map(spellWords).join(", ")}`),
    ],
    caption: [
      "Ties between the roles; the number on a line is the round in which it formed, that in a circle counts the standing ties of the role",
    ],
    rows: edges.map(({ a, b, round, broken }) => ({ a, b, round, broken })),
  });
}

const RADIUS = 160;
const NODE = 15;
/** Room for the names above and below the circle. */
const MARGIN = NODE + 2 * LINE_HEIGHT + 12;

interface Pair {
  /** Places of the two roles, smaller first. */
  readonly ends: readonly [number, number];
  readonly spells: readonly CoalitionEdge[];
  readonly last: CoalitionEdge;
}

function pairUp(edges: readonly CoalitionEdge[], roles: readonly string[]): Pair[] {
  if (new Set(roles).size !== roles.length) throw new RangeError(`roles must differ, found ${roles.join(", ")}`);
  const byPair = Map.groupBy(edges, (edge) => endsOf(edge, roles).join(" "));
  const pairs = [...byPair.values()].map((spells) => {
    const sorted = spells.toSorted((a, b) => a.round - b.round);
    sorted.forEach(({ a, b, broken }, i) => {
      const next = sorted[i + 1];
      if (next === undefined || (broken !== undefined && broken <= next.round)) return;
      throw new RangeError(`"${a}" and "${b}" are tied twice in round ${next.round}`);
    });
    return { ends: endsOf(sorted[0]!, roles), spells: sorted, last: sorted.at(-1)! };
  });
  return pairs.sort((one, other) => one.ends[0] - other.ends[0] || one.ends[1] - other.ends[1]);
}

function endsOf({ a, b, round, broken = round }: CoalitionEdge, roles: readonly string[]): [number, number] {
  const places = [a, b].map((role) => roles.indexOf(role));
  if (places.includes(-1)) throw new RangeError(`the tie of "${a}" and "${b}" names a role that is not on the circle`);
  if (a === b) throw new RangeError(`"${a}" is tied to itself`);
  requireRound(`the tie of "${a}" and "${b}"`, round);
  requireRound(`the end of the tie of "${a}" and "${b}"`, broken);
  if (broken < round) throw new RangeError(`the tie of "${a}" and "${b}" broke in round ${broken}, before it formed`);
  return [Math.min(...places), Math.max(...places)];
}

const onCircle = ([x, y]: Point, angle: number): Point => [x + RADIUS * Math.sin(angle), y - RADIUS * Math.cos(angle)];

const SHADES = Plot.scale({ color: { type: "linear", domain: [-3, LAST_ROUND - 1], scheme: "blues" } });

/** The look of a tie that formed in a round: earlier is darker and thicker. */
const tieStyle = ({ round, broken }: Pick<CoalitionEdge, "round" | "broken">) => ({
  colour: SHADES.apply(LAST_ROUND - round) as string,
  thickness: 4.2 - 0.4 * round,
  dash: broken === undefined ? "none" : "5 4",
});

function legendItems(rounds: readonly number[], pairs: readonly Pair[]) {
  return [
    ...rounds.map((round) => ({ label: `formed in round ${round}`, ...tieStyle({ round }) })),
    ...(pairs.some(({ last }) => last.broken !== undefined)
      ? [{ label: "broke", colour: INK, dash: "5 4", thickness: 1.8 }]
      : []),
  ];
}

const spellWords = ({ round, broken }: CoalitionEdge): string =>
  broken === undefined ? `since round ${round}` : `from round ${round} to ${broken}`;

/** Short enough for the middle of a line: 2, or 1–3 for one that broke. */
const spellLabel = ({ round, broken }: CoalitionEdge): string =>
  broken === undefined ? `${round}` : `${round}–${broken}`;

function drawEdges(canvas: Canvas, pairs: readonly Pair[], drawn: readonly DrawnEdge[]): void {
  canvas.marks(...drawn.map(({ from, to }, i) => {
    const { colour, thickness, dash } = tieStyle(pairs[i]!.last);
    return Plot.line([from, to], { stroke: colour, strokeWidth: thickness, strokeDasharray: dash });
  }));
  const labels = pairs.map(({ spells }) => spells.map(spellLabel).join(", "));
  const plates = drawn.map(({ label: [x, y] }, i) => {
    const half = textWidth(labels[i]!, TEXT_SIZE) / 2 + 1;
    return { x1: x - half, x2: x + half, y1: y - 8, y2: y + 7 };
  });
  canvas.marks(Plot.rect(plates, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: CARD }));
  drawn.forEach(({ label: [x, y] }, i) => canvas.text(labels[i]!, x, y + 4, { anchor: "middle" }));
}

/** A circle with the number of ties, and the name beside it: outwards, so that it meets no line. */
function drawRole(canvas: Canvas, role: string, [x, y]: Point, [cx, cy]: Point, ties: number): void {
  canvas.marks(Plot.dot([[x, y]], { r: NODE, fill: CARD, stroke: INK, strokeWidth: 1.6 }));
  canvas.text(String(ties), x, y + 4, { anchor: "middle", weight: "bold" });
  const side = Math.sign(Math.round(x - cx));
  const lines = wrapText(role, side === 0 ? 300 : 170, BOLD_SIZE, side === 0 ? 2 : 4);
  const block = lines.length * LINE_HEIGHT;
  const start = side !== 0 ? y - block / 2 : y < cy ? y - NODE - 4 - block : y + NODE + 4;
  const anchor = (["end", "middle", "start"] as const)[side + 1]!;
  canvas.lines(lines, x + side * (NODE + 8), start + 12, { anchor, weight: "bold" });
}
