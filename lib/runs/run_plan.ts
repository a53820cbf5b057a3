import { contentHash } from "../core/json.ts";
import { unknownName } from "../core/nearest.ts";
import { UserError } from "../core/user_error.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { conditionHash } from "../deliberation/deliberate.ts";
import { type Condition, type ConditionGrid, ConditionSpec } from "../schema/condition.ts";
import { type Branch, combinations, type Plan } from "../schema/experiments.ts";
import { declaredProviders, type Providers } from "../schema/providers.ts";
import type { Council, ModelMap } from "./council.ts";
import type { SeatedModels } from "./recording.ts";
import { loadCondition } from "./load_condition.ts";
import { loadExperiment, type ScenarioFolder } from "./scenarios.ts";

/** What is to be run: the name of a declared experiment, or conditions by their specs, a list in a field meaning alternatives. */
export type Wanted = string | ConditionGrid | readonly ConditionGrid[];

/** Conditions to run, whole, each with a ledger of its own. */
export interface RunPlan {
  readonly title: string;
  /** Its folder below that of all runs. */
  readonly folder: string;
  /** Of each condition, unless told otherwise. */
  readonly replicates: number;
  readonly conditions: readonly Condition[];
  readonly branch?: Branch | undefined;
  /** What must be registered before anything is run. */
  readonly plan?: Plan | undefined;
}

/** Where ad hoc runs stand below the folder of all runs. */
const AD_HOC = "ad-hoc";
/** Runs of an ad hoc condition, as many as the paper has. */
const REPLICATES = 20;

/** Where the packets stand, a declared experiment being the project's own, and who sits in every seat. */
export interface PlanOptions extends ScenarioFolder {
  /** By default each seat's own model. */
  readonly model?: string | undefined;
  /** Which models stand in for others. */
  readonly map?: ModelMap | undefined;
  /** Of a recording: the models of every seat, by the names of its conditions. */
  readonly seated?: SeatedModels | undefined;
  /** Of a live council: the settings of those that seats name are declared. */
  readonly providers?: Providers | undefined;
}

/**
 * The conditions that are wanted, with everything they need.
 *
 * @throws {UserError} on an unknown name or a value out of range (naming the nearest), and where two specs come to one
 * condition or to one ledger.
 */
export async function planRuns(wanted: Wanted, options: PlanOptions = {}): Promise<RunPlan> {
  const { model, map = {}, seated: recorded, providers, ...from } = options;
  const plan = await planWanted(wanted, from);
  refuseStrayMap(map, modelsOf(plan.conditions));
  const seated = plan.conditions.map((condition) => {
    const own = recorded?.get(conditionName(condition));
    const seats = condition.seats.map((seat, i) => ({
      ...seat,
      model: model ?? own?.[i] ?? ownValue(map, seat.model) ?? seat.model,
    }));
    const declared = providers && declaredProviders(seats.map((seat) => seat.model), providers);
    return { ...condition, seats, ...(declared && { providers: declared }) };
  });
  return { ...plan, conditions: seated };
}

const ownValue = (map: ModelMap, model: string): string | undefined =>
  Object.hasOwn(map, model) ? map[model] : undefined;

/** The models that conditions' seats are asked from. */
export const modelsOf = (conditions: readonly Condition[]): string[] => [
  ...new Set(conditions.flatMap(({ seats }) => seats.map(({ model }) => model))),
];

/** @throws {UserError} where a model is put in the place of one that nobody asks. */
export function refuseStrayMap(map: ModelMap, models: readonly string[]): void {
  const stray = Object.keys(map).filter((from) => !models.includes(from));
  if (stray.length === 0) return;
  const names = `${stray.join(" and ")}: no seat asks ${stray.length === 1 ? "it" : "them"}`;
  throw new UserError(`--map has nothing to change in ${names}; the seats ask ${models.join(", ")}`, { exitCode: 2 });
}

async function planWanted(wanted: Wanted, from: ScenarioFolder): Promise<RunPlan> {
  if (typeof wanted !== "string") return await planAdHoc(Array.isArray(wanted) ? wanted : [wanted], from);
  const { title, replicates, conditions: specs, branch, plan } = await loadExperiment(wanted);
  const conditions = await loadAll(specs, from);
  return { title, folder: wanted, replicates, conditions, branch, plan };
}

async function planAdHoc(grids: readonly ConditionGrid[], from: ScenarioFolder): Promise<RunPlan> {
  const conditions = await loadAll(grids.flatMap(specsOf), from);
  if (conditions.length === 0) throw new UserError("no condition to run: give at least one spec", { exitCode: 2 });
  const title = conditions.length === 1 ? conditionName(conditions[0]!) : `${conditions.length} conditions`;
  return { title, folder: AD_HOC, replicates: REPLICATES, conditions };
}

function specsOf(grid: ConditionGrid): ConditionSpec[] {
  const known = Object.keys(ConditionSpec.shape);
  const stray = Object.keys(grid).find((key) => !known.includes(key));
  if (stray !== undefined) throw unknownName("condition parameter", stray, known);
  try {
    return combinations(grid) as ConditionSpec[];
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(error.message, { exitCode: 2, cause: error });
    throw error;
  }
}

async function loadAll(specs: readonly ConditionSpec[], from: ScenarioFolder): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const spec of specs) {
    const condition = await loadCondition(spec, from);
    refuseTwice(condition, conditions);
    conditions.push(condition);
  }
  return conditions;
}

function refuseTwice(condition: Condition, before: readonly Condition[]): void {
  const name = conditionName(condition);
  const other = before.find((one) => conditionName(one) === name);
  if (other === undefined) return;
  const why = conditionHash(other) === conditionHash(condition)
    ? "leave one out"
    : "they differ in their texts or models alone, which no ledger's name tells; run them apart, each with an out folder";
  throw new UserError(`${name} is wanted twice: ${why}`, { exitCode: 2 });
}

/**
 * The folder of a plan's ledgers below `data/`, one for each council: what surrogates make can be made again and stands in
 * `out/runs/`; what a live council was paid for stands in `live/`, which no command clears.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { surrogateCouncil } from "./council.ts";
 * assert.equal(runFolder("ad-hoc", await surrogateCouncil()), "out/runs/ad-hoc");
 * ```
 */
export function runFolder(
  folder: string,
  { live, identity, model, map }: Pick<Council, "live" | "identity" | "model" | "map">,
): string {
  if (!live) return identity.startsWith("replay") ? `out/runs/${folder}/${slug(identity)}` : `out/runs/${folder}`;
  const endpoint = identity.replace(/^live:/, "");
  const seated = model ?? (map && `mapped-${contentHash(map).slice(0, 8)}`);
  const parts = [...(endpoint === "openai" ? [] : [endpoint]), ...(seated === undefined ? [] : [seated])];
  return ["live", folder, ...parts.map(slug)].join("/");
}

const slug = (identity: string): string => identity.replaceAll(/[^\w.-]+/g, "-");
