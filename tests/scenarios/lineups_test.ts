import assert from "node:assert/strict";
import { conditionName } from "@/deliberation/condition_name.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { loadLineups } from "@/lab/live/scenarios.ts";
import { ROLES } from "@/schema/scenario.ts";

const mini = "openai/gpt-4.1-mini";
const everySeat = (model: string) => ({ Chair: model, Welfare: model, Rights: model, Equity: model, Security: model });

/** Deliberation paper: the first two from its Methods, the others from Table S6; ids as OpenRouter writes them. */
const PUBLISHED = {
  "uniform": everySeat(mini),
  "mixed": {
    Chair: "openai/gpt-4.1",
    Welfare: "anthropic/claude-sonnet-4.6",
    Rights: "google/gemini-2.5-flash",
    Equity: "x-ai/grok-3-mini",
    Security: mini,
  },
  "gpt-4-1": everySeat("openai/gpt-4.1"),
  "claude-sonnet-4-6": everySeat("anthropic/claude-sonnet-4.6"),
  "gemini-2-5-flash": everySeat("google/gemini-2.5-flash"),
  "grok-3": everySeat("x-ai/grok-3"),
};

Deno.test("the line-ups are those of the deliberation paper's Methods and Table S6", async () => {
  const { lineups } = await loadLineups();
  const models = Object.fromEntries(Object.entries(lineups).map(([name, { models }]) => [name, models]));
  assert.deepEqual(models, PUBLISHED);
});

for (const [lineup, models] of Object.entries(PUBLISHED)) {
  Deno.test(`${lineup}: resolves to five seats with its models, with roles and without`, async () => {
    for (const roles of [true, false]) {
      const { seats, ...condition } = await loadCondition({ scenario: "IM-01", lineup, roles });
      assert.deepEqual(seats.map(({ role, model }) => [role, model]), ROLES.map((role) => [role, models[role]]));
      assert.equal(condition.lineup, lineup);
    }
  });
}

Deno.test("every line-up gives ledgers of its own, named as in the paper where the paper names them", async () => {
  const names = await Promise.all(
    Object.keys(PUBLISHED).map(async (lineup) => conditionName(await loadCondition({ scenario: "IM-01", lineup }))),
  );
  assert.deepEqual(names, [
    "IM-01__T0.0__N5__rolesTrue",
    "IM-01__T0.0__N5__rolesTrue__multimodel",
    "IM-01__T0.0__N5__rolesTrue__lineup-gpt-4-1",
    "IM-01__T0.0__N5__rolesTrue__lineup-claude-sonnet-4-6",
    "IM-01__T0.0__N5__rolesTrue__lineup-gemini-2-5-flash",
    "IM-01__T0.0__N5__rolesTrue__lineup-grok-3",
  ]);
});

Deno.test("titles tell the line-ups apart, in plain characters", async () => {
  const titles = Object.values((await loadLineups()).lineups).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  for (const title of titles) {
    assert.equal(title, title.trim());
    assert.doesNotMatch(title, / {2}|[^\x20-\x7e]/);
  }
});

Deno.test("every price is a positive number of dollars, output dearer than input", async () => {
  for (const [model, { input, output }] of Object.entries((await loadLineups()).prices)) {
    assert.ok(0 < input && input < output, model);
  }
});
