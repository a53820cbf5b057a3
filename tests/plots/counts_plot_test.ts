import assert from "node:assert/strict";
import { countsPlot } from "@/plots/counts_plot.ts";
import { COLOURS } from "@/plots/palette.ts";
import { dots, parseSvg, texts } from "./read_svg.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 0.05, `${a} is not near ${b}`);

/** Circles of counts from the left, band by band, with their radius; the sign in the legend stands at the top. */
const circles = (svg: string) =>
  [...parseSvg(svg).querySelectorAll('g[aria-label="dot"] circle')].map((circle) => ({
    x: Number(circle.getAttribute("cx")),
    y: Number(circle.getAttribute("cy")),
    r: Number(circle.getAttribute("r")),
  })).filter(({ y, r }) => y > 40 && r !== 4).sort((a, b) => a.y - b.y || a.x - b.x);

Deno.test("counts stand on a linear axis, their areas are the numbers of units", () => {
  const groups = [{ label: "Chair", counts: [0, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5, 5] }];
  const [zero, one, five] = circles(countsPlot({ groups, quantity: "q", synthetic: false }).svg);
  near(five!.x - one!.x, 4 * (one!.x - zero!.x));
  near(one!.r, 2 * zero!.r);
  near(five!.r, 3 * zero!.r);
  assert.ok(zero!.y === one!.y && one!.y === five!.y);
});

Deno.test("areas compare across groups", () => {
  const groups = [{ label: "a", counts: new Array(16).fill(2) }, { label: "b", counts: [2, 2, 2, 2] }];
  const [a, b] = circles(countsPlot({ groups, quantity: "q", synthetic: false }).svg);
  near(a!.r, 2 * b!.r);
  assert.ok(a!.x === b!.x && a!.y < b!.y);
});

Deno.test("means stand on the counts' axis, each with one error to either side", () => {
  const groups = [{
    label: "a",
    counts: [0, 4],
    measured: { mean: 2, sem: 1 },
    published: { mean: 3, sem: 0.5 },
  }];
  const { svg } = countsPlot({ groups, quantity: "q", synthetic: false });
  const [zero, four] = circles(svg).map(({ x }) => x);
  const at = (value: number) => zero! + (value / 4) * (four! - zero!);
  const measured = dots(svg).filter(({ fill, at: [, y] }) => fill === COLOURS[0] && y > 40);
  assert.equal(measured.length, 1);
  near(measured[0]!.at[0], at(2));
  const published = dots(svg).find(({ stroke, at: [, y] }) => stroke === COLOURS[1] && y > 40);
  near(published!.at[0], at(3));
  const bars = [...parseSvg(svg).querySelectorAll('g[aria-label="line"] path')].map((path) =>
    (path.getAttribute("d") ?? "").match(/[\d.]+/g)!.map(Number)
  ).filter(([, y]) => y! > 40);
  assert.equal(bars.length, 2);
  near(bars[0]![0]!, at(1));
  near(bars[0]![2]!, at(3));
  near(bars[1]![0]!, at(2.5));
  near(bars[1]![2]!, at(3.5));
});

Deno.test("what is missing is said in words, and nothing is drawn for it", () => {
  const groups = [{ label: "a", counts: [] }, { label: "b", counts: [3], measured: { mean: 3 } }];
  const { svg, alt, rows } = countsPlot({ groups, quantity: "q", unit: "agent-run", synthetic: false });
  assert.equal(circles(svg).length, 1);
  assert.match(texts(svg).join(" "), /not measured not published/);
  assert.match(
    alt,
    /a: no agent-run; not measured; not published\. b: 3 in 1 agent-run; measured 3\.00; not published/,
  );
  assert.deepEqual(rows.map(({ group, source }) => [group, source]), [["b", "count"], ["b", "measured"]]);
});

for (const wrong of [-1, 0.5, NaN]) {
  Deno.test(`countsPlot() refuses a count of ${wrong}, naming the group`, () => {
    const groups = [{ label: "Chair", counts: [1, wrong] }];
    assert.throws(() => countsPlot({ groups, quantity: "q", synthetic: false }), {
      name: "RangeError",
      message: new RegExp(`a count of "Chair" is ${wrong}, not a whole number`),
    });
  });
}

Deno.test("countsPlot() refuses a mean that is none", () => {
  const groups = [{ label: "Chair", counts: [1], measured: { mean: NaN } }];
  assert.throws(() => countsPlot({ groups, quantity: "q", synthetic: false }), /a mean of "Chair" is NaN/);
});
