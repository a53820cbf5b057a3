import assert from "node:assert/strict";
import { agreementPlot } from "@/plots/agreement_plot.ts";
import { dots, lines, overlaps, parseSvg, texts } from "./read_svg.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);
const drawn = (svg: string) => dots(svg).filter(({ at }) => at[1] > 40).map(({ at }) => at);
const draw = (points: Parameters<typeof agreementPlot>[0]["points"]) =>
  agreementPlot({ points, quantity: "λ", synthetic: false });

Deno.test("both axes share one scale, and equal values lie on the dashed line", () => {
  const points = [
    { label: "a", group: "g", published: 0.02, measured: 0.02 },
    { label: "b", group: "g", published: 0.06, measured: 0.06 },
    { label: "c", group: "g", published: 0.06, measured: 0.02 },
    { label: "d", group: "g", published: 0.02, measured: -0.01 },
  ];
  const { svg } = draw(points);
  const [a, b, c, d] = drawn(svg);
  near(b![0] - a![0], a![1] - b![1]);
  assert.deepEqual([c![0], c![1]], [b![0], a![1]]);
  near(d![1] - a![1], 0.75 * (b![0] - a![0]));
  const dashed = lines(svg).filter(({ strokeDash, parts }) => strokeDash === "4 3" && parts[0]![0]![1] > 40);
  assert.equal(dashed.length, 1);
  const [[x, y], [x2, y2]] = dashed[0]!.parts[0]! as [[number, number], [number, number]];
  near(x2 - x, y - y2);
  near(a![1] - y, -(a![0] - x));
});

Deno.test("bars span the intervals of the measured values", () => {
  const { svg } = draw([{ label: "a", group: "g", published: 0.05, measured: 0.04, low: 0.02, high: 0.08 }, {
    label: "b",
    group: "g",
    published: 0.05,
    measured: 0.06,
  }]);
  const [a, b] = drawn(svg);
  const unit = (a![1] - b![1]) / 2;
  const bars = [...parseSvg(svg).querySelectorAll('g[aria-label="link"] path')].map((path) =>
    (path.getAttribute("d") ?? "").match(/[\d.]+/g)!.map(Number)
  );
  assert.equal(bars.length, 1);
  near(bars[0]![1]!, a![1] + 2 * unit);
  near(bars[0]![3]!, a![1] - 4 * unit);
});

Deno.test("a point that lacks one of the two is counted in words and not drawn", () => {
  const { svg, alt, caption, rows } = draw([
    { label: "a", group: "g", published: 0.05, measured: 0.04 },
    { label: "b", group: "g", measured: 0.04 },
    { label: "c", group: "g", published: 0.05 },
  ]);
  assert.equal(drawn(svg).length, 1);
  assert.match(caption, /Not published: 1 of 3\. Published and without an estimate: 1 of 3/);
  assert.match(alt, /1 pair\. a, g: published 0\.0500, measured 0\.0400\.$/);
  assert.deepEqual(rows.map(({ published, measured }) => [published, measured]), [
    [0.05, 0.04],
    [undefined, 0.04],
    [0.05, undefined],
  ]);
});

Deno.test("names stand beside their points where there is room, and never on one another", () => {
  const crowd = Array.from({ length: 40 }, (_, i) => ({
    ...{ label: `point ${i}`, group: "g", published: 0.05, measured: 0.05 + i / 4e4, named: true },
  }));
  const { svg, alt } = draw([...crowd, { label: "far", group: "g", published: 0.01, measured: 0.09, named: true }]);
  assert.deepEqual(overlaps(svg), []);
  const named = texts(svg).filter((text) => text.startsWith("point "));
  assert.ok(named.length > 0 && named.length < 40, `${named.length} of 40 names`);
  assert.ok(texts(svg).includes("far"));
  assert.match(alt, /point 39, g/);
  assert.ok(!texts(draw([{ label: "mute", group: "g", published: 0.01, measured: 0.02 }]).svg).includes("mute"));
});

Deno.test("agreementPlot() refuses numbers that are none, naming the point", () => {
  assert.throws(() => draw([{ label: "a", group: "g", published: NaN, measured: 1 }]), {
    name: "RangeError",
    message: /point "a" is NaN/,
  });
});
