import assert from "node:assert/strict";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import table from "../../../data/surrogate/readings.json" with { type: "json" };
import { alternativeParameters, ALTERNATIVES, READINGS, readingsMechanism, readingsRow } from "./readings_table.ts";

Deno.test("the table of readings was made by the surrogate as it is, and has a row for every alternative", async () => {
  assert.equal(table.mechanism, await readingsMechanism(), "stale: run deno task dev seeds readings");
  assert.deepEqual(table.rows.map(({ name }) => name), ALTERNATIVES.map(({ name }) => name));
});

Deno.test("the last alternative is the surrogate on file; the others differ from it", async () => {
  const onFile = await loadSurrogateParameters();
  assert.deepEqual(await alternativeParameters(ALTERNATIVES.at(-1)!), onFile);
  for (const one of ALTERNATIVES.slice(0, -1)) assert.notDeepEqual(await alternativeParameters(one), onFile, one.name);
});

Deno.test("over other seeds the surrogate on file starts low and ends in the order of Figure 1A's caption", async () => {
  const row = await readingsRow(ALTERNATIVES.at(-1)!, { ...READINGS, from: 301, to: 312, resamples: 50 });
  assert.ok(row.D1 <= 0.03, `D(1) is ${row.D1}`);
  // Of twelve seeds at least ten, where the table has all of a hundred.
  assert.ok(row.rolesAbove >= 10 / 12 && row.mixedAbove >= 10 / 12);
  assert.ok(row.carried <= 0.02, `${row.carried}`);
});
