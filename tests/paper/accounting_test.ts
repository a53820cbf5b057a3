import assert from "node:assert/strict";
import { PUBLISHED_LINEUPS } from "@/paper/accounting.ts";
import { loadCrossModel, loadRunAccounting } from "@/paper/published_deliberation.ts";
import { loadExperiment, loadLineups } from "@/runs/scenarios.ts";

Deno.test("the declared experiments plan as many runs as Table S1, whose totals hold the rows of HL-01 and IM-01", async () => {
  const rows = await loadRunAccounting();
  const wanted = (once: boolean) =>
    rows.filter(({ group, condition }) =>
      once ? group === "Semantics" : ["Ablation", "Provider"].includes(group) || condition.startsWith("12-scenario")
    ).reduce((sum, { target }) => sum + target!, 0);
  const planned = async (name: string) => {
    const { conditions, replicates } = await loadExperiment(name);
    return conditions.length * replicates;
  };
  assert.deepEqual([await planned("accounting"), await planned("wording")], [wanted(false), wanted(true)]);
});

Deno.test("every model of Table S6 and of Table S1's provider rows has a line-up that exists", async () => {
  const printed = new Set((await loadCrossModel()).map(({ model }) => model));
  for (const { condition } of (await loadRunAccounting()).filter(({ group }) => group === "Provider")) {
    printed.add(condition.split(",")[0]!);
  }
  assert.deepEqual([...printed].sort(), Object.keys(PUBLISHED_LINEUPS).sort());
  const { lineups } = await loadLineups();
  for (const name of Object.values(PUBLISHED_LINEUPS)) assert.ok(Object.hasOwn(lineups, name), name);
});
