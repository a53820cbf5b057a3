import type { PlotOptions } from "@observablehq/plot";
import type { Figure } from "../plots/figure.ts";
import { plotFigure } from "../plots/plot_figure.ts";
import { type About, factsOf } from "./about.ts";

/** Observable Plot's own options, and what makes a plot a figure. */
export type PlotFigure = PlotOptions & {
  /** File-safe id, such as `figure-1a`: names the downloads. */
  readonly name: string;
  /** The runs, stations or rows that are drawn: scenario, roles, T, seed, n and "synthetic" in the caption follow from it. */
  readonly about: About;
  /** A sentence for the caption, after what follows from `about`. */
  readonly caption?: string;
  /** Replaces the alt text that is built from axes and series. */
  readonly alt?: string;
  /** The data behind the picture, for CSV. Default: the records that the marks draw. */
  readonly rows?: Figure["rows"];
  /** Pixels from edge to edge. Default 720. */
  readonly width?: number;
  /** Pixels. Default 12. */
  readonly fontSize?: number;
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
