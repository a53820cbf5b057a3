import { z } from "zod";
import { readJson } from "../../runs/read_json.ts";
import { loadCrossModel, loadIm01, loadLandscape } from "../published_deliberation.ts";
import { groupScore, heldOutSlopes, type ScoreGroup, type Scores } from "./scores.ts";
import { SPLIT } from "./split.ts";

/** One group's score, in the order of `SPLIT`. */
export interface ScoreTableRow {
  readonly group: ScoreGroup | "all held-out λ̂";
  readonly side: "trained" | "held out";
  /** How many published numbers. */
  readonly n: number;
  /** Of these inside our 95 % interval of one ensemble, and inside one √2 wider. */
  readonly inside: number;
  readonly insideWide: number;
  /** Root mean square error in the group's unit. */
  readonly rmse: number;
  /** Spearman's rank correlation; absent where it has none. */
  readonly rank?: number;
}

/** Scores by group, and of the 45 held-out λ̂ together. */
export function scoreTable({ rows }: Scores): ScoreTableRow[] {
  const groups: (readonly [ScoreTableRow["group"], ScoreTableRow["side"]])[] = [
    ...Object.keys(SPLIT.trained).map((group) => [group as ScoreGroup, "trained"] as const),
    ...Object.keys(SPLIT.heldOut).map((group) => [group as ScoreGroup, "held out"] as const),
  ];
  const table = groups.flatMap(([group, side]) => {
    const of = rows.filter((row) => row.group === group);
    return of.length === 0 ? [] : [{ group, side, ...rounded(groupScore(of)) }];
  });
  return [...table, { group: "all held-out λ̂", side: "held out", ...rounded(groupScore(heldOutSlopes(rows))) }];
}

function rounded({ rmse = 0, rank, ...counts }: ReturnType<typeof groupScore>) {
  return { ...counts, rmse: Number(rmse.toFixed(4)), ...(rank !== undefined && { rank: Number(rank.toFixed(2)) }) };
}

/** Scores of the mechanism before this one, made by its own code. */
export const EarlierScores = z.strictObject({
  schema: z.literal("surrogate-scores/1"),
  about: z.string(),
  made: z.strictObject({
    by: z.string().describe("which code, parameters and seed"),
    ensembles: z.int().min(2),
  }),
  table: z.array(z.strictObject({
    group: z.string(),
    side: z.string(),
    n: z.int(),
    inside: z.int(),
    insideWide: z.int(),
    rmse: z.number(),
    rank: z.number().optional(),
  })),
  signs: z.array(z.strictObject({ group: z.string(), statement: z.string(), share: z.number() })),
  figures: z.record(z.string(), z.number()).describe("single numbers that are spoken of"),
});
export type EarlierScores = z.infer<typeof EarlierScores>;

/** What the mechanism before this one scored, `data/predictions/earlier_mechanism.json`. */
export async function loadEarlierScores(): Promise<EarlierScores> {
  return await readJson(new URL("../../../data/predictions/earlier_mechanism.json", import.meta.url), EarlierScores);
}

/** One held-out λ̂ and the published number at T = 0 that stands for it where nothing else is known. */
export interface PersistenceRow {
  readonly condition: string;
  readonly published: number;
  readonly measured: number;
}

/**
 * The yardstick of the 45 held-out λ̂: the paper's own number of the same committee at T = 0 as the prediction. It needs
 * no mechanism, so a surrogate that does no better has learnt no more than that temperature matters little.
 */
export async function persistence(): Promise<PersistenceRow[]> {
  const [landscape, models, im01] = await Promise.all([loadLandscape(), loadCrossModel(), loadIm01()]);
  const cold = (roles: boolean) =>
    im01.find((row) => row.experiment === "temperature" && row.temperature === 0 && row.roles === roles)!.lambda!;
  return [
    ...landscape.filter(({ temperature }) => temperature === 0.1).map(({ scenario, roles, lambda }) => ({
      condition: `${scenario}, roles ${roles ? "on" : "off"}`,
      published: lambda!,
      measured: landscape.find((row) => row.scenario === scenario && row.roles === roles && row.temperature === 0)!
        .lambda!,
    })),
    ...models.filter(({ temperature, provider }) => temperature === 0.1 && provider !== "Baseline").map(
      ({ model, roles, lambda }) => ({
        condition: `${model}, roles ${roles ? "on" : "off"}`,
        published: lambda!,
        measured: models.find((row) => row.model === model && row.roles === roles && row.temperature === 0)!.lambda!,
      }),
    ),
    ...im01.filter(({ experiment, temperature }) =>
      experiment === "temperature" && temperature !== 0 && temperature !== 0.1
    ).map(({ condition, roles, lambda }) => ({
      condition: `${condition}, roles ${roles ? "on" : "off"}`,
      published: lambda!,
      measured: cold(roles),
    })),
    ...im01.filter(({ experiment }) => experiment === "semantic").map(({ condition, lambda }) => ({
      condition,
      published: lambda!,
      measured: cold(true),
    })),
  ];
}

/** Scores that were expected, written down before the held-out numbers were looked at. */
export const ExpectedScores = z.strictObject({
  schema: z.literal("expected-scores/1"),
  about: z.string(),
  variant: z.string().describe("the equations and parameters that are meant"),
  expected: z.array(z.strictObject({
    group: z.string().describe("as in split.ts, or the 45 held-out slopes together"),
    insideWide: z.tuple([z.int().min(0), z.int().min(0)]).describe(
      "how many published values inside the interval √2 wider, from and to",
    ),
    rmse: z.number().min(0).optional().describe("at most, in the group's unit"),
  })),
});
export type ExpectedScores = z.infer<typeof ExpectedScores>;

/** What was expected of the held-out groups, `data/predictions/expected_scores.json`. */
export async function loadExpectedScores(): Promise<ExpectedScores> {
  return await readJson(new URL("../../../data/predictions/expected_scores.json", import.meta.url), ExpectedScores);
}

/** An expected score beside the found one. */
export interface ExpectationRow {
  readonly group: string;
  readonly n: number;
  readonly expected: string;
  readonly found: string;
  readonly met: boolean;
}

/** Expected scores beside found ones. Throws a RangeError where a group has no score. */
export function judgeExpected({ expected }: ExpectedScores, table: readonly ScoreTableRow[]): ExpectationRow[] {
  return expected.map(({ group, insideWide: [from, to], rmse }) => {
    const found = table.find((row) => row.group === group);
    if (found === undefined) throw new RangeError(`expected scores speak of "${group}", which is no group of split.ts`);
    const count = from === to ? `${from}` : `${from} to ${to}`;
    return {
      ...{ group, n: found.n },
      expected: rmse === undefined ? count : `${count}, error at most ${rmse}`,
      found: rmse === undefined ? `${found.insideWide}` : `${found.insideWide}, error ${found.rmse}`,
      met: from <= found.insideWide && found.insideWide <= to && (rmse === undefined || found.rmse <= rmse),
    };
  });
}
