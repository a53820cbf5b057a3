import assert from "node:assert/strict";
import { nullPanels } from "@/plots/null_panels.ts";
import { boxes, parseSvg, texts } from "./read_svg.ts";

const observed = (svg: string) =>
  [...parseSvg(svg).querySelectorAll('g[aria-label="rule"] line')]
    .filter((line) => line.getAttribute("x1") === line.getAttribute("x2"))
    .map((line) => Number(line.getAttribute("x1")));
const bars = (svg: string) => boxes(svg).filter(({ height }) => height > 0);

Deno.test("both histograms stand on one axis with the observed slope", () => {
  const panels = [{ title: "rounds", draws: [0.001, 0.0011, 0.002], p: 0.25 }, {
    title: "steps",
    draws: [0.098, 0.099],
  }];
  const { svg, alt, caption } = nullPanels({ panels, lambda: 0.05, synthetic: false });
  const lines = observed(svg);
  assert.equal(lines.length, 2);
  assert.equal(lines[0], lines[1]);
  const middle = bars(svg).map(({ y }) => y).sort((a, b) => a - b)[0]! + 100;
  for (const { x, width, y } of bars(svg)) {
    assert.ok(y < middle ? x + width < lines[0]! : x > lines[0]!, "the first null lies left of it, the second right");
  }
  const ends = bars(svg).flatMap(({ x, width }) => [x, x + width]);
  assert.ok(
    Math.abs(lines[0]! - (Math.min(...ends) + Math.max(...ends)) / 2) < 8,
    "0.05 lies midway of 0.001 and 0.099",
  );
  assert.match(alt, /rounds: 3 slopes from 0\.0010 to 0\.0020; p = 0\.2500/);
  assert.match(alt, /steps: 2 slopes from 0\.0980 to 0\.0990; p undefined/);
  assert.match(caption, /observed λ\u0302, 0\.0500/);
});

Deno.test("without an observed slope there is no line, and the reason is said", () => {
  const panels = [{ title: "rounds", draws: [0, 0.01], reason: "missing-rounds" }];
  const { svg, caption, rows } = nullPanels({ panels, reason: "missing-rounds", synthetic: false });
  assert.deepEqual(observed(svg), []);
  assert.match(caption, /undefined: missing rounds/);
  assert.ok(texts(svg).some((text) => text.includes("p undefined: missing rounds")));
  assert.deepEqual(rows.map(({ lambda }) => lambda), [undefined, 0, 0.01]);
});

Deno.test("draws that all agree make one bar", () => {
  const { svg } = nullPanels({ panels: [{ title: "still", draws: [0, 0, 0], p: 1 }], lambda: 0, synthetic: false });
  assert.equal(bars(svg).length, 1);
});

Deno.test("nullPanels() refuses draws that are no numbers", () => {
  const panels = [{ title: "rounds", draws: [0, Infinity] }];
  assert.throws(() => nullPanels({ panels, synthetic: false }), /^RangeError: a slope or the p of "rounds"/);
});
