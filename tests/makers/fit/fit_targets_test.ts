import assert from "node:assert/strict";
import { fitTargets, landscapeTargets, modelTargets } from "./fit_targets.ts";
import type { CommitteeSpec } from "@/lab/paper/surrogate/simulate_condition.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { Role } from "@/schema/scenario.ts";

/** What the mechanism sees of a condition, as the text route builds it. */
async function committee(spec: ConditionSpec): Promise<CommitteeSpec> {
  const { packet, seats, order, temperature, window, rounds } = await loadCondition(spec);
  return {
    scenario: packet.id,
    optionCount: packet.options.length,
    seats: seats.map(({ model, role, mandate }) => ({ model, mandate: mandate === "" ? undefined : Role.parse(role) })),
    ...{ order, temperature, window, rounds },
  };
}

// Deliberation paper, Fig. 1B for HL-01 and Table S5 for IM-01, at T = 0.
const PUBLISHED: readonly [ConditionSpec, number][] = [
  [{ scenario: "HL-01", roles: false }, 0.0221],
  [{ scenario: "HL-01" }, 0.0541],
  [{ scenario: "HL-01", roles: false, lineup: "mixed" }, 0.0947],
  [{ scenario: "HL-01", lineup: "mixed" }, 0.0519],
  [{ scenario: "IM-01" }, 0.0838],
  [{ scenario: "IM-01", roles: false }, 0.0045],
  [{ scenario: "IM-01", ablate: "Chair" }, 0.0304],
  [{ scenario: "IM-01", ablate: "Welfare" }, 0.0680],
  [{ scenario: "IM-01", ablate: "Rights" }, 0.0711],
  [{ scenario: "IM-01", ablate: "Equity" }, 0.0413],
  [{ scenario: "IM-01", ablate: "Security" }, 0.0822],
];

Deno.test("fitTargets() gives the eleven published λ̂ at T = 0, each with its own committee", async () => {
  const targets = await fitTargets();
  const expected = await Promise.all(
    PUBLISHED.map(async ([spec, lambda]) => ({ lambda, spec: await committee(spec) })),
  );
  const found = targets.map(({ lambda, spec }) => ({ lambda, spec }));
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  assert.deepEqual(found.toSorted(byText), expected.toSorted(byText));
  assert.equal(new Set(targets.map(({ name }) => name)).size, 11);
  for (const { name, spec: { seats } } of targets) {
    const ablated = /without (\w+)'s mandate/.exec(name)?.[1];
    assert.equal(
      seats.filter(({ mandate }) => mandate === undefined).length,
      ablated ? 1 : name.endsWith("off") ? 5 : 0,
    );
  }
});

// Deliberation paper, Table S8 at T = 0 and T = 0.1: roles on, roles off.
const LANDSCAPE: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "IM-02": [[0.0202, 0.0216], [0.0160, 0.0190]],
  "HL-02": [[0.0447, 0.0235], [0.0680, 0.0233]],
  "CL-04": [[0.0199, 0.0403], [0.0133, 0.0336]],
  "AI-01": [[0.0032, 0.0144], [0.0231, 0.0350]],
};
// Table S6, likewise, by line-up on file.
const MODELS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "gpt-4-1": [[0.0509, 0.0308], [0.0661, 0.0403]],
  "claude-sonnet-4-6": [[0.0626, 0.0479], [0.0449, -0.0079]],
  "gemini-2-5-flash": [[0.1058, 0.0693], [0.1275, 0.0940]],
  "grok-3": [[0.0982, 0.0348], [0.1164, 0.0373]],
};

for (const [i, temperature] of [0, 0.1].entries()) {
  Deno.test(`landscapeTargets(${temperature}) gives Table S8's cells, each with the committee that a condition gives`, async () => {
    const targets = await landscapeTargets(temperature);
    assert.equal(targets.size, 12);
    assert.deepEqual([...targets.values()].map(({ length }) => length), Array(12).fill(2));
    for (const [scenario, published] of Object.entries(LANDSCAPE)) {
      const [on, off] = targets.get(scenario)!;
      assert.deepEqual([on!.lambda, off!.lambda], published[i]);
      assert.deepEqual(on!.spec, await committee({ scenario, temperature }));
      assert.deepEqual(off!.spec, await committee({ scenario, temperature, roles: false }));
    }
  });

  Deno.test(`modelTargets(${temperature}) gives Table S6's cells without the baseline, each with its line-up's committee`, async () => {
    const targets = await modelTargets(temperature);
    assert.equal(targets.size, 4);
    for (const [lineup, published] of Object.entries(MODELS)) {
      const spec = await committee({ scenario: "IM-01", lineup, temperature });
      const [on, off] = targets.get(spec.seats[0]!.model)!;
      assert.deepEqual([on!.lambda, off!.lambda], published[i]);
      assert.deepEqual(on!.spec, spec);
      assert.deepEqual(off!.spec, await committee({ scenario: "IM-01", lineup, temperature, roles: false }));
    }
    assert.equal(targets.get("x-ai/grok-3")![0]!.n, 16, "runs as published");
  });
}
