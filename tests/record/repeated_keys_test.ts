import assert from "node:assert/strict";
import { hasRepeatedKey } from "@/record/repeated_keys.ts";

for (
  const [text, expected] of [
    ['{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}', false],
    ['{"a": 1, "b": {"c": 2, "c" : 3}}', true],
    [String.raw`{"a\"": ":", "a": "\\", "b": "\\\":"}`, false],
    [String.raw`{"a": 1, "\u0061": 2}`, true],
    ['{"__proto__": 1, "": "x: \\"y\\":"}', false],
    ['"a"', false],
    ["3", false],
    [`${"[".repeat(100_000)}{"a":1,"a":1}${"]".repeat(100_000)}`, true],
  ] as const
) {
  Deno.test(`hasRepeatedKey() is ${expected} of ${text.slice(0, 50)}`, () => {
    assert.equal(hasRepeatedKey(text, JSON.parse(text)), expected);
  });
}
