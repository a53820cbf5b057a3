import { z } from "zod";
import { contentHash, differences } from "../core/json.ts";
import { checkOptions } from "../core/options.ts";
import { UserError } from "../core/user_error.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { conditionHash } from "../deliberation/deliberate.ts";
import { Plan } from "../schema/experiments.ts";
import { UntilSpec } from "../schema/until.ts";
import { fileName, folderUrl, missing, writeAtomically } from "../record/files.ts";
import { readJson } from "../record/read_json.ts";
import type { RunPlan } from "./run_plan.ts";
import type { ScenarioFolder } from "./scenarios.ts";

/** The promise: conditions with everything their agents read, the number of runs, and the plan. */
type Promised = {
  name: string;
  replicates: number;
  conditions: { name: string; hash: string }[];
  plan: Plan;
  until?: z.output<typeof UntilSpec> | undefined;
};
const promise = z.strictObject({
  name: z.string(),
  replicates: z.int(),
  conditions: z.array(z.strictObject({ name: z.string(), hash: z.string() })),
  plan: Plan,
  until: UntilSpec.optional(),
});

/** A plan as it was sealed; `hash` is of all the rest, and stands in every ledger made under it. */
export type Registration = Promised & {
  schema: "registration/1";
  at: string;
  earlier: { hash: string; at: string; changed: string[]; why: string }[];
  hash: string;
};
const Registration: z.ZodType<Registration> = promise.extend({
  schema: z.literal("registration/1"),
  at: z.iso.datetime(),
  earlier: z.array(
    z.strictObject({ hash: z.string(), at: z.iso.datetime(), changed: z.array(z.string()), why: z.string() }),
  ),
  hash: z.string(),
});

const SEALS = new URL("../../scenarios/", import.meta.url);
const fileOf = (name: string, folder: ScenarioFolder["folder"] = SEALS): URL =>
  new URL(`registered/${encodeURIComponent(name)}.json`, folderUrl(folder));

function promised({ folder: name, replicates, conditions, plan, until }: RunPlan): Promised {
  const refused = (words: string) => new UserError(`${name} ${words}`, { exitCode: 2 });
  if (plan === undefined) throw refused("has no plan to register: add one to it in scenarios/experiments.json");
  const listed = conditions.map((one) => ({ name: conditionName(one), hash: conditionHash(one) }));
  const names = listed.map((one) => one.name);
  const stray = plan.tests.flatMap(({ higher, lower }) => [higher, lower]).find((one) => !names.includes(one));
  if (stray === undefined) {
    return { name, replicates, conditions: listed, plan, ...(until && { until: UntilSpec.parse(until) }) };
  }
  throw refused(`tests ${stray}, which is none of its conditions: ${names.join(", ")}`);
}

/** The promise without the fields of its registration. */
const bare = (registered: Promised) => promise.strip().parse(registered);

/** The registration on file, or undefined. Throws a UserError where it was edited since it was sealed. */
export async function readRegistration(name: string, options: ScenarioFolder = {}): Promise<Registration | undefined> {
  const file = fileName(fileOf(name, checkOptions("readRegistration", options, "folder").folder));
  if (await missing(file)) return undefined;
  const { hash, ...content } = await readJson(file, Registration);
  if (contentHash(content) === hash) return { ...content, hash };
  const remedy = "restore it; a plan is changed in experiments.json and registered with --amend";
  throw new UserError(`${file} was edited after it was sealed: ${remedy}`);
}

/**
 * Seals an experiment's plan. A registered plan stays as it is; a changed one is sealed with a list of the changes and their
 * reason, so that they remain visible.
 *
 * @param options `amend`: why the plan was changed; `now`: the time to write.
 * @throws {UserError} without a plan, on a test of a condition that the experiment lacks, and on a changed plan without a
 * reason.
 */
export async function register(
  run: RunPlan,
  { amend, now, folder }: { readonly amend?: string | undefined; readonly now: Date } & ScenarioFolder,
): Promise<Registration> {
  const wanted = promised(run), before = await readRegistration(run.folder, { folder });
  const changed = before ? differences(bare(before), wanted, run.folder, "registered") : [];
  if (before && changed.length === 0) return before;
  if (before && amend === undefined) throw changedPlan(run.folder, changed, "register it with --amend REASON");
  const earlier = before ? [...before.earlier, { hash: before.hash, at: before.at, changed, why: amend! }] : [];
  const content = { schema: "registration/1" as const, at: now.toISOString(), ...wanted, earlier };
  const sealed = { ...content, hash: contentHash(content) };
  await writeAtomically(fileName(fileOf(run.folder, folder)), `${JSON.stringify(sealed, null, 2)}\n`);
  return sealed;
}

const changedPlan = (name: string, changed: readonly string[], remedy: string): UserError =>
  new UserError(`${name} is not the plan that was registered; ${remedy}.\n  ${changed.join("\n  ")}`);

/**
 * The hash under which a planned experiment may be run.
 *
 * @throws {UserError} where it is not registered, was edited, or is to be run otherwise than registered, naming what differs.
 */
export async function sealedHash(
  run: RunPlan,
  { seed, replicates, folder }: { readonly seed: number; readonly replicates: number } & ScenarioFolder,
): Promise<string> {
  const { folder: name } = run, found = await readRegistration(name, { folder });
  if (found === undefined) {
    throw new UserError(`${name} has a plan that is not registered: deno task register ${name}, then run it`);
  }
  const wanted = promised({ ...run, replicates });
  const changed = differences(bare(found), { ...wanted, plan: { ...wanted.plan, seed } }, name, "registered");
  if (changed.length === 0) return found.hash;
  throw changedPlan(name, changed, "run it as registered, change it with --amend, or run its conditions ad hoc");
}
