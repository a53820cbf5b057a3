import fc from "fast-check";
import assert from "node:assert/strict";
import { joinMandates, ROLES, rolesOfNumber, seatedRoles, seatingOf, splitMandates } from "@/schema/scenario.ts";

const someRoles = fc.array(fc.constantFrom(...ROLES), { minLength: 1, maxLength: 12 });

Deno.test("mandates are one value in the order of ROLES, in whatever order they were written", () => {
  assert.deepEqual(splitMandates("Security+Chair + Equity"), ["Chair", "Equity", "Security"]);
  fc.assert(fc.property(someRoles, (roles) => {
    const value = joinMandates(roles);
    assert.deepEqual(splitMandates(roles.join("+")), splitMandates(value));
    assert.equal(joinMandates(splitMandates(value)), value);
    assert.deepEqual(splitMandates(value).toSorted(), roles.toSorted());
  }));
});

Deno.test("a mandate that nobody knows is refused with the nearest", () => {
  for (const value of ["", "Chair+", "chair", "Chair Equity", "constructor"]) {
    assert.throws(() => splitMandates(value), { name: "UserError", message: /^unknown role ".*": did you mean/ });
  }
});

Deno.test("who sits decides the seats: every mandate once, then those that sit twice", () => {
  assert.deepEqual(seatedRoles("Welfare+Chair+Welfare"), ["Chair", "Welfare", "Welfare"]);
  assert.deepEqual(seatedRoles("Security+Chair+Chair+Security+Rights+Security"), [
    ...["Chair", "Rights", "Security"],
    ...["Chair", "Security"],
    "Security",
  ]);
  fc.assert(fc.property(someRoles, (roles) => {
    assert.deepEqual(seatedRoles(roles.join("+")).toSorted(), roles.toSorted());
  }));
});

Deno.test("a number is short for the seats that it gives", () => {
  for (let agents = 1; agents <= 26; agents++) {
    const roles = rolesOfNumber(agents);
    assert.equal(seatingOf(roles), agents);
    assert.deepEqual(seatedRoles(joinMandates(roles)), roles);
  }
  assert.equal(seatingOf(["Welfare", "Chair", "Welfare"]), "Chair+Welfare+Welfare");
});
