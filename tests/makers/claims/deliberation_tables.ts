import { referenceSlopes } from "@/stats/lyapunov_slope.ts";
import { branchingEntropy } from "@/stats/branching_entropy.ts";
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
import { findFact, loadTables, publishedTable } from "@/lab/paper/published_table.ts";
import { type Sources, sourcesOf } from "./database.ts";

/** Cross-references of the deliberation paper to its own parts, and where those parts stand. */
const loadCrossReferences = publishedTable("deliberation/cross_references.csv", {
  part: cell.Text.describe("what is referred to, in our words"),
  named: cell.Text.describe("the number under which it is referred to"),
  stands: cell.Text.describe("the number that it bears where it is printed"),
  source: cell.Text.describe("where the reference stands"),
});

const TABLES = {
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
  cross_references: loadCrossReferences,
  facts: loadFacts,
};

/**
 * The tables of the deliberation paper, slopes in nats per round, and beside them:
 *
 * - `study`: our own simulations of the estimators
 * - `laws`: slopes of a random walk and of a straight drift over the fitted rounds
 * - `branching`: what the branching study gives for continuations that part once and stay (`gamma`, `initial`) and for such as
 *   never leave their start (`cosIn`, `cosOut`)
 *
 * @throws {UserError} on a malformed file, and on a cell that says `not published` where a number is needed.
 */
export async function loadDeliberationSources(): Promise<Sources> {
  const tables = await loadTables(TABLES, {}), { low: from, high: to } = findFact(tables.facts, "fit-rounds");
  return {
    ...sourcesOf(TABLES, tables),
    study: { rows: (await loadEstimatorStudy()).rows, files: ["../estimators/coverage.json"] },
    laws: { rows: [referenceSlopes({ from, to })], files: [TABLES.facts.file] },
    branching: { rows: [{ ...partAndStay(), ...standStill() }], files: [] },
  };
}

function partAndStay() {
  const to = (state: readonly number[]) => [[0.5, 0.5], state, state];
  const { gamma, initial } = branchingEntropy([to([0.6, 0.4]), to([0.4, 0.6])]);
  return { gamma, initial };
}

function standStill() {
  const at = (state: readonly number[]) => [[state, state], [state, state]];
  const { cosIn, cosOut } = branchingEntropy(at([0.6, 0.4]), { others: at([0.4, 0.6]) });
  return { cosIn, cosOut };
}
