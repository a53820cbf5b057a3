/**
 * What a cell of a notebook calls to show things. Every output goes through one of these, awaited.
 *
 * @module
 */
export { buildTable } from "./table.ts";
export { claim } from "./claim.ts";
export { committeeExplorer, type CommitteeExplorerOptions, type ExploredCondition } from "./committee_explorer.ts";
export { type Controls, controls } from "./controls.ts";
export { exportFigure } from "./figure_bundle.ts";
export { guard } from "./guard.ts";
export { lowToHigh } from "../core/numbers.ts";
export type { MimeBundle } from "./emit.ts";
export { type Progress, progress, type ProgressOptions } from "./progress.ts";
export { rescoreExplorer, type RescoreExplorerOptions } from "./rescore_explorer.ts";
export { runShown, type RunShownOptions } from "./run_shown.ts";
export { show } from "./show.ts";
export { story } from "./story.ts";
export { table } from "./table.ts";
export type { Cell, Column, Frame, Table, TableOptions } from "./table.ts";
export { toCsv } from "./csv.ts";
export { transcript, type Turn } from "./transcript.ts";
