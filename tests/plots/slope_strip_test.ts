import assert from "node:assert/strict";
import { COLOURS } from "@/plots/palette.ts";
import { slopeStrip } from "@/plots/slope_strip.ts";
import { dots, parseSvg, texts } from "./read_svg.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);
const values = (svg: string) => dots(svg).filter(({ fill }) => fill === COLOURS[0]).map(({ at }) => at);
const uprights = (svg: string) =>
  [...parseSvg(svg).querySelectorAll('g[aria-label="rule"] line')]
    .map((line) => [Number(line.getAttribute("x1")), Number(line.getAttribute("x2"))] as const)
    .filter(([a, b]) => a === b).map(([x]) => x);

const slope = (lambda: number) => ({ label: `at ${lambda}`, lambda });

Deno.test("dots and reference lines share one linear axis", () => {
  const { svg } = slopeStrip({
    groups: [{ label: "a", slopes: [slope(0), slope(0.1)] }, { label: "b", slopes: [slope(0.05)] }],
    references: [{ label: "walk", lambda: 0.05 }, { label: "steady", lambda: 0 }],
    synthetic: false,
  });
  const [zero, tenth, half] = values(svg);
  near(half![0], (zero![0] + tenth![0]) / 2);
  assert.ok(half![1] > zero![1], "the second row is below the first");
  const [steady, walk] = uprights(svg);
  near(steady!, zero![0]);
  near(walk!, half![0]);
});

Deno.test("values that would cover one another stand above one another", () => {
  const slopes = [0.02, 0.0201, 0.0202, 0.09].map(slope);
  const { svg } = slopeStrip({ groups: [{ label: "a", slopes }], references: [], synthetic: false });
  const [a, b, c, d] = values(svg);
  assert.equal(new Set([a![1], b![1], c![1]]).size, 3);
  near(d![1], a![1]);
  const places = values(svg);
  places.forEach(([x, y], i) =>
    places.slice(i + 1).forEach(([u, v]) => assert.ok(Math.hypot(x - u, y - v) > 7, "dots do not cover"))
  );
});

Deno.test("the alt text counts the values that each law reaches", () => {
  const { alt, caption, svg, rows } = slopeStrip({
    groups: [{ label: "roles", slopes: [0.05, 0.0509, 0.06, 0.2].map(slope) }, { label: "none", slopes: [] }],
    references: [{ label: "straight", lambda: 0.1018 }, { label: "walk", lambda: 0.0509 }],
    synthetic: false,
  });
  assert.match(alt, /roles: 4 values, from 0\.0500 to 0\.2000, 2 at or below walk, 3 at or below straight/);
  assert.match(alt, /none: no values/);
  assert.match(caption, /walk 0\.0509, straight 0\.1018/);
  assert.ok(texts(svg).includes("walk, 0.0509"));
  assert.equal(rows.length, 6);
});

Deno.test("slopeStrip() refuses slopes that are no numbers", () => {
  const groups = [{ label: "a", slopes: [slope(NaN)] }];
  assert.throws(() => slopeStrip({ groups, references: [], synthetic: false }), /^RangeError: the slope of "at NaN"/);
});
