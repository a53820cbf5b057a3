import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Council } from "../../runs/council.ts";
import { readJson } from "../../runs/read_json.ts";
import { runExperiment } from "../../runs/run_experiment.ts";
import type { ConditionSpec } from "../../schema/condition.ts";
import { ROLES } from "../../schema/scenario.ts";
import { lyapunovSlope } from "../../stats/lyapunov_slope.ts";
import { type ConditionFacts, conditionFacts } from "./simulated_facts.ts";

/** Statements about the surrogate, written down before the runs that decide them. */
export const Predictions = z.strictObject({
  schema: z.literal("predictions/1"),
  about: z.string(),
  masterSeeds: z.array(z.int()).min(1),
  predictions: z.array(z.strictObject({
    id: z.string().regex(/^[a-z][a-z0-9-]*$/),
    statement: z.string(),
    promised: z.boolean().describe("whether it should hold for every master seed, or is reported as a share"),
  })).min(1),
});
export type Predictions = z.infer<typeof Predictions>;

const FOLDER = new URL("../../../data/predictions/", import.meta.url);
const RUNS = new URL("../../../data/out/runs/", import.meta.url);

/** The predictions on file about IM-01 and HL-01. Throws a UserError where the file is malformed. */
export async function loadPredictions(file: string | URL = new URL("surrogate.json", FOLDER)): Promise<Predictions> {
  return await readJson(file, Predictions);
}

/** The predictions on file about the twelve scenarios. Throws a UserError where the file is malformed. */
export async function loadLandscapePredictions(): Promise<Predictions> {
  return await loadPredictions(new URL("landscape.json", FOLDER));
}

/** The conditions the predictions are about. */
const CONDITIONS = {
  hlUniform: { scenario: "HL-01", roles: false },
  hlRoles: { scenario: "HL-01" },
  hlMixed: { scenario: "HL-01", roles: false, lineup: "mixed" },
  hlMixedRoles: { scenario: "HL-01", lineup: "mixed" },
  imNoRoles: { scenario: "IM-01", roles: false },
  imRoles: { scenario: "IM-01" },
  imNoChair: { scenario: "IM-01", ablate: "Chair" },
  imNoWelfare: { scenario: "IM-01", ablate: "Welfare" },
  imNoRights: { scenario: "IM-01", ablate: "Rights" },
  imNoEquity: { scenario: "IM-01", ablate: "Equity" },
  imNoSecurity: { scenario: "IM-01", ablate: "Security" },
  hlNoChair: { scenario: "HL-01", ablate: "Chair" },
  hlNoWelfare: { scenario: "HL-01", ablate: "Welfare" },
  hlNoRights: { scenario: "HL-01", ablate: "Rights" },
  hlNoEquity: { scenario: "HL-01", ablate: "Equity" },
  hlNoSecurity: { scenario: "HL-01", ablate: "Security" },
  imK3: { scenario: "IM-01", window: 3 },
  imK1: { scenario: "IM-01", window: 1 },
  imNoRolesT07: { scenario: "IM-01", roles: false, temperature: 0.7 },
  imRolesT07: { scenario: "IM-01", temperature: 0.7 },
} as const satisfies Record<string, ConditionSpec>;

export type PredictionFacts = Readonly<Record<keyof typeof CONDITIONS, ConditionFacts>>;

/** The slope of ln D over rounds 3-20 where D grows as √t: no sensitivity at all. */
const RANDOM_WALK = lyapunovSlope(Array.from({ length: 20 }, (_, i) => Math.sqrt(i + 1))).lambda!;

