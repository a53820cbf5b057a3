import assert from "node:assert/strict";
import { PREDICTIONS } from "@/lab/paper/kept_tables.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import { STAGE_ONE_KNOBS } from "./fit.ts";

Deno.test("the refits on file are of every fitted number, and begin with the committed ones", async () => {
  const { losses, parameters: refitted } = PREDICTIONS.refits;
  const committed = await loadSurrogateParameters();
  assert.deepEqual(refitted.map(({ name }) => name), STAGE_ONE_KNOBS.map(({ name }) => name));
  refitted.forEach(({ values, name }, i) => {
    assert.equal(values.length, losses.length, name);
    assert.equal(values[0], Number(STAGE_ONE_KNOBS[i]!.get(committed).toPrecision(4)), name);
  });
});
