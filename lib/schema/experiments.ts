import { z } from "zod";
import { ConditionSpec } from "./condition.ts";
import { Name } from "./providers.ts";
import { Switches } from "./station_event.ts";
import { RoleModels } from "./station_ids.ts";
import { UntilSpec } from "./until.ts";

/** A field, or a list of what it takes in turn. */
const Each = z.preprocess((value) => Array.isArray(value) ? value : [value], z.array(z.unknown()).min(1));

/**
 * The combinations of fields that may hold lists: each field takes its alternatives in turn, the last varying fastest.
 *
 * @throws {RangeError} on an empty list, naming the field: it leaves nothing to run.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const grid = combinations({ scenario: "HL-01", roles: [true, false], window: [3, 1] });
 * assert.deepEqual(grid.map(({ roles, window }) => [roles, window]), [[true, 3], [true, 1], [false, 3], [false, 1]]);
 * ```
 */
export function combinations(grid: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  return Object.entries(grid).reduce<Record<string, unknown>[]>((made, [name, value]) => {
    const alternatives: unknown[] = Array.isArray(value) ? value : [value];
    if (alternatives.length === 0) throw new RangeError(`${name} holds an empty list: give at least one value`);
    return made.flatMap((one) => alternatives.map((value) => ({ ...one, [name]: value })));
  }, [{}]);
}

/** Conditions as experiments declare them: a list in a field means alternatives, always. */

const ConditionGrid = z.record(z.string(), Each).transform((fields, context): ConditionSpec[] =>
  combinations(fields).flatMap((combination) => {
    const spec = ConditionSpec.safeParse(combination);
    // As declared where a committee has defaults of its own, which are seen when it is read.
    if (spec.success) return [spec.data.committee === undefined ? spec.data : combination as ConditionSpec];
    for (const { path, message } of spec.error.issues) {
      context.issues.push({ code: "custom", path, message, input: combination });
    }
    return [];
  })
);

/** Continuations of every run of an experiment, each run being a base state (S3 of the paper). */
export type Branch = {
  /** The last round that all continuations share. */
  round: number;
  /** Of each base state, K. */
  continuations: number;
};
const Branch: z.ZodType<Branch> = z.strictObject({ round: z.int().min(1), continuations: z.int().min(2) });

/** A plan: the claims made before the first run, and the tests that will judge them. */
export type Plan = {
  seed: number;
  /** Of all tests together, by Holm. */
  alpha: number;
  /** In words. */
  exclusion: string;
  /** Complete runs of a condition; with fewer its tests are not judged. */
  least: number;
  window: { from: number; to: number };
  resamples: number;
  /** Of λ̂, studentised, two-sided: `higher` and `lower` are conditions as their ledgers are named. */
  tests: { name: string; hypothesis: string; test: "slope-difference"; higher: string; lower: string }[];
};
export const Plan: z.ZodType<Plan> = z.strictObject({
  seed: z.int(),
  alpha: z.number().gt(0).lt(1),
  exclusion: z.string().min(1),
  least: z.int().min(3),
  window: z.strictObject({ from: z.int().min(1), to: z.int().min(3) }),
  resamples: z.int().min(1),
  tests: z.array(z.strictObject({
    name: z.string().min(1),
    hypothesis: z.string().min(1),
    test: z.literal("slope-difference"),
    higher: z.string(),
    lower: z.string(),
  })).min(1),
});

export type Experiment = {
  title: string;
  /** The figure or table of the paper that it stands for. */
  shows: string;
  replicates: number;
  conditions: ConditionSpec[];
  branch?: Branch | undefined;
  /** Must be registered before the experiment is run. */
  plan?: Plan | undefined;
  /** When the runs of a condition may end early. */
  until?: UntilSpec | undefined;
};
const Experiment: z.ZodType<Experiment> = z.strictObject({
  title: z.string().min(1),
  shows: z.string().min(1),
  replicates: z.int().min(1),
  conditions: z.array(ConditionGrid).min(1).transform((grids) => grids.flat()),
  branch: Branch.optional(),
  plan: Plan.optional(),
  until: UntilSpec.optional(),
});

const Ruleset = z.union([z.enum(["v1", "v2"]), Switches]);

/** A council by name, or one whose roles are asked of different models or played by different personas. */
export type CouncilEntry = string | { label: string; models: RoleModels };
export const CouncilEntry: z.ZodType<CouncilEntry> = z.union([
  z.string().min(1),
  z.strictObject({ label: z.string().min(1), models: RoleModels }),
]);

export type StationExperiment = {
  title: string;
  shows: string;
  /** Named sets are in mosaic-9.json. */
  seeds: "panel" | "heldOut" | number[];
  /** None, a persona, live:MODEL, or a model or persona by role. */
  councils: CouncilEntry[];
  rulesets: ("v1" | "v2" | Switches)[];
};
const StationExperiment: z.ZodType<StationExperiment> = z.strictObject({
  title: z.string().min(1),
  shows: z.string().min(1),
  seeds: z.union([z.enum(["panel", "heldOut"]), z.array(z.int()).min(1)]),
  councils: z.array(CouncilEntry).min(1),
  rulesets: z.array(Ruleset).min(1),
});

const StationName = z.string().regex(/^station-[a-z0-9-]+$/, "must begin with station-");

/** Experiments by name: data, so that a new one needs no code. */
export type Experiments = {
  schema: "experiments/1";
  station: Record<string, StationExperiment>;
  experiments: Record<string, Experiment>;
};
export const Experiments: z.ZodType<Experiments> = z.strictObject({
  schema: z.literal("experiments/1"),
  station: z.record(StationName, StationExperiment).default({}),
  experiments: z.record(Name, Experiment),
});
