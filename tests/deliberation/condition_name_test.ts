import assert from "node:assert/strict";
import fc from "fast-check";
import { conditionName, parseConditionName } from "@/deliberation/condition_name.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { condition } from "./committee.ts";
import { loadEffectFiles } from "@/paper/published_deliberation.ts";
import { loadCondition } from "@/live/load_condition.ts";
import { ROLES } from "@/schema/scenario.ts";

// Deliberation paper, Table S2: the file names that are printed whole.
const PUBLISHED: Readonly<Record<string, Partial<ConditionSpec>>> = {
  "HL-01__T0.0__N5__rolesFalse": { scenario: "HL-01", roles: false },
  "HL-01__T0.0__N5__rolesTrue": { scenario: "HL-01" },
  "IM-01__T0.0__N5__rolesFalse": { roles: false },
  "IM-01__T0.0__N5__rolesTrue": {},
  "IM-01__T0.0__N5__rolesFalse__multimodel": { roles: false, lineup: "mixed" },
  "IM-01__T0.0__N5__rolesTrue__multimodel": { lineup: "mixed" },
  "IM-01__T0.0__N5__rolesTrue__ablate-Chair": { ablate: "Chair" },
  "IM-01__T0.7__N5__rolesTrue": { temperature: 0.7 },
  "IM-01__T0.7__N5__rolesFalse": { temperature: 0.7, roles: false },
};
/** The same style for what the paper's other conditions vary. */
const ALIKE: Readonly<Record<string, Partial<ConditionSpec>>> = {
  "CL-04__T0.0__N5__rolesTrue__ablate-Security": { scenario: "CL-04", ablate: "Security" },
  "IM-01__T0.0__N5__rolesTrue__k3": { window: 3 },
  "IM-01__T0.0__N5__rolesTrue__k1": { window: 1 },
  "IM-01__T0.0__N5__rolesTrue__k0": { window: 0 },
  "IM-01__T1e-5__N5__rolesTrue": { temperature: 1e-5 },
  "IM-01__T0.0001__N5__rolesTrue": { temperature: 1e-4 },
  "IM-01__T0.01__N5__rolesTrue": { temperature: 0.01 },
  "IM-01__T0.05__N5__rolesTrue": { temperature: 0.05 },
  "IM-01__T0.1__N5__rolesTrue": { temperature: 0.1 },
  "IM-01__T0.2__N5__rolesTrue": { temperature: 0.2 },
  "IM-01__T1.0__N5__rolesTrue": { temperature: 1 },
  "IM-01__T0.0__N7__rolesTrue": { agents: 7 },
  "IM-01__T0.0__N5__rolesTrue__R4": { rounds: 4 },
  "IM-01__T0.0__N5__rolesTrue__normaliser": { normaliser: true },
  "IM-01__T0.2__N3__rolesTrue__ablate-Rights__multimodel__k1__R2": {
    temperature: 0.2,
    agents: 3,
    ablate: "Rights",
    lineup: "mixed",
    window: 1,
    rounds: 2,
  },
};

Deno.test("conditionName() gives the names of the paper's files", async () => {
  for (const [name, spec] of Object.entries({ ...PUBLISHED, ...ALIKE })) {
    assert.equal(conditionName(await condition(spec)), name);
  }
});

Deno.test("conditionName() names a rewording and a line-up of one's own", async () => {
  const plain = await condition({ roles: false });
  const formal = { ...plain, packet: { ...plain.packet, variant: "formal" } };
  assert.equal(conditionName(formal), "IM-01__T0.0__N5__rolesFalse__variant-formal");
  assert.equal(
    conditionName({ ...formal, lineup: "all-grok" }),
    "IM-01__T0.0__N5__rolesFalse__lineup-all-grok__variant-formal",
  );
});

const PLAIN = { agents: 5, roles: true, lineup: "uniform", window: 15, rounds: 20, temperature: 0 };

Deno.test("parseConditionName() reads the file names that Table S2 prints whole", async () => {
  const printed = (await loadEffectFiles()).map((row) => row.printed_file).filter((file) => file.endsWith(".jsonl"));
  assert.equal(printed.length, 10);
  const read = Object.fromEntries(printed.map((file) => {
    const name = file.split("/").at(-1)!.replace(".jsonl", "");
    return [name, parseConditionName(name)];
  }));
  assert.deepEqual(read["HL-01__T0.0__N5__rolesFalse"], { ...PLAIN, scenario: "HL-01", roles: false });
  assert.deepEqual(read["IM-01__T0.7__N5__rolesTrue"], { ...PLAIN, scenario: "IM-01", temperature: 0.7 });
  assert.deepEqual(read["IM-01__T0.0__N5__rolesTrue__ablate-Chair"], { ...PLAIN, scenario: "IM-01", ablate: "Chair" });
  assert.deepEqual(read["IM-01__T0.0__N5__rolesFalse__multimodel"], {
    ...PLAIN,
    scenario: "IM-01",
    roles: false,
    lineup: "mixed",
  });
});

