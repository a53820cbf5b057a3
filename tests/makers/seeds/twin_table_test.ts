import assert from "node:assert/strict";
import { keptTable, TwinTable } from "../kept_tables.ts";
import { twinMechanism, twinPlan, TWINS, twinsUnder } from "./twin_table.ts";

Deno.test("the table of twins was made by the surrogate as it is: its hash and one row made again", async () => {
  const { mechanism, rows } = await keptTable("surrogate/twins.json", TwinTable);
  assert.equal(mechanism, await twinMechanism(), "stale: run deno task dev seeds twins");
  const { scenario, roles, seed } = rows.at(-2)!;
  assert.deepEqual((await twinsUnder({ scenario, roles }, seed!)).row, rows.at(-2));
});

Deno.test("the table of twins has every scenario with and without roles under every master seed, and all seeds together", async () => {
  const { rows } = await keptTable("surrogate/twins.json", TwinTable);
  const conditions = Map.groupBy(rows, ({ scenario, roles }) => `${scenario} ${roles}`);
  assert.equal(conditions.size, (await twinPlan()).length);
  for (const [name, of] of conditions) {
    const [together, ...rest] = of.toReversed();
    assert.deepEqual(of.map(({ seed }) => seed), [...TWINS.seeds, undefined], name);
    assert.equal(together!.pairs, rest.reduce((sum, { pairs }) => sum + pairs, 0));
    for (const { pairs, unmoved, flagged } of rest) assert.ok(pairs + unmoved + flagged <= TWINS.replicates);
  }
});