/** Each prediction of `data/predictions/surrogate.json` as a check; undefined where a slope it needs does not exist. */
export const PREDICTION_CHECKS: Readonly<Record<string, (facts: PredictionFacts) => boolean | undefined>> = {
  "im-roles-above": ({ imRoles, imNoRoles }) => less(imNoRoles, imRoles),
  "hl-mixed-above": ({ hlMixed, hlUniform }) => less(hlUniform, hlMixed),
  "hl-sub-additive": ({ hlUniform, hlRoles, hlMixed, hlMixedRoles }) =>
    positive(sum(hlRoles.lambda, hlMixed.lambda, minus(hlUniform.lambda), minus(hlMixedRoles.lambda))),
  "im-k1-below-k15": ({ imK1, imRoles }) => less(imK1, imRoles),
  "im-k3-below-k15": ({ imK3, imRoles }) => less(imK3, imRoles),
  "im-no-roles-settled": ({ imNoRoles }) => imNoRoles.flip <= 0.05 && imNoRoles.majority === 1,
  "im-no-chair-below": ({ imNoChair, imRoles }) => less(imNoChair, imRoles),
  "im-roles-above-t07": ({ imRolesT07, imNoRolesT07 }) => less(imNoRolesT07, imRolesT07),
  "im-roles-above-walk": ({ imRoles }) => positive(sum(imRoles.lambda, -RANDOM_WALK)),
  "hl-roles-above": ({ hlRoles, hlUniform }) => less(hlUniform, hlRoles),
  "im-no-chair-slower": ({ imNoChair, imRoles }) => imNoChair.majority > imRoles.majority,
  "im-no-chair-deadlocked": ({ imNoChair, imRoles }) => imNoChair.majority >= 8 && imRoles.majority <= 3,
  "im-ends-on-a-or-b": ({ imRoles: { endings: { A = 0, B = 0, C = 0 } } }) => A >= 0.25 && B >= 0.25 && C <= 0.05,
  "im-flips-with-heat": ({ imRolesT07, imNoRolesT07 }) => imRolesT07.flip >= 0.25 && imNoRolesT07.flip <= 0.05,
  "im-flat-with-heat": ({ imRoles, imRolesT07 }) => {
    const change = sum(imRolesT07.lambda, minus(imRoles.lambda));
    return change === undefined ? undefined : Math.abs(change) <= 0.03;
  },
  "hl-chair-lowers": ({ hlNoChair, hlRoles }) => less(hlNoChair, hlRoles),
  "hl-no-chair-largest": ({ hlNoChair, hlNoWelfare, hlNoRights, hlNoEquity, hlNoSecurity }) =>
    all([hlNoWelfare, hlNoRights, hlNoEquity, hlNoSecurity].map((other) => less(hlNoChair, other))),
  "im-chair-switches-most": ({ imRoles: { switches } }) =>
    switches.every((count, seat) => ROLES[seat] === "Chair" || count < switches[ROLES.indexOf("Chair")]!),
  "im-no-chair-largest": ({ imNoChair, imNoWelfare, imNoRights, imNoEquity, imNoSecurity }) =>
    all([imNoWelfare, imNoRights, imNoEquity, imNoSecurity].map((other) => less(imNoChair, other))),
  "im-k1-below-k3": ({ imK1, imK3 }) => less(imK1, imK3),
  "im-no-roles-positive": ({ imNoRoles }) => positive(imNoRoles.lambda),
};

/** Runs every condition that the predictions speak of under one master seed, into ledgers of their own. */
export async function predictionFacts(
  { council, seed, replicates = 20 }: { council: Council; seed: number; replicates?: number },
): Promise<PredictionFacts> {
  const out = fileURLToPath(new URL(`predictions-${seed}`, RUNS));
  const settings = { council, seed, replicates, out, fresh: "if-changed" } as const;
  const conditions = await runExperiment(Object.values(CONDITIONS), settings);
  const facts = Object.keys(CONDITIONS).map((name, i) => [name, conditionFacts(conditions[i]!.runs)]);
  return Object.fromEntries(facts) as PredictionFacts;
}

const less = (a: ConditionFacts, b: ConditionFacts) => positive(sum(b.lambda, minus(a.lambda)));
const minus = (value: number | undefined) => value === undefined ? undefined : -value;
const positive = (value: number | undefined) => value === undefined ? undefined : value > 0;
const sum = (...values: (number | undefined)[]) =>
  values.reduce((total, value) => total === undefined || value === undefined ? undefined : total + value, 0);
const all = (values: (boolean | undefined)[]) => values.includes(undefined) ? undefined : values.every(Boolean);
