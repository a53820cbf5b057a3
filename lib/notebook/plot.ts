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
export function plot({ about, ...options }: PlotFigure): Figure {
  if (about === undefined) {
    throw new RangeError(`figure ${options.name}: give \`about\`, the runs or rows that it is drawn from`);
  }
  return plotFigure({ ...options, ...factsOf(about) });
}
