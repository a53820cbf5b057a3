import assert from "node:assert/strict";
import { withFiles } from "./with_files.ts";
import { planStation, stationRequests } from "@/runs/plan_station.ts";

const prices = { m: { input: 1, output: 10 } };

Deno.test("planStation() counts 36 calls a run and prices them", async () => {
  const plan = await planStation(["m"], { ruleset: "v2", runs: 5, prices });
  assert.equal(plan.calls, 5 * 36);
  assert.equal(plan.completionTokens, 5 * 36 * 200);
  assert.ok(Math.abs(plan.usd! - (plan.promptTokens * 1 + plan.completionTokens * 10) / 1e6) < 1e-9);
  const hidden = await planStation(["m"], { ruleset: "v1", runs: 5, prices });
  assert.ok(hidden.promptTokens < plan.promptTokens, "the schema that is not shown is not paid for");
});

Deno.test("planStation() says which model has no price instead of leaving it out of the sum", async () => {
  const { usd, unpriced, calls } = await planStation(["m", "other"], { ruleset: "v2", runs: 1, prices });
  assert.deepEqual([usd, unpriced, calls], [undefined, ["other"], 72]);
});

Deno.test("planStation() prices each role's calls by its own model", async () => {
  const one = await planStation(["m"], { ruleset: "v2", runs: 1, prices });
  const both = { ...prices, dear: { input: 2, output: 20 } };
  const dear = await planStation([{ C1_COMMAND: "dear", default: "m" }], { ruleset: "v2", runs: 1, prices: both });
  assert.deepEqual([dear.calls, dear.promptTokens], [one.calls, one.promptTokens]);
  // Six of the 36 calls cost twice as much, at prompts of much the same length.
  const share = dear.usd! / one.usd! - 1;
  assert.ok(share > 0.15 && share < 0.18, String(share));
});

Deno.test("fault 09: a preflight that told a usage that cannot be true is planned on as if it had told none", async () => {
  const { request } = (await stationRequests({ ruleset: "v2" }))[0]!;
  const planned = async (usage: object) => {
    const told = { at: "2026-01-01T00:00:00Z", council: "live:a", request: { ...request, model: "m" } };
    const line = JSON.stringify({ schema: "preflight/1", ...told, reply: { text: "{}", usage } });
    let estimate: unknown;
    await withFiles({ "preflight/calls.jsonl": `${line}\n` }, async (out) => {
      estimate = await planStation(["m"], { ruleset: "v2", runs: 2, prices: {}, out: [out] });
    });
    return estimate;
  };
  const untold = await planStation(["m"], { ruleset: "v2", runs: 2, prices: {} });
  assert.deepEqual(await planned({ promptTokens: 9e15, completionTokens: 9e15 }), untold);
  assert.notDeepEqual(await planned({ promptTokens: 900, completionTokens: 90 }), untold);
});
