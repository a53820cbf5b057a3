import * as Plot from "@observablehq/plot";
import * as ours from "@/lab/plots/observable_plot.ts";
import assert from "node:assert/strict";
import { frame } from "@/lab/notebook/frame.ts";
import { figureBundle } from "@/lab/notebook/figure_bundle.ts";
import { elementFigure } from "@/lab/plots/plot_figure.ts";
import { texts } from "./read_svg.ts";

const rows = [{ x: 1, y: 2, roles: "on" }, { x: 2, y: 3, roles: "off" }];

Deno.test("in a cell Plot draws without a document, and danfojs does not take it for a browser", () => {
  assert.equal(Plot.plot, ours.plot, "what cells import");
  const drawn = Plot.plot({ marks: [Plot.dot(rows, { x: "x", y: "y" })] });
  assert.equal(drawn.nodeName, "svg");
  assert.equal("document" in globalThis, false);
  assert.deepEqual(frame(rows).columns, ["x", "y", "roles"]);
});

for (const fill of ["roles", "y"]) {
  Deno.test(`a bare plot keeps its legend of ${fill}, title and caption`, () => {
    const marks = [Plot.dot(rows, { x: "x", y: "y", fill })];
    const color = { legend: true, label: "a scale" };
    const figure = elementFigure(Plot.plot({ marks, color, title: "Two dots", caption: "Dots: runs" }));
    const words = texts(figure.svg);
    assert.equal(words[0], "Two dots");
    assert.ok(fill === "y" ? words.includes("a scale") : words.includes("on") && words.includes("off"), words.join());
    assert.equal(figure.title, "Two dots");
    assert.match(figure.caption, /^Dots: runs\. Drawn from data that are not declared/);
    assert.match(String(figureBundle(figure)["text/html"]), /<p data-title[^>]*>Two dots<\/p>/);
  });
}
