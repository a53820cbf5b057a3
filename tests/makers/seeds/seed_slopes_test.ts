import assert from "node:assert/strict";
import { keptTable, SeedSlopes } from "../kept_tables.ts";
import { mechanismHash, seedConditions, seedSlope } from "./seed_slopes.ts";

Deno.test("the table of seeds was made by the surrogate as it is: its hash and two rows run again", async () => {
  const { mechanism, rows, replicates } = await keptTable("surrogate/seed_slopes.json", SeedSlopes);
  assert.equal(mechanism, await mechanismHash(), "stale: run deno task dev seeds");
  for (const { scenario, lineup, roles, ablate, seed, ...expected } of [rows[0]!, rows.at(-1)!]) {
    const { runs, lambda, D1, D3, D20 } = await seedSlope(
      { scenario, lineup, roles, ...(ablate !== undefined && { ablate: ablate as "Chair" }) },
      seed,
      replicates,
    );
    assert.deepEqual({ runs, lambda, D1, D3, D20 }, expected);
  }
});

Deno.test("the table of seeds has 50 seeds of HL-01's 2 × 2 and of the ablations, 20 of the landscape, none twice", async () => {
  const { rows } = await keptTable("surrogate/seed_slopes.json", SeedSlopes);
  const conditions = await seedConditions();
  assert.equal(rows.length, conditions.reduce((sum, { seeds }) => sum + seeds, 0));
  const routes = rows.filter(({ scenario, ablate }) => scenario === "HL-01" && ablate === undefined);
  assert.equal(routes.length, 4 * 50);
  const keys = rows.map(({ scenario, lineup, roles, ablate, seed }) => [scenario, lineup, roles, ablate, seed].join());
  assert.equal(new Set(keys).size, rows.length);
});
