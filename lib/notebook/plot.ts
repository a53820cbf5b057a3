import { checkOptions } from "../core/options.ts";
import type { Figure } from "../plots/figure.ts";
import { plotFigure, type PlotFigureOptions } from "../plots/plot_figure.ts";
import { type About, factsOf } from "./about.ts";

/** Observable Plot's own options, and what makes a plot a figure. */
type PlotFigure = Omit<PlotFigureOptions, "synthetic" | "context"> & {
  /** The runs, stations or rows that are drawn: scenario, roles, T, seed, n and "synthetic" in the caption follow from it. */
  readonly about: About;
};

/**
 * A figure from Observable Plot's own options. Show it with `show`, save it with `exportFigure`.
 *
 * A caption cannot contradict its data: what was run is read from `about`, never typed. Legend, margins, alt text, dashes
 * and symbols, a drawing for narrow pages and the CSV are made; a reader changes marks and nothing else.
 *
 * @throws {RangeError} on what cannot be drawn without a browser, or where `about` does not say whether it is synthetic.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import * as Plot from "@observablehq/plot";
 *
 * const rows = [{ scenario: "HL-01", lambda: 0.0541 }, { scenario: "IM-01", lambda: 0.0838 }];
 * const about = { synthetic: false, source: "Table S8" };
 * const figure = plot({ name: "slopes", about, marks: [Plot.barX(rows, { x: "lambda", y: "scenario" })] });
 * assert.match(figure.caption, /^Published: Table S8/);
 * ```
 */
export function plot(given: PlotFigure): Figure {
  const { about, ...options } = checkOptions(
    "plot",
    given,
    "name! about! title subtitle caption alt rows width height fontSize aspectRatio style className figure ariaLabel",
    "ariaDescription document clip facet marks projection x y r fx fy color opacity symbol length grid axis label",
    "labelArrow margin marginTop marginRight marginBottom marginLeft inset insetTop insetRight insetBottom insetLeft",
    "clamp nice zero round align padding",
  );
  return plotFigure({ ...options, ...factsOf(about) });
}
