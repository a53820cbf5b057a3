import assert from "node:assert/strict";
import fc from "fast-check";
import { conditionName } from "@/deliberation/condition_name.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { condition } from "./committee.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
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

const plain = await loadCondition({ scenario: "HL-01" });

Deno.test("two conditions have one name only where all their knobs are equal", () => {
  const knobs = fc.record({
    temperature: fc.constantFrom(0, 1, 0.7, 1e-5),
    agents: fc.integer({ min: 2, max: 3 }),
    roles: fc.boolean(),
    ablate: fc.option(fc.constantFrom(...ROLES), { nil: undefined }),
    lineup: fc.constantFrom("uniform", "mixed", "own"),
    window: fc.constantFrom(3, 15),
    rounds: fc.constantFrom(3, 20),
    variant: fc.option(fc.constantFrom("formal", "passive-reframe"), { nil: undefined }),
    normaliser: fc.option(fc.constant(true as const), { nil: undefined }),
  });
  const nameOf = ({ agents, variant, ablate, normaliser, ...rest }: ReturnType<typeof knobs.generate>["value"]) =>
    conditionName({
      ...{ ...plain, ...rest, ...(ablate && { ablate }), ...(normaliser && { normaliser }) },
      packet: { ...plain.packet, ...(variant && { variant }) },
      seats: Array.from({ length: agents }, () => plain.seats[0]!),
    });
  // The other differs in one knob: names that leave a knob out would be equal.
  const pair = knobs.chain((one) =>
    fc.tuple(fc.constant(one), fc.constantFrom(...Object.keys(one) as (keyof typeof one)[]), knobs)
  );
  fc.assert(fc.property(pair, ([one, field, drawn]) => {
    const other = { ...one, [field]: drawn[field] };
    assert.equal(nameOf(one) === nameOf(other), one[field] === other[field], `${field}: ${nameOf(one)}`);
  }));
});
