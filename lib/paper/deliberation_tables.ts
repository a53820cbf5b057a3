import type {
  PublishedCrossModelRow,
  PublishedFailureSourceRow,
  PublishedIm01Row,
  PublishedLandscapeRow,
  PublishedMixedCellRow,
  PublishedPhrasingRow,
  PublishedRunAccountingRow,
  PublishedScenarioRow,
  PublishedStatedEffectRow,
  PublishedSwitchesRow,
  PublishedTwoRoutesRow,
} from "./deliberation_rows.ts";
import { type With, withCells } from "./published_cell.ts";
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
import type { PublishedFact } from "./published_facts.ts";
import type { PublishedFolder } from "./published_table.ts";

/** A cell of HL-01's 2×2 (Fig. 1B). */
export type RouteRow = With<PublishedTwoRoutesRow, "lambda" | "n">;
/** A cell of the landscape of uniform committees (Table S8). */
export type LandscapeRow = With<PublishedLandscapeRow, "lambda" | "temperature">;
/** A mixed cell (Fig. 4), whose slope is mostly drawn and not printed. */
export type MixedRow = With<PublishedMixedCellRow, "n">;
/** A condition of IM-01 (Table S5). */
export type ConditionRow = With<PublishedIm01Row, "temperature" | "lambda" | "flip_rate" | "ttm" | "n">;
/** A model on IM-01 (Table S6). */
export type ModelCell = With<PublishedCrossModelRow, "lambda" | "temperature" | "n">;
/** A role's switches (Table S7). */
export type SwitchesRow = With<PublishedSwitchesRow, "mean_switches">;
/** A row of the run accounting (Table S1). */
export type AccountingRow = With<PublishedRunAccountingRow, "target" | "realised">;

/** What the deliberation paper publishes, as far as claims are checked from it. Slopes in nats per round. */
export interface DeliberationTables {
  readonly routes: readonly RouteRow[];
  readonly landscape: readonly LandscapeRow[];
  readonly mixed: readonly MixedRow[];
  readonly scenarios: readonly PublishedScenarioRow[];
  readonly conditions: readonly ConditionRow[];
  readonly models: readonly ModelCell[];
  readonly switches: readonly SwitchesRow[];
  readonly effects: readonly PublishedStatedEffectRow[];
  readonly phrasings: readonly PublishedPhrasingRow[];
  readonly accounting: readonly AccountingRow[];
  readonly failures: readonly PublishedFailureSourceRow[];
  readonly facts: readonly PublishedFact[];
}

/** The file in `data/published/` that each table comes from. */
export const DELIBERATION_TABLE_FILES: Readonly<Record<keyof DeliberationTables, string>> = Object.freeze({
  routes: "deliberation/hl01_two_routes.csv",
  landscape: "deliberation/table_s8_landscape.csv",
  mixed: "deliberation/figure_4_mixed.csv",
  scenarios: "deliberation/table_s4_scenarios.csv",
  conditions: "deliberation/table_s5_im01.csv",
  models: "deliberation/table_s6_models.csv",
  switches: "deliberation/table_s7_switches.csv",
  effects: "deliberation/figures_2_3_effects.csv",
  phrasings: "deliberation/semantic_phrasings.csv",
  accounting: "deliberation/table_s1_run_accounting.csv",
  failures: "deliberation/table_s3_failure_sources.csv",
  facts: "deliberation/facts.csv",
});

/**
 * The tables of the deliberation paper that claims are checked from.
 *
 * @throws {UserError} on a malformed file, and on a cell that says `not published` where a number is needed.
 */
export async function loadDeliberationTables(options: PublishedFolder = {}): Promise<DeliberationTables> {
  const needed = await loadNeeded(options);
  const [mixed, scenarios, effects, phrasings, failures, facts] = await Promise.all([
    loadMixedCells(options),
    loadPublishedScenarios(options),
    loadStatedEffects(options),
    loadPhrasings(options),
    loadFailureSources(options),
    loadFacts(options),
  ]);
  return { ...needed, mixed: numbered("mixed", mixed, ["n"]), scenarios, effects, phrasings, failures, facts };
}

type Needed = "routes" | "landscape" | "conditions" | "models" | "switches" | "accounting";

/** The tables in which no cell that is used may be missing. */
async function loadNeeded(options: PublishedFolder): Promise<Pick<DeliberationTables, Needed>> {
  const [routes, landscape, conditions, models, switches, accounting] = await Promise.all([
    loadTwoRoutes(options),
    loadLandscape(options),
    loadIm01(options),
    loadCrossModel(options),
    loadPublishedSwitches(options),
    loadRunAccounting(options),
  ]);
  return {
    routes: numbered("routes", routes, ["lambda", "n"]),
    landscape: numbered("landscape", landscape, ["lambda", "temperature"]),
    conditions: numbered("conditions", conditions, ["temperature", "lambda", "flip_rate", "ttm", "n"]),
    models: numbered("models", models, ["lambda", "temperature", "n"]),
    switches: numbered("switches", switches, ["mean_switches"]),
    accounting: numbered("accounting", accounting, ["target", "realised"]),
  };
}

const numbered = <Row extends object, Name extends keyof Row & string>(
  table: keyof DeliberationTables,
  rows: readonly Row[],
  cells: readonly Name[],
): With<Row, Name>[] => withCells(rows, { file: DELIBERATION_TABLE_FILES[table], cells });
