import assert from "node:assert/strict";
import { type CoalitionEdge, coalitionPlot } from "@/plots/coalition_plot.ts";
import { COUNCIL } from "@/schema/station_ids.ts";
import { dots, type Line, lines, overlaps, texts } from "./read_svg.ts";
import { everyTie } from "./station_samples.ts";

const tie = (a: number, b: number, round: number, broken?: number): CoalitionEdge => ({
  ...{ a: COUNCIL[a]!, b: COUNCIL[b]!, round, broken },
});

/** The roles' circles, from the top clockwise: the dots of a plot that have no legend's place. */
const nodes = (svg: string) => dots(svg).map(({ at }) => at);

/** The ties, without the legend's strokes, which are level and 30 long. */
const ties = (svg: string) =>
  lines(svg).filter(({ parts: [path] }) =>
    Math.abs(Math.hypot(path![1]![0] - path![0]![0], path![1]![1] - path![0]![1]) - 30) > 1
  );

const width = ({ strokeWidth }: Line) => Number(strokeWidth);

Deno.test("six roles stand on a circle, the first at the top, and a tie joins its two", () => {
  const { svg } = coalitionPlot({ edges: [tie(4, 1, 2)], synthetic: false });
  const places = nodes(svg);
  assert.equal(places.length, 6);
  const centre = [0, 1].map((k) => places.reduce((sum, at) => sum + at[k]!, 0) / 6);
  const radii = places.map(([x, y]) => Math.hypot(x - centre[0]!, y - centre[1]!));
  radii.forEach((radius) => assert.ok(Math.abs(radius - radii[0]!) < 0.05));
  assert.ok(Math.min(...places.map(([, y]) => y)) === places[0]![1] && places[1]![0] > places[0]![0]);
  assert.deepEqual(ties(svg).map(({ parts }) => parts[0]), [[places[1], places[4]]]);
});

Deno.test("earlier ties are thicker, broken ones dashed; circles count what stands", () => {
  const edges = [tie(0, 1, 1), tie(0, 2, 3), tie(0, 3, 2, 5)];
  const { svg, alt, rows } = coalitionPlot({ edges, synthetic: false });
  const [first, second, broken] = ties(svg);
  assert.ok(width(first!) > width(broken!) && width(broken!) > width(second!));
  assert.notEqual(first!.stroke, second!.stroke);
  assert.deepEqual([first, second, broken].map((one) => one!.strokeDash), [undefined, undefined, "5 4"]);
  const said = texts(svg);
  assert.deepEqual(said.slice(said.indexOf("C1_COMMAND") - 1, said.indexOf("C1_COMMAND")), ["2"]);
  assert.ok(said.includes("2–5") && said.includes("broke"));
  assert.match(alt, /2 standing ties of 15.*C1_COMMAND and C4_CIVIL: from round 2 to 5/);
  assert.equal(rows.length, 3);
});

Deno.test("a pair that came together again is one line with both times, and stands", () => {
  const { svg, alt } = coalitionPlot({ edges: [tie(1, 0, 4), tie(0, 1, 1, 3)], synthetic: false });
  assert.equal(ties(svg).length, 1);
  assert.ok(texts(svg).includes("1–3, 4"));
  assert.match(alt, /1 standing tie of 15\. C1_COMMAND and C2_EQUITY: from round 1 to 3, since round 4/);
});

Deno.test("labels of all fifteen ties keep apart, and stand on their own lines", () => {
  const { svg } = coalitionPlot({ edges: everyTie(COUNCIL), synthetic: false });
  assert.equal(ties(svg).length, 15);
  assert.deepEqual(overlaps(svg), []);
});

Deno.test("coalitionPlot() names the tie that it refuses", () => {
  const draw = (...edges: CoalitionEdge[]) => () => coalitionPlot({ edges, synthetic: false });
  assert.throws(draw({ a: "C1_COMMAND", b: "C9", round: 1 }), /"C1_COMMAND" and "C9" names a role that is not on/);
  assert.throws(draw(tie(0, 0, 1)), { name: "RangeError", message: /"C1_COMMAND" is tied to itself/ });
  assert.throws(draw(tie(0, 1, 3, 2)), /broke in round 2, before it formed/);
  assert.throws(draw(tie(0, 1, 1), tie(1, 0, 2)), /tied twice in round 2/);
  assert.throws(draw(tie(0, 1, 1, 4), tie(1, 0, 2)), /tied twice in round 2/);
  assert.throws(draw(tie(0, 1, 0)), /in round 0/);
});
