import { UserError } from "../core/user_error.ts";
import type { PublishedIm01Row } from "../schema/published_im01.ts";
import { type Role, ROLES } from "../schema/role.ts";

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
 * import { loadIm01 } from "../storage/published_deliberation.ts";
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
