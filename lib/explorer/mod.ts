/**
 * The data that the interactive pages are given. Their code is bundled for the browser from `committee/main.ts` and
 * `rescore/main.ts`.
 *
 * @module
 */
export type { CommitteeData } from "./committee/state.ts";
export type { ExplorerData } from "./rescore/data.ts";
