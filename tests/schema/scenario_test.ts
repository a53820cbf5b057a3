import fc from "fast-check";
import assert from "node:assert/strict";
import { contentHash } from "@/core/json.ts";
import { violations } from "@/record/read_json.ts";
import {
  joinMandates,
  OPTION_LETTERS,
  ROLES,
  rolesOfNumber,
  ScenarioPacket,
  seatedRoles,
  seatingOf,
  splitMandates,
} from "@/schema/scenario.ts";

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

const packet = (optionCount: number) => ({
  schema: "scenario/1",
  id: "AB-01",
  domain: "Test",
  type: "choice",
  title: "A title",
  background: "Some words.",
  options: OPTION_LETTERS.slice(0, optionCount).map((letter) => ({ label: `Option ${letter}`, text: "A text." })),
  question: "Which?",
});

Deno.test("a packet's answer is the letter of one of its options; any other is refused with both", () => {
  for (const optionCount of [2, 3, 5, 8]) {
    for (const [i, answer] of OPTION_LETTERS.entries()) {
      const checked = violations(ScenarioPacket, { ...packet(optionCount), answer });
      if (i < optionCount) {
        assert.ok(checked.ok && checked.value.answer === answer);
        continue;
      }
      const letters = OPTION_LETTERS.slice(0, optionCount).join(", ");
      const rule = `must be one of the packet's options ${letters}, found "${answer}"`;
      assert.deepEqual(checked, { ok: false, violations: [{ path: ["answer"], rule }] });
    }
  }
});

Deno.test("an answer that is no letter of an option is refused with the letters there are", () => {
  for (const answer of ["b", "I", "", "AB", "Option A", 1, null]) {
    const checked = violations(ScenarioPacket, { ...packet(3), answer });
    assert.ok(!checked.ok && checked.violations.length === 1);
    const [{ path, rule }] = checked.violations as [{ path: unknown; rule: string }];
    assert.deepEqual(path, ["answer"]);
    assert.match(rule, /^must be "A", "B", .*"H", found/, String(answer));
  }
  assert.ok(!violations(ScenarioPacket, { ...packet(3), source: "" }).ok, "an empty source says nothing");
});

Deno.test("a packet without an answer is read without a key for it, so that its hash is that of its file", async () => {
  const folder = new URL("../../scenarios/policy/", import.meta.url);
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  const files = names.filter((name) => name.endsWith(".json"));
  assert.equal(files.length, 17);
  for (const name of files) {
    const written = JSON.parse(await Deno.readTextFile(new URL(name, folder)));
    assert.equal(contentHash(ScenarioPacket.parse(written)), contentHash(written), name);
    assert.ok(!("answer" in written) && !("source" in written), name);
  }
});
