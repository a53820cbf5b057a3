import { z } from "zod";
import { Role, ROLES } from "../schema/scenario.ts";
import {
  NONE,
  NOT_PUBLISHED,
  PublishedFlag,
  PublishedFlagOrUnknown,
  publishedNumber,
  PublishedScenarioId,
  PublishedText,
} from "./published_cell.ts";

/** λ̂ of IM-01 for one model, role setting and temperature (deliberation paper, Table S6). */
export const PublishedCrossModelRow = z.strictObject({
  provider: PublishedText.describe("as printed; Baseline for the model of the uniform runs"),
  model: PublishedText.describe("as printed"),
  roles: PublishedFlag,
  temperature: publishedNumber(z.number().min(0)),
  lambda: publishedNumber(z.number()).describe("nats per round"),
  n: publishedNumber(z.int().min(0)).describe("runs"),
});
export type PublishedCrossModelRow = z.infer<typeof PublishedCrossModelRow>;

/** One effect of the deliberation paper's file manifest (Table S2), and where it is to be found here. */
export const PublishedEffectFileRow = z.strictObject({
  effect: PublishedText.describe("as printed"),
  printed_file: PublishedText.describe("the authors' file as printed, cut off where the page cuts it off"),
  conditions: PublishedText.transform((text) => text.split("; "))
    .describe("our ledgers' stems; {scenario} and {variant} stand for each of them"),
  notebook: PublishedText.transform((text) => text === NONE ? null : text)
    .describe("ours that shows the effect, from notebooks/; null: none yet"),
});
export type PublishedEffectFileRow = z.infer<typeof PublishedEffectFileRow>;

/** What the deliberation paper's artifacts can tell of one cause of a missing run (Table S3). */
export const PublishedFailureSourceRow = z.strictObject({
  failure_source: PublishedText.describe("as printed"),
  status: z.enum(["Known", "Partially known", "Unknown"]),
  notes: PublishedText.describe("in our words"),
});
export type PublishedFailureSourceRow = z.infer<typeof PublishedFailureSourceRow>;

/** One row of the deliberation paper's full table of IM-01 (Table S5); names as printed there. */
export const PublishedIm01Row = z.strictObject({
  experiment: z.enum(["temperature", "semantic", "ablation"]),
  condition: PublishedText.describe("as printed"),
  temperature: publishedNumber(z.number().min(0)),
  roles: PublishedFlag,
  ablated: z.enum([...ROLES, "none"]),
  lambda: publishedNumber(z.number()).describe("nats per round"),
  flip_rate: publishedNumber(z.number().min(0).max(1)).describe("share of runs with a non-modal final decision"),
  ttm: publishedNumber(z.number().min(1)).describe("median time to majority, rounds"),
  n: publishedNumber(z.int().min(0)).describe("runs"),
});
export type PublishedIm01Row = z.infer<typeof PublishedIm01Row>;

/** λ̂ of one scenario's uniform committee by roles and temperature (deliberation paper, Table S8). */
export const PublishedLandscapeRow = z.strictObject({
  scenario: PublishedScenarioId,
  roles: PublishedFlag,
  temperature: publishedNumber(z.number().min(0)),
  lambda: publishedNumber(z.number()).describe("nats per round"),
});
export type PublishedLandscapeRow = z.infer<typeof PublishedLandscapeRow>;

/** One cell of a mixed line-up at T = 0 (deliberation paper, Fig. 4). */
export const PublishedMixedCellRow = z.strictObject({
  scenario: PublishedScenarioId,
  roles: PublishedFlag,
  lambda: publishedNumber(z.number()).describe("nats per round; the text gives HL-01's alone"),
  n: publishedNumber(z.int().min(0)).describe("runs"),
});
export type PublishedMixedCellRow = z.infer<typeof PublishedMixedCellRow>;

