import assert from "node:assert/strict";
import { agentsPlot } from "@/plots/agents_plot.ts";
import { COLOURS, SHADE } from "@/plots/palette.ts";
import { boxes, lines, parseSvg, texts } from "./read_svg.ts";

const preferences = [
  [[0.6, 0.4], [0.5, 0.5]],
  [[0.3, 0.7], undefined],
  [[0.2, 0.8], [0.1, 0.9]],
];
const sample = { preferences, agents: ["Chair", "Rights"], options: ["stay", "leave"], synthetic: false };

Deno.test("the strip has a box for each agent and round in the colour of the top option", () => {
  const { svg } = agentsPlot(sample);
  const strip = boxes(svg);
  assert.deepEqual(strip.map(({ fill }) => fill), [COLOURS[0], COLOURS[1], COLOURS[1], COLOURS[0], SHADE, COLOURS[1]]);
  assert.ok(strip[0]!.x < strip[1]!.x && strip[1]!.x < strip[2]!.x && strip[0]!.y < strip[3]!.y);
  assert.deepEqual(texts(svg).filter((text) => /^[AB]\*?$/.test(text)), ["A", "B", "B", "A*", "B"]);
});

Deno.test("unread turns are gaps and hatched; ties go to the first option and are counted", () => {
  const { svg, alt, caption, rows } = agentsPlot(sample);
  assert.equal(parseSvg(svg).querySelectorAll('g[aria-label="link"]').length, 1);
  const paths = lines(svg).slice(2).map(({ parts }) => parts.map((part) => part.length));
  assert.deepEqual(paths, [[3], [3], [1, 1], [1, 1]]);
  assert.match(alt, /Chair: A B B\. Rights: A\* unread B\./);
  assert.match(
    caption,
    /Asterisks: 1 tie, given to the first of the tied options\. Hatched: 1 turn that could not be read/,
  );
  assert.deepEqual(rows.filter(({ preference }) => preference === undefined).length, 2);
});

Deno.test("agentsPlot() refuses shapes that do not fit their names", () => {
  assert.throws(() => agentsPlot({ ...sample, agents: ["Chair"] }), /round 1 has 2 agents, for 1 names/);
  assert.throws(
    () => agentsPlot({ ...sample, options: ["a", "b", "c"] }),
    /"Chair" has 2 preferences in round 1, not 3/,
  );
  assert.throws(() => agentsPlot({ ...sample, options: Array(9).fill("x") }), /9 options/);
});
