import { unknownName } from "../core/nearest.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { joinAccounting, type RunAccounting } from "../runs/accounting.ts";
import { loadCondition } from "../runs/load_condition.ts";
import { listScenarios } from "../runs/scenarios.ts";
import type { ConditionSpec } from "../schema/condition.ts";
import { type Role, ROLES } from "../schema/scenario.ts";
import type { PublishedRunAccountingRow } from "./published_deliberation.ts";

/** Single-model line-ups by the model's name as Tables S1 and S6 print it. */
const PUBLISHED_LINEUPS: Readonly<Record<string, string>> = {
  "GPT-4.1": "gpt-4-1",
  "Claude Sonnet 4.6": "claude-sonnet-4-6",
  "Gemini 2.5 Flash": "gemini-2-5-flash",
  "Grok-3": "grok-3",
  "GPT-4.1-mini": "uniform",
};

/**
 * The conditions that a row of Table S1 counts the runs of, read from its words as printed. All are at T = 0.
 *
 * @param row `group` and `condition` as in `table_s1_run_accounting.csv`.
 * @throws {UserError} when the words name no group, model or role of the table.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const specs = await accountedSpecs({ group: "Ablation", condition: "Ablate Chair (IM-01, T = 0)" });
 * assert.deepEqual(specs, [{ scenario: "IM-01", roles: true, ablate: "Chair" }]);
 * ```
 */
export async function accountedSpecs(
  { group, condition }: { readonly group: string; readonly condition: string },
): Promise<ConditionSpec[]> {
  const scenario = /[A-Z]{2}-\d{2}/.exec(condition)?.[0] ?? "IM-01";
  switch (group) {
    case "Headline":
    case "Core": {
      const cell = { roles: !condition.includes("no-role"), lineup: /mixed/i.test(condition) ? "mixed" : "uniform" };
      const matrix = condition.startsWith("12-scenario");
      const scenarios = matrix ? (await listScenarios()).map(({ id }) => id) : [scenario];
      return scenarios.map((scenario) => ({ scenario, ...cell }));
    }
    case "Ablation":
      return [{ scenario, roles: true, ablate: ablatedIn(condition) }];
    case "Semantics": {
      const { variants } = (await listScenarios()).find(({ id }) => id === scenario)!;
      return [{ scenario }, ...variants.map((variant) => ({ scenario, variant }))];
    }
    case "Provider":
      return [{ scenario, roles: true, lineup: lineupIn(condition) }];
    default:
      throw unknownName("group of Table S1", group, ["Headline", "Core", "Ablation", "Semantics", "Provider"]);
  }
}

function ablatedIn(condition: string): Role {
  const word = condition.split(" ")[1] ?? "";
  const role = ROLES.find((role) => role === word);
  if (role === undefined) throw unknownName("role", word, ROLES);
  return role;
}

function lineupIn(condition: string): string {
  const model = condition.split(",")[0]!;
  if (!Object.hasOwn(PUBLISHED_LINEUPS, model)) throw unknownName("model", model, Object.keys(PUBLISHED_LINEUPS));
  return PUBLISHED_LINEUPS[model]!;
}

/** A row of Table S1 beside the runs made here. */
interface AccountedRow {
  readonly published: PublishedRunAccountingRow;
  /** Over the row's conditions, as far as they were run. */
  readonly own: RunAccounting;
  /** Conditions of the row that no accounting was given of: their runs are in no count. */
  readonly without: readonly string[];
}

/**
 * Table S1 made again from ledgers: for each of its rows the runs planned and realised here, with the causes of those
 * missing.
 *
 * @param accountings of conditions at T = 0. Where two are of one name, the one whose number of planned runs is that of
 * the row, shared among its conditions, is taken; otherwise the first.
 */
export async function accountTable(
  table: readonly PublishedRunAccountingRow[],
  accountings: readonly RunAccounting[],
): Promise<AccountedRow[]> {
  return await Promise.all(table.map(async (published) => {
    const specs = await accountedSpecs(published);
    const names = await Promise.all(specs.map(async (spec) => conditionName(await loadCondition(spec))));
    const planned = published.target === undefined ? undefined : published.target / names.length;
    const own = names.map((name) => {
      const candidates = accountings.filter((accounting) => accounting.name === name);
      return candidates.find(({ target }) => target === planned) ?? candidates[0];
    });
    return {
      published,
      own: joinAccounting(published.condition, own.filter((accounting) => accounting !== undefined)),
      without: names.filter((_, i) => own[i] === undefined),
    };
  }));
}

/** A source of missing runs, as Table S3 names them. */
export const FAILURE_SOURCES = [
  "Provider timeout / quota / API errors",
  "Parser failure after repair",
  "Manual interruption / VM stop",
] as const;
type FailureSource = typeof FAILURE_SOURCES[number];

/** How many runs are missing for one source, and of which causes. */
interface SourceCount {
  readonly source: FailureSource | "Other";
  readonly runs: number;
  /** As the ledgers word them. */
  readonly causes: Readonly<Record<string, number>>;
}

/**
 * Missing runs by the sources of Table S3, which the paper could not tell apart; here the ledgers name each run's cause.
 *
 * @returns every source, also with no run; `Other` last, and only where some cause is of none of the three.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const accounting = { name: "x", target: 20, realised: 18, deficit: 2, causes: { "no_reply:timeout": 1, unfinished: 1 } };
 * assert.deepEqual(failureSources([accounting]).map(({ runs }) => runs), [1, 0, 1]);
 * ```
 */
export function failureSources(accountings: readonly Pick<RunAccounting, "causes">[]): SourceCount[] {
  const counts = new Map<SourceCount["source"], Map<string, number>>(
    FAILURE_SOURCES.map((source) => [source, new Map()]),
  );
  for (const [cause, runs] of accountings.flatMap(({ causes }) => Object.entries(causes))) {
    const source = sourceOf(cause);
    const own = counts.get(source) ?? new Map<string, number>();
    counts.set(source, own.set(cause, (own.get(cause) ?? 0) + runs));
  }
  return [...counts].map(([source, causes]) => ({
    source,
    runs: [...causes.values()].reduce((sum, runs) => sum + runs, 0),
    causes: Object.fromEntries(causes),
  }));
}

function sourceOf(cause: string): SourceCount["source"] {
  if (cause.startsWith("no_reply:")) return FAILURE_SOURCES[0];
  if (cause.startsWith("unreadable_state:")) return FAILURE_SOURCES[1];
  return cause === "unfinished" || cause === "not_started" ? FAILURE_SOURCES[2] : "Other";
}

/** The fields of a record that hold numbers. */
type NumberFields<Row> = { readonly [Key in keyof Row as Row[Key] extends number ? Key : never]: number };

/**
 * Records of counts added up, field by field. Fields that hold no number are left out.
 *
 * @throws {RangeError} without records, whose fields are not known.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const total = sumFields([{ calls: 3, served: ["a"] }, { calls: 4, served: ["b"] }]);
 * assert.deepEqual(total, { calls: 7 });
 * ```
 */
export function sumFields<Row extends object>(rows: readonly Row[]): NumberFields<Row> {
  if (rows.length === 0) throw new RangeError("no records to add up: their fields are not known");
  const sums: Record<string, number> = {};
  for (const [key, value] of rows.flatMap((row) => Object.entries(row))) {
    if (typeof value === "number") sums[key] = (sums[key] ?? 0) + value;
  }
  return sums as NumberFields<Row>;
}
