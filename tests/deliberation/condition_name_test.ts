import assert from "node:assert/strict";
import { conditionName } from "@/deliberation/condition_name.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { condition } from "./committee.ts";

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