/** One phrasing of IM-01 and where its single run ended (deliberation paper, S4.2 and S4.3). */
export const PublishedPhrasingRow = z.strictObject({
  phrasing: PublishedText.describe("as printed"),
  how: PublishedText.describe("how it was worded, in our words"),
  decision: z.enum(["A", "B", "C"]).describe("the option to which the run converged"),
});
export type PublishedPhrasingRow = z.infer<typeof PublishedPhrasingRow>;

const Runs = publishedNumber(z.int().min(0));

/** One row of the deliberation paper's run accounting (Table S1); the condition is worded as printed. */
export const PublishedRunAccountingRow = z.strictObject({
  group: PublishedText,
  condition: PublishedText,
  target: Runs,
  realised: Runs,
  deficit: Runs.describe("target minus realised, as printed"),
});
export type PublishedRunAccountingRow = z.infer<typeof PublishedRunAccountingRow>;

const Options = z.array(PublishedText).min(2, "must name at least two options, parted by ' / '");

/** One policy scenario of the deliberation paper (Table S4); every cell as printed. */
export const PublishedScenarioRow = z.strictObject({
  id: PublishedScenarioId,
  domain: PublishedText,
  type: z.enum(["choice_ABC", "allocation"]),
  options: z.string().transform((text) => text.split(" / ")).pipe(Options).describe("labels in order"),
  question: PublishedText,
});
export type PublishedScenarioRow = z.infer<typeof PublishedScenarioRow>;

/** Which model sits in which seat of the mixed line-up (deliberation paper, Methods). */
export const PublishedSeatRow = z.strictObject({
  role: Role,
  model: PublishedText.describe("as printed"),
});
export type PublishedSeatRow = z.infer<typeof PublishedSeatRow>;

const Slope = publishedNumber(z.number());
const CHANGES = [...ROLES.map((role) => `ablate-${role}` as const), "no-roles", "k3", "k1"] as const;
const Sign = z.enum(["positive", "near zero or negative", NOT_PUBLISHED])
  .transform((sign) => sign === NOT_PUBLISHED ? undefined : sign);

/**
 * One effect drawn in the deliberation paper's Figures 2 and 3: how far a change to the full committee with roles
 * lowers λ̂. The figures' numbers are not in the text, only what it says of them.
 */
export const PublishedStatedEffectRow = z.strictObject({
  figure: z.enum(["2A", "2B", "3A", "3B"]),
  scenario: PublishedScenarioId,
  change: z.enum(CHANGES).describe("what differs from the full committee with k = 15, worded as in a condition's name"),
  fall: Slope.describe("λ̂ of the full committee less that of the changed one, nats per round"),
  low: Slope.describe("lower end of its 95 % interval"),
  high: Slope.describe("upper end"),
  sign: Sign.describe("of the fall"),
  excludes_zero: PublishedFlagOrUnknown.describe("whether the 95 % interval is said to exclude zero"),
});
export type PublishedStatedEffectRow = z.infer<typeof PublishedStatedEffectRow>;

const Switches = publishedNumber(z.number().min(0));

/** How often one role of IM-01 switches its top option (deliberation paper, Table S7). */
export const PublishedSwitchesRow = z.strictObject({
  role: Role,
  mean_switches: Switches.describe("a run"),
  sd: Switches.describe("standard deviation over agent-runs"),
  n: publishedNumber(z.int().min(0)).describe("agent-runs, pooled over six temperatures"),
});
export type PublishedSwitchesRow = z.infer<typeof PublishedSwitchesRow>;

/** One cell of the deliberation paper's 2×2 of line-up and roles (Fig. 1B). */
export const PublishedTwoRoutesRow = z.strictObject({
  scenario: PublishedText,
  lineup: z.enum(["uniform", "mixed"]),
  roles: PublishedFlag,
  lambda: publishedNumber(z.number()).describe("nats per round"),
  n: publishedNumber(z.int().min(0)).describe("realised replicates"),
});
export type PublishedTwoRoutesRow = z.infer<typeof PublishedTwoRoutesRow>;