const plain = await loadCondition({ scenario: "HL-01" });

Deno.test("parseConditionName() is the reverse of conditionName()", () => {
  const fields = fc.record({
    temperature: fc.constantFrom(0, 1, 2, 0.7, 0.05, 1e-4, 1e-5, 2.5e-7),
    agents: fc.integer({ min: 2, max: 26 }),
    roles: fc.boolean(),
    ablate: fc.option(fc.constantFrom(...ROLES), { nil: undefined }),
    lineup: fc.constantFrom("uniform", "mixed", "grok-3", "own"),
    window: fc.integer({ min: 0, max: 40 }),
    rounds: fc.integer({ min: 1, max: 60 }),
    variant: fc.option(fc.constantFrom("formal", "passive-reframe"), { nil: undefined }),
    normaliser: fc.option(fc.constant(true as const), { nil: undefined }),
  });
  fc.assert(fc.property(fields, ({ agents, ablate, variant, normaliser, ...rest }) => {
    const own = { ...(ablate !== undefined && rest.roles && { ablate }), ...(normaliser && { normaliser }) };
    const name = conditionName({
      ...plain,
      ...rest,
      ...own,
      packet: { ...plain.packet, ...(variant && { variant }) },
      seats: Array.from({ length: agents }, () => plain.seats[0]!),
    });
    assert.deepEqual(parseConditionName(name), {
      scenario: "HL-01",
      agents,
      ...rest,
      ...own,
      ...(variant && { variant }),
    });
  }));
});

Deno.test("parseConditionName() takes additions in any order, and temperatures as Python writes them", () => {
  const one = parseConditionName("CL-04__T1e-05__N5__rolesTrue__k3__multimodel__ablate-Rights");
  assert.deepEqual(one, parseConditionName("CL-04__T1e-5__N5__rolesTrue__ablate-Rights__multimodel__k3"));
  assert.deepEqual([one.temperature, one.window], [1e-5, 3]);
  assert.equal(parseConditionName("CL-04__T0__N5__rolesTrue").temperature, 0);
});

const REFUSED: Readonly<Record<string, RegExp>> = {
  "": /it ends where a scenario such as HL-01 is expected/,
  "runs": /"runs" stands where a scenario such as HL-01 is expected/,
  "hl-01__T0.0__N5__rolesTrue": /"hl-01" stands where a scenario/,
  "HL-01__0.0__N5__rolesTrue": /"0\.0" stands where a temperature such as T0\.0 or T1e-5/,
  "HL-01__T__N5__rolesTrue": /"T" stands where a temperature/,
  "HL-01__T-1__N5__rolesTrue": /"T-1" stands where a temperature/,
  "HL-01__T3__N5__rolesTrue": /"T3" stands where a temperature/,
  "HL-01__T0.0__N1__rolesTrue": /"N1" stands where a number of agents/,
  "HL-01__T0.0__N5": /it ends where rolesTrue or rolesFalse is expected/,
  "HL-01__T0.0__N5__rolestrue": /"rolestrue" stands where rolesTrue or rolesFalse/,
  "HL-01__T0.0__N5__rolesTrue__k": /"k" stands where only ablate-ROLE, multimodel, lineup-NAME, kNUMBER/,
  "HL-01__T0.0__N5__rolesTrue__R0": /"R0" stands where only/,
  "HL-01__T0.0__N5__rolesTrue__": /it ends where only ablate-ROLE/,
  "HL-01__T0.0__N5__rolesTrue__ablate-Chairman": /unknown role "Chairman": did you mean Chair/,
  "HL-01__T0.0__N5__rolesTrue__variant-Formal": /"variant-Formal" stands where only/,
  "HL-01__T0.0__N5__rolesTrue__k3__k1": /"k1" stands where its window was named before/,
  "HL-01__T0.0__N5__rolesTrue__multimodel__lineup-own": /"lineup-own" stands where its lineup was named before/,
  "HL-01__T0.0__N5__rolesFalse__ablate-Chair": /"ablate-Chair" stands where roles are off, so there is no mandate/,
};

for (const [name, message] of Object.entries(REFUSED)) {
  Deno.test(`parseConditionName() refuses "${name}", naming the part`, () => {
    assert.throws(() => parseConditionName(name), { name: "UserError", message });
  });
}
