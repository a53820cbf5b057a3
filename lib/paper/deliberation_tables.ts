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
} from "./published_deliberation.ts";
import { filesOf, loadTables, needing, type PublishedFolder, type Tables } from "./published_table.ts";

/** Claims are checked from these; no cell that is used may be missing. */
const TABLES = {
  routes: needing(loadTwoRoutes, "lambda", "n"),
  landscape: needing(loadLandscape, "lambda", "temperature"),
  mixed: needing(loadMixedCells, "n"),
  scenarios: loadPublishedScenarios,
  conditions: needing(loadIm01, "temperature", "lambda", "flip_rate", "ttm", "n"),
  models: needing(loadCrossModel, "lambda", "temperature", "n"),
  switches: needing(loadPublishedSwitches, "mean_switches"),
  effects: loadStatedEffects,
  phrasings: loadPhrasings,
  accounting: needing(loadRunAccounting, "target", "realised"),
  failures: loadFailureSources,
  facts: loadFacts,
};

/** What the deliberation paper publishes, as far as claims are checked from it. Slopes in nats per round. */
export type DeliberationTables = Tables<typeof TABLES>;
/** A cell of the landscape of uniform committees (Table S8). */
export type LandscapeRow = DeliberationTables["landscape"][number];
/** A condition of IM-01 (Table S5). */
export type ConditionRow = DeliberationTables["conditions"][number];

/** The file in `data/published/` that each table comes from. */
export const DELIBERATION_TABLE_FILES = filesOf(TABLES);

/**
 * The tables of the deliberation paper that claims are checked from.
 *
 * @throws {UserError} on a malformed file, and on a cell that says `not published` where a number is needed.
 */
export async function loadDeliberationTables(options: PublishedFolder = {}): Promise<DeliberationTables> {
  return await loadTables(TABLES, options);
}
