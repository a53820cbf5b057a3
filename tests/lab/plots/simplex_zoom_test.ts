import * as Plot from "@observablehq/plot";
import assert from "node:assert/strict";
import { simplexPoint } from "@/lab/plots/marks.ts";
import { plotFigure } from "@/lab/plots/plot_figure.ts";
import { simplexZoom } from "@/lab/plots/simplex_zoom.ts";
import { overlappingTexts } from "@/lab/plots/text.ts";
import { parseSvg } from "./read_svg.ts";

const letters = ["A", "B", "C"] as const;

const draw = (shares: readonly (readonly number[])[]) => {
  const points = shares.map(simplexPoint);
  const { scales, frame } = simplexZoom(points, { letters });
  const dots = Plot.dot(points, { x: "x", y: "y", fill: "black" });
  return parseSvg(plotFigure({ name: "a", synthetic: true, ...scales, marks: [...frame, dots] }).svg);
};

const labels = (root: Element) => [...root.querySelectorAll("text")].map(({ textContent }) => textContent!);

const numbers = (element: Element, names: readonly string[]) => names.map((name) => Number(element.getAttribute(name)));

Deno.test("a zoomed triangle names only shares that its part holds, and the corners of the whole", () => {
  const words = labels(draw([[0.2, 0.1, 0.7], [0.3, 0.2, 0.5]]));
  for (const share of ["A 20 %", "A 30 %", "C 60 %", ...letters]) {
    assert.ok(words.includes(share), `${share} in ${words}`);
  }
  for (const share of ["A 50 %", "B 50 %", "C 20 %"]) assert.ok(!words.includes(share), `${share} in ${words}`);
});

Deno.test("every point lies inside the part that is shown, also where all are one", () => {
  for (const shares of [[[0.2, 0.1, 0.7], [0.6, 0.2, 0.2]], [[1, 0, 0]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]]) {
    const root = draw(shares);
    assert.deepEqual(overlappingTexts(root), []);
    const [x, y, width, height] = numbers(root.querySelector('g[aria-label="rect"] rect')!, [
      "x",
      "y",
      "width",
      "height",
    ]);
    for (const dot of root.querySelectorAll('g[aria-label="dot"] circle')) {
      const [cx, cy] = numbers(dot, ["cx", "cy"]);
      assert.ok(cx! > x! && cx! < x! + width! && cy! > y! && cy! < y! + height!, `${cx}, ${cy}`);
    }
  }
});

Deno.test("a line of equal share runs where that share is: A 30 % is as high as the point that has it", () => {
  const root = draw([[0.3, 0.1, 0.6], [0.2, 0.2, 0.6], [0.4, 0.2, 0.4]]);
  const [cy] = numbers(root.querySelector('g[aria-label="dot"] circle')!, ["cy"]);
  const level = [...root.querySelectorAll('g[aria-label="link"] path')].map((path) => path.getAttribute("d")!)
    .flatMap((d) => {
      const [y1, y2] = [...d.matchAll(/,([\d.]+)/g)].map(([, y]) => Number(y));
      return Math.abs(y1! - y2!) < 0.01 ? [y1!] : [];
    });
  assert.ok(level.some((y) => Math.abs(y - cy!) < 0.1), `${cy} among ${level}`);
});

Deno.test("without a point there is no part to show", () => {
  assert.throws(() => simplexZoom([], { letters }), /needs at least one point/);
});
