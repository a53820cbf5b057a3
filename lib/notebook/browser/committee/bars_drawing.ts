import { INK, MUTED, RULE, SHADE } from "../../../figures/palette.ts";
import { svgElement } from "../svg_element.ts";
import { linear } from "./chart_layout.ts";
import type { RunRound } from "./run_rounds.ts";
import { seatMark } from "./seat_marks.ts";

const NAME = 18;
const LANE = 9;
const GAP = 12;

const rowHeight = (seats: number): number => NAME + seats * LANE + GAP;

export const barsHeight = (options: number, seats: number): number => options * rowHeight(seats) + 22;

/** A bar an option for the committee's mean, and every seat on it in a lane of its own. */
export function barsMarks(now: RunRound, options: readonly string[], width: number): SVGElement[] {
  const x = linear([0, 1], [6, width - 10]);
  const height = rowHeight(now.seats.length), bottom = options.length * height;
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    svgElement("path", { d: `M${x(share)} 0V${bottom}`, stroke: RULE }),
    svgElement("text", { x: x(share), y: bottom + 16, "text-anchor": anchorAt(share), fill: MUTED }, String(share)),
  ]);
  return [...grid, ...options.flatMap((option, k) => rowMarks(now, { option, k, top: k * height, x }))];
}

const anchorAt = (share: number): string => share === 0 ? "start" : share === 1 ? "end" : "middle";

function rowMarks(
  { seats, mean }: RunRound,
  { option, k, top, x }: { option: string; k: number; top: number; x: (share: number) => number },
): SVGElement[] {
  const share = mean[k]!, height = seats.length * LANE;
  return [
    svgElement("rect", { x: x(0), y: top + NAME, width: x(share) - x(0), height, fill: SHADE, stroke: MUTED }),
    svgElement("text", { x: x(0) + 3, y: top + NAME - 4, ...NAMED }, `${option}, mean ${share.toFixed(2)}`),
    svgElement("path", { d: `M${x(share).toFixed(1)} ${top + NAME}v${height}`, stroke: INK, "stroke-width": 2.5 }),
    ...seats.map(({ seat, preferences }, lane) =>
      seatMark(seat, x(preferences[k]!), top + NAME + (lane + 0.5) * LANE, 3.6)
    ),
  ];
}

const NAMED = { "font-weight": "bold", stroke: "#fff", "stroke-width": 4, "paint-order": "stroke" };
