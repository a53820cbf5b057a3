import assert from "node:assert/strict";
import { claimRows } from "@/paper/claims/claim_rows.ts";
import type { EvaluatedClaim } from "@/paper/claims/evaluate_claims.ts";

const CLAIMS: readonly EvaluatedClaim[] = [
  {
    id: "a",
    section: "1",
    claim: "A.",
    criterion: "n > 0",
    verdict: "supported",
    evidence: "3 found.",
    missing: "more",
  },
  { id: "b", section: "2", claim: "B.", verdict: "not-checkable", missing: "traces" },
  { id: "c", section: "3", claim: "C.", criterion: "n > 5", verdict: "contradicted", evidence: "3 found." },
  { id: "d", section: "4", claim: "D.", criterion: "n", verdict: "supported", evidence: "1 found." },
];

Deno.test("what is missing is asked for where the verdict is open, and nowhere else", () => {
  assert.deepEqual(claimRows(CLAIMS).map((row) => row["would be needed"]), [undefined, "traces", undefined, undefined]);
  assert.deepEqual(claimRows(CLAIMS, { verdict: "contradicted" }).map(({ claim }) => claim), ["C."]);
});
