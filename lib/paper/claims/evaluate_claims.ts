import { unknownName } from "../../core/nearest.ts";
import type { Claim } from "./claim_file.ts";

/** What a check found. */
export interface Finding {
  /** Whether the claim holds by its criterion; undefined: what is published does not decide it. */
  readonly holds: boolean | undefined;
  /** A sentence with the numbers that the finding rests on. */
  readonly evidence: string;
}

/** What decides claims, each from what is published alone, by the names that the claims use. */
export type Checks<Published> = Readonly<Record<string, (published: Published) => Finding>>;

/** Where a claim stands: what is published bears it out, speaks against it, or does not decide it. */
export type ClaimVerdict = "supported" | "contradicted" | "not-checkable";

/** A claim with its verdict. */
export interface EvaluatedClaim extends Omit<Claim, "check" | "needs"> {
  readonly verdict: ClaimVerdict;
  /** The check's sentence; absent where there is no check. */
  readonly evidence?: string;
}

/**
 * Every claim with its verdict and the numbers behind it, in the order given.
 *
 * A verdict is about a statement and the numbers printed beside it, by a criterion that we chose and that stands with
 * the claim: `supported` does not make a statement true, `contradicted` says that the paper's own numbers speak against
 * it under that criterion. What nothing published decides is `not-checkable`, never either of the two.
 *
 * @param checks by the names that the claims use.
 * @param published handed to each check.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const claims = [
 *   { id: "all-six", section: "1", claim: "All six hold.", criterion: "six", check: "six", needs: ["table.csv"] },
 *   { id: "why", section: "2", claim: "They hold for a reason.", missing: "the traces" },
 * ];
 * const six = (held: number) => ({ holds: held === 6, evidence: `${held} of 6 hold.` });
 * const verdicts = evaluateClaims(claims, { checks: { six }, published: 5 }).map(({ verdict }) => verdict);
 * assert.deepEqual(verdicts, ["contradicted", "not-checkable"]);
 * ```
 * @throws {UserError} on a check that is not among `checks` (naming the nearest).
 */
export function evaluateClaims<Published>(
  claims: readonly Claim[],
  { checks, published }: { checks: Checks<Published>; published: Published },
): EvaluatedClaim[] {
  return claims.map(({ check, needs: _, ...claim }) => {
    if (check === undefined) return { ...claim, verdict: "not-checkable" };
    if (!Object.hasOwn(checks, check)) throw unknownName("check", check, Object.keys(checks));
    const { holds, evidence } = checks[check]!(published);
    return { ...claim, verdict: verdictOf(holds), evidence };
  });
}

function verdictOf(holds: boolean | undefined): ClaimVerdict {
  if (holds === undefined) return "not-checkable";
  return holds ? "supported" : "contradicted";
}
