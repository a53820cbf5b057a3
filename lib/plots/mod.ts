/**
 * What Observable Plot lacks: theme and legend of a figure, and composite marks.
 *
 * @module
 */
export type { Figure } from "./figure.ts";
export { fitWindow, intervalDots, publishedDiamonds, simplexFrame, simplexPoint } from "./marks.ts";
export { lineNames, spacedLabels } from "./spaced_labels.ts";
export { simplexZoom } from "./simplex_zoom.ts";
