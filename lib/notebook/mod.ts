/**
 * What a cell of a notebook calls to run, to show and to say things. Every output goes through one of these, awaited.
 *
 * @module
 */
export { committeeExplorer } from "./committee_explorer.ts";
export { controls } from "./controls.ts";
export { document } from "../plots/document.ts";
export { exportFigure } from "./figure_bundle.ts";
export { frame } from "./frame.ts";
export { guard } from "./guard.ts";
export { plot } from "./plot.ts";
export { type Progress, progress } from "./progress.ts";
export { rescoreExplorer } from "./rescore_explorer.ts";
export { runShown } from "./run_shown.ts";
export { finding, say } from "./say.ts";
export { show } from "./show.ts";
export { story } from "./story.ts";
export { table } from "./table.ts";
export { transcript } from "./transcript.ts";
