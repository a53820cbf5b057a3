import assert from "node:assert/strict";
import { AblationTable, keptTable } from "../kept_tables.ts";
import { ablateRole, roleEffect } from "@/lab/runs/ablate_station.ts";
import { collectStation } from "@/lab/runs/collect_station.ts";
import { namedSeeds } from "@/lab/live/station_batch.ts";
import { stationCouncil } from "@/lab/live/station_council.ts";
import { ABLATION, ablationMechanism, ablationPlan } from "./ablation_table.ts";

Deno.test("the table of ablations was made by the station as it is: its hash, and one block run again", async () => {
  const { mechanism, rows, replicates } = await keptTable("surrogate/ablation.json", AblationTable);
  assert.equal(mechanism, await ablationMechanism(), "stale: run deno task dev seeds ablation");
  const { council: name, role, lost, q } = rows.find(({ block, lost }) => block === 1 && lost === "idle")!;
  const council = stationCouncil(name, new Map());
  const seeds = namedSeeds("heldOut").slice(ABLATION.each, 2 * ABLATION.each);
  const [whole, without] = await Promise.all(
    [council, ablateRole(council, role, lost)].map((council) =>
      collectStation({ council, ruleset: "v2", seeds, replicates })
    ),
  );
  const again = roleEffect(whole!, without!).q;
  for (const key of ["delta", "low", "high"] as const) {
    assert.ok(Math.abs(again[key]! - q[key]!) < 1e-6, key);
  }
});

Deno.test("the table of ablations holds every role of every council, four losses, each block and all", async () => {
  const { rows } = await keptTable("surrogate/ablation.json", AblationTable);
  assert.equal(rows.length, ablationPlan().length * 4 * (ABLATION.blocks + 1));
  const keys = rows.map(({ council, role, lost, block }) => [council, role, lost, block].join());
  assert.equal(new Set(keys).size, rows.length);
});
