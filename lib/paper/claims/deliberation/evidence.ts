import { type EstimatorStudy, loadEstimatorStudy } from "../../estimators/study.ts";
import {
  DELIBERATION_TABLE_FILES,
  type DeliberationTables,
  loadDeliberationTables,
} from "../../published_deliberation.ts";
import type { PublishedFolder } from "../../published_table.ts";

/** What the deliberation paper's claims are checked from. */
export interface DeliberationEvidence extends DeliberationTables {
  /** Our own simulations of the estimators, beside which some statements are held. */
  readonly study: EstimatorStudy["rows"];
}

/** The file that each table comes from, as seen from `data/published/`. */
export const DELIBERATION_EVIDENCE_FILES = { ...DELIBERATION_TABLE_FILES, study: "../estimators/coverage.json" };

/**
 * The published tables and the study of the estimators.
 *
 * @throws {UserError} on a malformed file, and on a cell that says `not published` where a number is needed.
 */
export async function loadDeliberationEvidence(options: PublishedFolder = {}): Promise<DeliberationEvidence> {
  return { ...await loadDeliberationTables(options), study: (await loadEstimatorStudy()).rows };
}
