/**
 * What Observable Plot lacks: theme and legend of a figure, composite marks, and the figures that are still drawn whole.
 *
 * @module
 */
export { coalitionPlot } from "./coalition_plot.ts";
export type { Figure } from "./figure.ts";
export { fitWindow, intervalDots, publishedDiamonds, simplexFrame, simplexPoint, spacedLabels } from "./marks.ts";
export { simplexZoom } from "./simplex_zoom.ts";
export { stationTimeline } from "./station_timeline.ts";
