import {
  PublishedCrossModelRow,
  PublishedEffectFileRow,
  PublishedFailureSourceRow,
  PublishedIm01Row,
  PublishedLandscapeRow,
  PublishedMixedCellRow,
  PublishedPhrasingRow,
  PublishedRunAccountingRow,
  PublishedScenarioRow,
  PublishedSeatRow,
  PublishedStatedEffectRow,
  PublishedSwitchesRow,
  PublishedTwoRoutesRow,
} from "./deliberation_rows.ts";
import { findFact, PublishedFact } from "./published_facts.ts";
import { type PublishedFolder, type PublishedLoader, publishedTable } from "./published_table.ts";

// Every loader throws a UserError on a malformed file.

/** λ̂ of HL-01 by line-up and roles at T = 0 (deliberation paper, Fig. 1B). */
export const loadTwoRoutes: PublishedLoader<PublishedTwoRoutesRow> = publishedTable(
  "deliberation/hl01_two_routes.csv",
  PublishedTwoRoutesRow,
);

/** Target and realised runs (deliberation paper, Table S1). */
export const loadRunAccounting: PublishedLoader<PublishedRunAccountingRow> = publishedTable(
  "deliberation/table_s1_run_accounting.csv",
  PublishedRunAccountingRow,
);

/** The headline effects, the authors' files and ours (deliberation paper, Table S2). */
export const loadEffectFiles: PublishedLoader<PublishedEffectFileRow> = publishedTable(
  "deliberation/table_s2_files.csv",
  PublishedEffectFileRow,
);

/** What the paper's artifacts can tell of causes of missing runs (deliberation paper, Table S3). */
export const loadFailureSources: PublishedLoader<PublishedFailureSourceRow> = publishedTable(
  "deliberation/table_s3_failure_sources.csv",
  PublishedFailureSourceRow,
);

/** The twelve policy scenarios (deliberation paper, Table S4). Their number of options is that of `options`. */
export const loadPublishedScenarios: PublishedLoader<PublishedScenarioRow> = publishedTable(
  "deliberation/table_s4_scenarios.csv",
  PublishedScenarioRow,
);

/** Every condition of IM-01 (deliberation paper, Table S5). */
export const loadIm01: PublishedLoader<PublishedIm01Row> = publishedTable(
  "deliberation/table_s5_im01.csv",
  PublishedIm01Row,
);

/** λ̂ of IM-01 by model, roles and temperature (deliberation paper, Table S6). */
export const loadCrossModel: PublishedLoader<PublishedCrossModelRow> = publishedTable(
  "deliberation/table_s6_models.csv",
  PublishedCrossModelRow,
);

/** Preference switches by role (deliberation paper, Table S7). */
export const loadPublishedSwitches: PublishedLoader<PublishedSwitchesRow> = publishedTable(
  "deliberation/table_s7_switches.csv",
  PublishedSwitchesRow,
);

/** λ̂ of the uniform committee in all twelve scenarios, by roles, at T = 0 and 0.1 (deliberation paper, Table S8). */
export const loadLandscape: PublishedLoader<PublishedLandscapeRow> = publishedTable(
  "deliberation/table_s8_landscape.csv",
  PublishedLandscapeRow,
);

/** The mixed cells of the landscape at T = 0 (deliberation paper, Fig. 4): runs, and HL-01's two slopes. */
export const loadMixedCells: PublishedLoader<PublishedMixedCellRow> = publishedTable(
  "deliberation/figure_4_mixed.csv",
  PublishedMixedCellRow,
);

/** Effects drawn in Figures 2 and 3 of the deliberation paper: signs and intervals as stated, no numbers. */
export const loadStatedEffects: PublishedLoader<PublishedStatedEffectRow> = publishedTable(
  "deliberation/figures_2_3_effects.csv",
  PublishedStatedEffectRow,
);

/** The six phrasings of IM-01 and where each ended (deliberation paper, S4.2 and S4.3). */
export const loadPhrasings: PublishedLoader<PublishedPhrasingRow> = publishedTable(
  "deliberation/semantic_phrasings.csv",
  PublishedPhrasingRow,
);

/** The seats of the mixed line-up (deliberation paper, Methods). */
export const loadPublishedLineup: PublishedLoader<PublishedSeatRow> = publishedTable(
  "deliberation/mixed_lineup.csv",
  PublishedSeatRow,
);

/** Statements of the deliberation paper's text and captions. */
export const loadFacts: PublishedLoader<PublishedFact> = publishedTable("deliberation/facts.csv", PublishedFact);

/**
 * One stated fact of the deliberation paper by its id.
 *
 * @throws {UserError} when there is none of that id (`exitCode` 2, naming the nearest), or the file is malformed.
 */
export async function loadFact(id: string, options: PublishedFolder = {}): Promise<PublishedFact> {
  return findFact(await loadFacts(options), id);
}
