import type { ClaimVerdict, EvaluatedClaim } from "./evaluate_claims.ts";

/** How a verdict is worded for readers. */
const WORDS: Readonly<Record<ClaimVerdict, string>> = {
  supported: "supported",
  contradicted: "contradicted",
  "not-checkable": "not checkable",
};

/** A claim as a row of a table. */
interface ClaimRow {
  readonly claim: string;
  readonly section: string;
  readonly "counts as supported when": string | undefined;
  readonly verdict: string;
  readonly evidence: string | undefined;
  /** Given where the verdict is open. */
  readonly "would be needed": string | undefined;
  readonly [column: string]: string | undefined;
}

/**
 * Evaluated claims of any paper as rows for `table`, in their order.
 *
 * @param options `verdict`: only claims with this one; default all.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * const open = { id: "why", section: "2", claim: "For a reason.", verdict: "not-checkable", missing: "traces" } as const;
 * assert.deepEqual(claimRows([open], { verdict: "supported" }), []);
 * assert.equal(claimRows([open])[0]!["would be needed"], "traces");
 * ```
 */
export function claimRows(
  claims: readonly EvaluatedClaim[],
  { verdict }: { verdict?: ClaimVerdict | undefined } = {},
): ClaimRow[] {
  const chosen = claims.filter((claim) => verdict === undefined || claim.verdict === verdict);
  return chosen.map(({ claim, section, criterion, verdict, evidence, missing }) => ({
    claim,
    section,
    "counts as supported when": criterion,
    verdict: WORDS[verdict],
    evidence,
    "would be needed": verdict === "not-checkable" ? missing : undefined,
  }));
}
