import assert from "node:assert/strict";
import { loadIm01 } from "@/paper/published_deliberation.ts";
import { im01Falls } from "@/paper/switches.ts";

Deno.test("IM-01's published falls are the differences worked out by hand from Table S5", async () => {
  const falls = im01Falls(await loadIm01());
  assert.deepEqual([...falls].map(([role, fall]) => [role, fall.toFixed(4)]), [
    ["Chair", "0.0534"],
    ["Welfare", "0.0158"],
    ["Rights", "0.0127"],
    ["Equity", "0.0425"],
    ["Security", "0.0016"],
  ]);
});

Deno.test("a slope that is not published is not taken for zero", async () => {
  const rows = (await loadIm01()).map((row) => row.ablated === "Rights" ? { ...row, lambda: undefined } : row);
  assert.throws(() => im01Falls(rows), { name: "UserError", message: /no slope for the ablation of Rights/ });
});
