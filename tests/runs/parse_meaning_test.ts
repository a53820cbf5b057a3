import fc from "fast-check";
import assert from "node:assert/strict";
import { parseMeaning } from "@/runs/judge_wording.ts";

const codeOf = (text: string) => {
  const read = parseMeaning(text);
  return read.ok ? `read ${read.value.meaning}` : read.issue.code;
};

Deno.test("parseMeaning() reads the object and nothing but it", () => {
  const replies = {
    '{"meaning": 0}': "read 0",
    '{"meaning": 10}': "read 10",
    ' {"meaning":8.5}\n': "read 8.5",
    '{"meaning": 10.01}': "wrong_fields",
    '{"meaning": -0.1}': "wrong_fields",
    '{"meaning": 1e999}': "wrong_fields",
    '{"meaning": "9"}': "wrong_fields",
    '{"meaning": null}': "wrong_fields",
    '{"meaning": [9]}': "wrong_fields",
    '{"score": 9}': "wrong_fields",
    '{"meaning": 9, "why": "close"}': "wrong_fields",
    '{"meaning": 2, "meaning": 9}': "ambiguous",
    '{"\\u006deaning": 2, "meaning": 9}': "ambiguous",
    "{}": "wrong_fields",
    "9": "wrong_fields",
    "": "not_json",
    "9/10": "not_json",
    "9 out of 10": "not_json",
    'Score: {"meaning": 9}': "not_json",
    '{"meaning": N}': "not_json",
    '{"meaning": 9}{"meaning": 3}': "not_json",
  };
  for (const [text, outcome] of Object.entries(replies)) assert.equal(codeOf(text), outcome, text);
});

Deno.test("parseMeaning() takes a code fence off and says so", () => {
  const fenced = '```json\n{"meaning": 9}\n```';
  assert.deepEqual(parseMeaning(fenced), { ok: true, value: { meaning: 9, repairs: ["code_fence"] } });
  assert.equal(codeOf(`Here:\n${fenced}`), "not_json");
});

Deno.test("parseMeaning() gives back any score from 0 to 10 unrounded, and no score outside", () => {
  fc.assert(fc.property(fc.double({ min: 0, max: 10, noNaN: true }), (meaning) => {
    const read = parseMeaning(JSON.stringify({ meaning }));
    assert.ok(read.ok && read.value.meaning === meaning + 0);
  }));
  fc.assert(fc.property(fc.double({ noNaN: true }).filter((x) => x < 0 || x > 10), (meaning) => {
    assert.equal(codeOf(`{"meaning": ${meaning}}`).startsWith("read"), false);
  }));
});
