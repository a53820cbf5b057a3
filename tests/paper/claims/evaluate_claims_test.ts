import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { evaluateClaims } from "@/paper/claims/evaluate_claims.ts";

const claim = (id: string, check?: string) => ({
  ...{ id, section: "1", claim: `claim ${id}` },
  ...(check === undefined ? { missing: "traces" } : { check, criterion: "n", needs: ["a.csv"] }),
});

const checks = {
  positive: (n: number) => ({ holds: n > 0, evidence: `${n} found.` }),
  open: (n: number) => ({ holds: undefined, evidence: `${n} does not decide.` }),
};

Deno.test("a claim keeps what it says and gains verdict and evidence; without a check it has none", () => {
  const results = evaluateClaims([claim("a", "positive"), claim("b", "open"), claim("c")], { checks, published: 3 });
  assert.deepEqual(results, [
    {
      ...{ id: "a", section: "1", claim: "claim a", criterion: "n" },
      ...{ verdict: "supported", evidence: "3 found." },
    },
    {
      ...{ id: "b", section: "1", claim: "claim b", criterion: "n" },
      ...{ verdict: "not-checkable", evidence: "3 does not decide." },
    },
    { id: "c", section: "1", claim: "claim c", missing: "traces", verdict: "not-checkable" },
  ]);
  assert.equal(evaluateClaims([claim("a", "positive")], { checks, published: -1 })[0]!.verdict, "contradicted");
});

Deno.test("a check that does not exist is named with the nearest, and a name of every object is no check", () => {
  for (
    const [name, offer] of [["postive", /did you mean positive/], ["toString", /unknown check "toString"/]] as const
  ) {
    assert.throws(
      () => evaluateClaims([claim("a", name)], { checks, published: 1 }),
      (error) => error instanceof UserError && offer.test(error.message),
    );
  }
});
