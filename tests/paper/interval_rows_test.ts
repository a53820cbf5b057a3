import assert from "node:assert/strict";
import { slopeRow } from "@/paper/slope_rows.ts";
import { deficitRows, joinAccounting } from "@/runs/accounting.ts";
import { conditionWords } from "@/runs/label_conditions.ts";
import { loadCondition } from "@/runs/load_condition.ts";

const accounting = (realised: number) => ({
  ...{ name: "", target: 20, realised, deficit: 20 - realised, causes: { timeout: 20 - realised } },
});
const slope = (realised: number) => ({
  ...{ lambda: 0.05, low: 0.04, high: 0.06, studentised: { low: 0.03, high: 0.07, p: 0.01 } },
  accounting: accounting(realised),
});

Deno.test("a slope's row has both intervals, the runs and how the published value stands", () => {
  assert.deepEqual(slopeRow(slope(19), { label: "HL-01", published: 0.0541 }), {
    ...{ label: "HL-01", value: 0.05, low: 0.04, high: 0.06, reason: undefined, published: 0.0541 },
    ...{ studentisedLow: 0.03, studentisedHigh: 0.07, verdict: "n = 19 of 20; inside" },
  });
  assert.equal(slopeRow(slope(20), { label: "HL-01" }).verdict, "n = 20");
});

Deno.test("only conditions that lack runs have a row of deficits; joined, causes add up", async () => {
  const parts = [
    { condition: await loadCondition({ scenario: "HL-01" }), accounting: accounting(20) },
    { condition: await loadCondition({ scenario: "HL-01", ablate: "Chair" }), accounting: accounting(17) },
    { condition: await loadCondition({ scenario: "IM-01", window: 1 }), accounting: accounting(19) },
  ];
  assert.deepEqual(deficitRows(parts), [
    { label: "HL-01, without Chair", target: 20, realised: 17, deficits: { timeout: 3 } },
    { label: "IM-01, k = 1, roles on", target: 20, realised: 19, deficits: { timeout: 1 } },
  ]);
  const joined = joinAccounting("all", parts.map(({ accounting }) => accounting));
  assert.deepEqual(joined, { name: "all", target: 60, realised: 56, deficit: 4, causes: { timeout: 4 } });
  assert.deepEqual(joinAccounting("none", []), { name: "none", target: 0, realised: 0, deficit: 0, causes: {} });
});

Deno.test("joined causes may have names that plain objects have already", () => {
  const odd = { name: "", target: 1, realised: 0, deficit: 1, causes: { constructor: 1 } };
  assert.deepEqual(joinAccounting("all", [odd, odd]).causes, { constructor: 2 });
});

Deno.test("a condition in words names what differs from the paper's default", async () => {
  const words = async (spec: Parameters<typeof loadCondition>[0]) => conditionWords(await loadCondition(spec));
  assert.equal(await words({ scenario: "HL-01" }), "HL-01, roles on");
  assert.equal(await words({ scenario: "IM-01", variant: "formal" }), "IM-01, formal, roles on");
});
