import assert from "node:assert/strict";
import { lenientJson, Unreadable } from "@/core/lenient_json.ts";
import { fieldsOf, nameFinder, printableKey, Repairs } from "@/core/name_finder.ts";

Deno.test("nameFinder() tells the right name, another spelling and another word apart", () => {
  const find = nameFinder({ life_support: ["oxygen_system"], comms: [] }, "key");
  assert.deepEqual(find("life_support"), { name: "life_support", repairs: [], synonym: false });
  for (const spelt of ["lifeSupport", "Life Support", "LIFE-SUPPORT", "life.support", " life_support\n"]) {
    assert.deepEqual(find(spelt), { name: "life_support", repairs: ["key_case"], synonym: false }, spelt);
  }
  assert.deepEqual(find("oxygen_system")?.repairs, ["key_synonym:oxygen_system->life_support"]);
  assert.deepEqual(find("oxygenSystem")?.repairs, ["key_synonym:oxygen_system->life_support", "key_case"]);
  for (const other of ["", "life", "life_supports", "生命life_support", "__proto__", "toString", "_".repeat(70)]) {
    assert.equal(find(other), undefined, other);
  }
});

Deno.test("nameFinder() refuses a word for two names", () => {
  assert.throws(() => nameFinder({ crew: ["staff"], medical: ["Staff"] }, "key"), RangeError);
});

Deno.test("fault 47: printableKey() is short and holds no control characters", () => {
  assert.equal(printableKey("mood"), "mood");
  assert.equal(printableKey("\x1b[31m\n"), "\\u001b[31m\\n");
  assert.equal(printableKey("x".repeat(100)).length, 40);
});

Deno.test("fieldsOf() takes the key spelt right before one that only resembles it, and refuses two that do", () => {
  const find = nameFinder({ decision: ["vote", "choice"], confidence: [] }, "key");
  const sorted = (text: string) => {
    const json = lenientJson(text);
    assert.ok(json.ok);
    const repairs = new Repairs();
    const { fields, extra } = fieldsOf(json.value.root.members, find, repairs);
    return [[...fields.keys()], extra.map(({ key }) => key), repairs.list()];
  };
  assert.deepEqual(sorted('{"vote": "A", "decision": "B", "mood": 1}'), [["decision"], ["vote", "mood"], []]);
  assert.deepEqual(sorted('{"Vote": "A"}'), [["decision"], [], ["key_synonym:vote->decision", "key_case"]]);
  assert.throws(
    () => sorted('{"vote": "A", "choice": "B"}'),
    (thrown) => thrown instanceof Unreadable && thrown.issue.code === "ambiguous",
  );
});
