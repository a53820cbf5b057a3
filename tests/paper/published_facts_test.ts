import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { factBound } from "@/paper/published_facts.ts";

const fact = (id: string, bounds: { low?: number; high?: number }) => ({
  ...{ id, value: undefined, low: undefined, high: undefined, unit: "u", statement: "s", source: "1" },
  ...bounds,
});
const FACTS = [fact("both", { low: 0, high: 2 }), fact("one-sided", { high: 0.02 }), fact("words", {})];

Deno.test("factBound() gives the end that is asked for, also where it is 0", () => {
  assert.equal(factBound(FACTS, "both", "low"), 0);
  assert.equal(factBound(FACTS, "both", "high"), 2);
  assert.equal(factBound(FACTS, "one-sided", "high"), 0.02);
});

Deno.test("factBound() refuses an end that is not printed, and a fact that is not there, with the nearest", () => {
  const says = (part: RegExp) => (error: unknown) => error instanceof UserError && part.test(error.message);
  assert.throws(() => factBound(FACTS, "one-sided", "low"), says(/the published fact one-sided has no low end/));
  assert.throws(() => factBound(FACTS, "words", "high"), says(/the published fact words has no high end/));
  assert.throws(() => factBound(FACTS, "bth", "low"), says(/did you mean both/));
});
