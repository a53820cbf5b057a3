import assert from "node:assert/strict";
import { canonicalJson, contentHash } from "@/core/json.ts";

for (const number of [NaN, Infinity, -Infinity]) {
  Deno.test(`fault 42: canonicalJson() refuses ${number}, which JSON.stringify would write as null, by its path`, () => {
    assert.throws(() => canonicalJson({ a: [1, { b: number }] }), {
      name: "TypeError",
      message: `$.a[1].b is ${number}, which JSON cannot hold`,
    });
  });
}

Deno.test("fault 42: minus zero is zero, as it is once written and read again", () => {
  assert.equal(canonicalJson({ x: -0 }), '{"x":0}');
  assert.equal(contentHash({ x: -0 }), contentHash(JSON.parse(JSON.stringify({ x: -0 }))));
});

Deno.test("canonicalJson() is one text for one value: keys in order, what is absent left out", () => {
  assert.equal(canonicalJson({ b: [undefined, null], a: { d: 1, c: undefined } }), '{"a":{"d":1},"b":[null,null]}');
  assert.deepEqual(JSON.parse(canonicalJson({ text: "é\n\u2028" })), { text: "é\n\u2028" });
});
