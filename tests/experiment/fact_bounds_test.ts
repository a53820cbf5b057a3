import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { factBounds } from "@/experiment/fact_bounds.ts";

const fact = (id: string, bounds: { low?: number; high?: number }) => ({
  ...{ id, value: undefined, low: undefined, high: undefined, unit: "u", statement: "s", source: "1" },
  ...bounds,
});
const FACTS = [fact("both", { low: 0, high: 2 }), fact("one-sided", { high: 0.02 }), fact("words", {})];

Deno.test("factBounds() gives both ends, or the one that is printed", () => {
  assert.deepEqual(factBounds(FACTS, "both"), { low: 0, high: 2 });
  assert.deepEqual(factBounds(FACTS, "one-sided"), { low: undefined, high: 0.02 });
});

Deno.test("factBounds() refuses a fact in words alone, and one that is not there, with the nearest", () => {
  const says = (part: RegExp) => (error: unknown) => error instanceof UserError && part.test(error.message);
  assert.throws(() => factBounds(FACTS, "words"), says(/the published fact words has no bounds/));
  assert.throws(() => factBounds(FACTS, "bth"), says(/did you mean both/));
});
