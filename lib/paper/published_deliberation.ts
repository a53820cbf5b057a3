import { z } from "zod";
import { UserError } from "../core/user_error.ts";
import { Role, ROLES } from "../schema/scenario.ts";
import {
  NONE,
  NOT_PUBLISHED,
  PublishedFlag as Flag,
  PublishedFlagOrUnknown as FlagOrUnknown,
  publishedNumber,
  PublishedScenarioId as ScenarioId,
  PublishedText as Text,
} from "./published_cell.ts";
import { findFact, PublishedFact } from "./published_facts.ts";
import {
  filesOf,
  loadTables,
  needing,
  type PublishedFolder,
  publishedTable,
  type RowOf,
  type Tables,
} from "./published_table.ts";

const Runs = publishedNumber(z.int().min(0));
const Temperature = publishedNumber(z.number().min(0));
/** Nats per round. */
const Slope = publishedNumber(z.number());
const NotNegative = publishedNumber(z.number().min(0));

/** λ̂ of HL-01 by line-up and roles at T = 0 (deliberation paper, Fig. 1B). */
export const loadTwoRoutes = publishedTable("deliberation/hl01_two_routes.csv", {
  scenario: Text,
  lineup: z.enum(["uniform", "mixed"]),
  roles: Flag,
  lambda: Slope,
  n: Runs.describe("realised replicates"),
});

/** Target and realised runs (deliberation paper, Table S1); conditions are worded as printed. */
export const loadRunAccounting = publishedTable("deliberation/table_s1_run_accounting.csv", {
  group: Text,
  condition: Text,
  target: Runs,
  realised: Runs,
  deficit: Runs.describe("target minus realised, as printed"),
});

/** The headline effects, the authors' files and ours (deliberation paper, Table S2). */
export const loadEffectFiles = publishedTable("deliberation/table_s2_files.csv", {
  effect: Text.describe("as printed"),
  printed_file: Text.describe("the authors' file as printed, cut off where the page cuts it off"),
  conditions: Text.transform((text) => text.split("; "))
    .describe("our ledgers' stems; {scenario} and {variant} stand for each of them"),
  notebook: Text.transform((text) => text === NONE ? null : text)
    .describe("ours that shows the effect, from notebooks/; null: none yet"),
});

/** What the paper's artifacts can tell of causes of missing runs (deliberation paper, Table S3). */
export const loadFailureSources = publishedTable("deliberation/table_s3_failure_sources.csv", {
  failure_source: Text.describe("as printed"),
  status: z.enum(["Known", "Partially known", "Unknown"]),
  notes: Text.describe("in our words"),
});

const Options = z.array(Text).min(2, "must name at least two options, parted by ' / '");

/** The twelve policy scenarios (deliberation paper, Table S4). Their number of options is that of `options`. */
export const loadPublishedScenarios = publishedTable("deliberation/table_s4_scenarios.csv", {
  id: ScenarioId,
  domain: Text,
  type: z.enum(["choice_ABC", "allocation"]),
  options: z.string().transform((text) => text.split(" / ")).pipe(Options).describe("labels in order"),
  question: Text,
});

/** Every condition of IM-01 (deliberation paper, Table S5); names as printed. */
export const loadIm01 = publishedTable("deliberation/table_s5_im01.csv", {
  experiment: z.enum(["temperature", "semantic", "ablation"]),
  condition: Text.describe("as printed"),
  temperature: Temperature,
  roles: Flag,
  ablated: z.enum([...ROLES, "none"]),
  lambda: Slope,
  flip_rate: publishedNumber(z.number().min(0).max(1)).describe("share of runs with a non-modal final decision"),
  ttm: publishedNumber(z.number().min(1)).describe("median time to majority, rounds"),
  n: Runs,
});
export type PublishedIm01Row = RowOf<typeof loadIm01>;

/** λ̂ of IM-01 by model, roles and temperature (deliberation paper, Table S6). */
export const loadCrossModel = publishedTable("deliberation/table_s6_models.csv", {
  provider: Text.describe("as printed; Baseline for the model of the uniform runs"),
  model: Text.describe("as printed"),
  roles: Flag,
  temperature: Temperature,
  lambda: Slope,
  n: Runs,
});

/** Single-model line-ups by the model's name as Tables S1 and S6 print it. */
export const PUBLISHED_LINEUPS: Readonly<Record<string, string>> = {
  "GPT-4.1": "gpt-4-1",
  "Claude Sonnet 4.6": "claude-sonnet-4-6",
  "Gemini 2.5 Flash": "gemini-2-5-flash",
  "Grok-3": "grok-3",
  "GPT-4.1-mini": "uniform",
};

/** Preference switches of IM-01 by role (deliberation paper, Table S7). */
export const loadPublishedSwitches = publishedTable("deliberation/table_s7_switches.csv", {
  role: Role,
  mean_switches: NotNegative.describe("a run"),
  sd: NotNegative.describe("standard deviation over agent-runs"),
  n: Runs.describe("agent-runs, pooled over six temperatures"),
});
export type PublishedSwitchesRow = RowOf<typeof loadPublishedSwitches>;

