import { loadEstimatorStudy } from "@/lab/paper/kept_tables.ts";
import * as cell from "@/lab/paper/published_cells.ts";
import {
  loadCrossModel,
  loadFacts,
  loadFailureSources,
  loadIm01,
  loadLandscape,
  loadMixedCells,
  loadPhrasings,
  loadPublishedScenarios,
  loadPublishedSwitches,
  loadRunAccounting,
  loadStatedEffects,
  loadTwoRoutes,
} from "@/lab/paper/published_deliberation.ts";
import { loadTables, type PublishedFolder, publishedTable } from "@/lab/paper/published_table.ts";

/** Cross-references of the deliberation paper to its own parts, and where those parts stand. */
export const loadCrossReferences = publishedTable("deliberation/cross_references.csv", {
  part: cell.Text.describe("what is referred to, in our words"),
  named: cell.Text.describe("the number under which it is referred to"),
  stands: cell.Text.describe("the number that it bears where it is printed"),
  source: cell.Text.describe("where the reference stands"),
});

/** The tables that claims are checked from. */
export const DELIBERATION_TABLES = {
  routes: loadTwoRoutes,
  landscape: loadLandscape,
  mixed: loadMixedCells,
  scenarios: loadPublishedScenarios,
  conditions: loadIm01,
  models: loadCrossModel,
  switches: loadPublishedSwitches,
  effects: loadStatedEffects,
  phrasings: loadPhrasings,
  accounting: loadRunAccounting,
  failures: loadFailureSources,
  references: loadCrossReferences,
  facts: loadFacts,
};

/**
 * The tables of the deliberation paper that claims are checked from, slopes in nats per round, and the `study` of the
 * estimators: our own simulations, beside which some statements are held.
 *
 * @throws {UserError} on a malformed file, and on a cell that says `not published` where a number is needed.
 */
export const loadDeliberationEvidence = async (options: PublishedFolder = {}) => ({
  ...await loadTables(DELIBERATION_TABLES, options),
  study: (await loadEstimatorStudy()).rows,
});
export type DeliberationEvidence = Awaited<ReturnType<typeof loadDeliberationEvidence>>;
