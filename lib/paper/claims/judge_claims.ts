import { loadDeliberationEvidence } from "../published_deliberation.ts";
import { loadStationTables } from "../published_station.ts";
import { type Criterion, evaluateClaims, type JudgedClaim, loadClaims } from "./claims.ts";
import { DELIBERATION_QUANTITIES } from "./deliberation.ts";
import { STATION_QUANTITIES } from "./station.ts";

/** A reader's own criteria, by the id of the claim: `{ "chair-dominant": { supported: { nextShare: { atMost: 0.6 } } } }`. */
export type Criteria = Readonly<Record<string, Criterion>>;

/**
 * Every statement of a paper that is checked, with the numbers that its tables print and the verdict that they give.
 *
 * @param options `criteria`: bounds to judge by instead of ours (those in `data/claims/`). A bound is `above`, `atLeast`,
 * `below`, `atMost` or `is`, of a number or of another quantity of that claim.
 * @returns the paper's title and its claims, each with its verdict.
 * @throws {UserError} on a claim or quantity that does not exist (naming the nearest); when a file is malformed.
 *
 * @example A softer criterion turns a verdict
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const verdict = async (criteria?: Criteria) =>
 *   (await judgeClaims("deliberation", { criteria })).claims.find(({ id }) => id === "chair-dominant")!.verdict;
 * assert.equal(await verdict(), "contradicted"); // Equity's fall, too, is more than half of what all mandates do
 * assert.equal(await verdict({ "chair-dominant": { supported: { nextShare: { atMost: 0.6 } } } }), "supported");
 * ```
 */
export async function judgeClaims(
  paper: "deliberation" | "station",
  { criteria }: { criteria?: Criteria | undefined } = {},
): Promise<{ paper: string; claims: JudgedClaim[] }> {
  const { paper: title, claims } = await loadClaims(paper);
  const judged = paper === "deliberation"
    ? evaluateClaims(claims, DELIBERATION_QUANTITIES, { published: await loadDeliberationEvidence(), criteria })
    : evaluateClaims(claims, STATION_QUANTITIES, { published: await loadStationTables(), criteria });
  return { paper: title, claims: judged };
}
