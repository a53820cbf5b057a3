import assert from "node:assert/strict";
import { loadLineups } from "@/storage/scenarios.ts";

Deno.test("the line-ups are those of the deliberation paper's Methods", async () => {
  const { lineups } = await loadLineups();
  const mini = "openai/gpt-4.1-mini";
  assert.deepEqual(lineups.uniform?.models, { Chair: mini, Welfare: mini, Rights: mini, Equity: mini, Security: mini });
  assert.deepEqual(lineups.mixed?.models, {
    Chair: "openai/gpt-4.1",
    Welfare: "anthropic/claude-sonnet-4.6",
    Rights: "google/gemini-2.5-flash",
    Equity: "x-ai/grok-3-mini",
    Security: mini,
  });
});

Deno.test("every price is a positive number of dollars, output dearer than input", async () => {
  for (const [model, { input, output }] of Object.entries((await loadLineups()).prices)) {
    assert.ok(0 < input && input < output, model);
  }
});
