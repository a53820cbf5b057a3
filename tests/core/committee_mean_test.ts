import assert from "node:assert/strict";
import { committeeMean } from "@/core/committee_mean.ts";

Deno.test("committeeMean() is the mean over agents, option by option", () => {
  assert.deepEqual(committeeMean([[0.25, 0.75, 0], [0.75, 0, 0.25], [0.5, 0, 0.5]]), [0.5, 0.25, 0.25]);
  assert.deepEqual(committeeMean([[1, 0]]), [1, 0]);
});
