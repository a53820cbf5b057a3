/**
 * Observable Plot for cells, where there is no browser: `Plot.plot({ marks })` draws into a document of its own unless
 * one is given. No global `document` is set, by which danfojs would take Deno for a browser. `lib/` uses Plot itself.
 *
 * @module
 */
import * as Plot from "@observablehq/plot";
import { document } from "./canvas.ts";

export * from "@observablehq/plot";

/** As `Plot.plot`; `document` defaults to one that needs no browser. */
export const plot = (options: Plot.PlotOptions = {}): ReturnType<typeof Plot.plot> =>
  Plot.plot({ document, ...options });
