/**
 * What a cell of a notebook calls to show things. Every output goes through one of these, awaited.
 *
 * @module
 */
export { buildTable } from "./build_table.ts";
export { claim } from "./claim.ts";
export { committeeExplorer, type CommitteeExplorerOptions, type ExploredCondition } from "./committee_explorer.ts";
export { type Controls, controls } from "./controls.ts";
export { exportFigure } from "./export_figure.ts";
export { guard } from "./guard.ts";
export { lowToHigh } from "./low_to_high.ts";
export type { MimeBundle } from "./mime_bundle.ts";
export { type Progress, progress, type ProgressOptions } from "./progress.ts";
export { rescoreExplorer, type RescoreExplorerOptions } from "./rescore_explorer.ts";
export { runShown, type RunShownOptions } from "./run_shown.ts";
export { show } from "./show.ts";
export { story } from "./story.ts";
export { table } from "./table.ts";
export type { Cell, Column, Frame, Table, TableOptions } from "./table_type.ts";
export { toCsv } from "./to_csv.ts";
export { transcript, type Turn } from "./transcript.ts";