/** λ̂ of the uniform committee in all twelve scenarios, by roles, at T = 0 and 0.1 (deliberation paper, Table S8). */
export const loadLandscape = publishedTable("deliberation/table_s8_landscape.csv", {
  scenario: ScenarioId,
  roles: Flag,
  temperature: Temperature,
  lambda: Slope,
});

/** The mixed cells of the landscape at T = 0 (deliberation paper, Fig. 4): runs, and HL-01's two slopes. */
export const loadMixedCells = publishedTable("deliberation/figure_4_mixed.csv", {
  scenario: ScenarioId,
  roles: Flag,
  lambda: Slope.describe("the text gives HL-01's alone"),
  n: Runs,
});

const CHANGES = [...ROLES.map((role) => `ablate-${role}` as const), "no-roles", "k3", "k1"] as const;
const Sign = z.enum(["positive", "near zero or negative", NOT_PUBLISHED])
  .transform((sign) => sign === NOT_PUBLISHED ? undefined : sign);

/**
 * Effects drawn in Figures 2 and 3 of the deliberation paper: how far a change to the full committee with roles lowers
 * λ̂. The figures' numbers are not in the text, only what it says of them: signs and intervals.
 */
export const loadStatedEffects = publishedTable("deliberation/figures_2_3_effects.csv", {
  figure: z.enum(["2A", "2B", "3A", "3B"]),
  scenario: ScenarioId,
  change: z.enum(CHANGES).describe("what differs from the full committee with k = 15, worded as in a condition's name"),
  fall: Slope.describe("λ̂ of the full committee less that of the changed one"),
  low: Slope.describe("lower end of its 95 % interval"),
  high: Slope.describe("upper end"),
  sign: Sign.describe("of the fall"),
  excludes_zero: FlagOrUnknown.describe("whether the 95 % interval is said to exclude zero"),
});
export type PublishedStatedEffectRow = RowOf<typeof loadStatedEffects>;

/** The six phrasings of IM-01 and where each single run ended (deliberation paper, S4.2 and S4.3). */
export const loadPhrasings = publishedTable("deliberation/semantic_phrasings.csv", {
  phrasing: Text.describe("as printed"),
  how: Text.describe("how it was worded, in our words"),
  decision: z.enum(["A", "B", "C"]).describe("the option to which the run converged"),
});
export type PublishedPhrasingRow = RowOf<typeof loadPhrasings>;

/** The seats of the mixed line-up (deliberation paper, Methods); models as printed. */
export const loadPublishedLineup = publishedTable("deliberation/mixed_lineup.csv", { role: Role, model: Text });

/** Statements of the deliberation paper's text and captions. */
export const loadFacts = publishedTable("deliberation/facts.csv", PublishedFact.shape);

/**
 * One stated fact of the deliberation paper by its id.
 *
 * @throws {UserError} when there is none of that id (`exitCode` 2, naming the nearest), or the file is malformed.
 */
export async function loadFact(id: string, options: PublishedFolder = {}): Promise<PublishedFact> {
  return findFact(await loadFacts(options), id);
}

/**
 * IM-01's published falls of λ̂, by the role whose mandate is taken away: the row without ablation less each other.
 *
 * The paper prints the slopes and not these differences; like the slopes they are exact to the last printed digit only,
 * so to within 0.0001.
 *
 * @param rows Table S5; see `loadIm01`.
 * @throws {UserError} where a row of the ablation is missing or has no slope.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(im01Falls(await loadIm01()).get("Chair")!.toFixed(4), "0.0534");
 * ```
 */
export function im01Falls(rows: readonly PublishedIm01Row[]): ReadonlyMap<Role, number> {
  const slope = (ablated: Role | "none"): number => {
    const found = rows.find((row) => row.experiment === "ablation" && row.ablated === ablated)?.lambda;
    if (found === undefined) throw new UserError(`Table S5 has no slope for the ablation of ${ablated}`);
    return found;
  };
  return new Map(ROLES.map((role) => [role, slope("none") - slope(role)]));
}

/** Where the deliberation paper refers to a part of itself, and where that part stands. */
export const loadCrossReferences = publishedTable("deliberation/cross_references.csv", {
  part: Text.describe("what is referred to, in our words"),
  named: Text.describe("the number under which it is referred to"),
  stands: Text.describe("the number that it bears where it is printed"),
  source: Text.describe("where the reference stands"),
});

/** Claims are checked from these; no cell that is used may be missing. */
const TABLES = {
  routes: needing(loadTwoRoutes, "lambda", "n"),
  landscape: needing(loadLandscape, "lambda", "temperature"),
  mixed: needing(loadMixedCells, "n"),
  scenarios: loadPublishedScenarios,
  conditions: needing(loadIm01, "temperature", "lambda", "flip_rate", "ttm", "n"),
  models: needing(loadCrossModel, "lambda", "temperature", "n"),
  switches: needing(loadPublishedSwitches, "mean_switches", "n"),
  effects: loadStatedEffects,
  phrasings: loadPhrasings,
  accounting: needing(loadRunAccounting, "target", "realised"),
  failures: loadFailureSources,
  references: loadCrossReferences,
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
