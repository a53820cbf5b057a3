import assert from "node:assert/strict";
import { keptTable, StabilityTable } from "../kept_tables.ts";
import { outcomes, STABILITY, stabilityMechanism, stabilityRow, stabilitySeeds } from "./stability_table.ts";

Deno.test("the table of stability was made by the station as it is: its hash and one row made again", async () => {
  const { mechanism, rows } = await keptTable("surrogate/stability.json", StabilityTable);
  assert.equal(mechanism, await stabilityMechanism(), "stale: run deno task dev seeds stability");
  const row = rows.find(({ share, block }) => share === 1 && block === 0)!;
  const of = await outcomes(row.council, 1, stabilitySeeds()[0]!);
  assert.deepEqual(stabilityRow({ council: row.council, share: 1, block: 0 }, of, of), row);
});

Deno.test("the table of stability has every council, share and block, and all blocks together, none twice", async () => {
  const { rows, seeds } = await keptTable("surrogate/stability.json", StabilityTable);
  const { councils, shares, blocks } = STABILITY;
  const keys = new Set(rows.map(({ council, share, block }) => `${council} ${share} ${block}`));
  assert.deepEqual([rows.length, keys.size], new Array(2).fill(councils.length * shares.length * (blocks + 1)));
  assert.equal(new Set(stabilitySeeds().flat()).size, seeds);
});
