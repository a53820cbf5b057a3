import fc from "fast-check";
import assert from "node:assert/strict";
import { type JsonNode, lenientJson } from "@/core/lenient_json.ts";
import { assertLinear, type Fill } from "../linear_time.ts";

/** The value a node stands for, by way of JSON.parse for numerals. */
function valueOf(node: JsonNode): unknown {
  switch (node.kind) {
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
    case "array":
      return node.items.map(valueOf);
    case "number":
      return JSON.parse(node.text);
    case "literal":
      return node.value;
    default:
      return node.text;
  }
}

/** The value read and the repairs' names, or the code of the issue. */
function reading(text: string) {
  const read = lenientJson(text);
  return read.ok
    ? { value: valueOf(read.value.root), repairs: read.value.repairs.map(({ name }) => name) }
    : read.issue.code;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON objects, spaced in many ways, and then often damaged at a few places. */
const damaged = fc.tuple(
  fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, maxKeys: 4 }),
  fc.constantFrom(undefined, 2, "\t", " \r\n"),
  fc.array(fc.tuple(fc.nat(), fc.constantFrom(..."{}[]:,\"'\\/ \n\t\u00a0“u0123.-+eE%*nNtrue"), fc.nat(2)), {
    maxLength: 3,
  }),
).map(([value, space, edits]) => {
  let text = JSON.stringify(value, null, typeof space === "string" ? space : space ?? 0);
  for (const [place, character, cut] of edits) {
    const at = place % (text.length + 1);
    text = text.slice(0, at) + character + text.slice(at + cut);
  }
  return text;
});

const FORGIVEN: readonly [string, string, unknown?][] = [
  ["code_fence", '```json\n{"a": 1}\n```'],
  ["code_fence", '```\r\n{"a": 1}\r\n```'],
  ["code_fence", '~~~JSON\n{"a": 1}\n~~~'],
  ["surrounding_prose", 'My plan {as promised}: {"a": 1} and {that} is all.'],
  ["json_in_string", JSON.stringify('{"a": 1}')],
  ["trailing_comma", '{"a": 1,}'],
  ["trailing_comma", '{"a": [1,],}', { a: [1] }],
  ["single_quotes", "{'a': 1}"],
  ["smart_quotes", "{“a”: 1}"],
  ["smart_quotes", "{‘a’: 1}"],
  ["escaped_apostrophe", `{"it\\'s": 1}`, { "it's": 1 }],
  ["unquoted_key", "{a: 1}"],
  ["unquoted_text", '{"a": 40% }', { a: "40%" }],
  ["unquoted_text", '{"a": NaN}', { a: "NaN" }],
  ["unquoted_text", '{"a": undefined}', { a: "undefined" }],
  ["unquoted_text", '{"a": forty seats, "b": 1}', { a: "forty seats", b: 1 }],
  ["python_literal", '{"a": True, "b": [False, None]}', { a: true, b: [false, null] }],
  ["comment", '{"a": 1 // half\n}'],
  ["comment", '{/* first */ "a": 1}'],
  ["odd_space", '{"a":\u00a01}'],
];

Deno.test("fault 15: lenientJson() reads what models do to JSON and names it", () => {
  for (const [repair, text, value = { a: 1 }] of FORGIVEN) {
    const read = reading(text);
    assert.ok(typeof read === "object", text);
    assert.deepEqual([read.value, [...new Set(read.repairs)]], [value, [repair]], text);
  }
});

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  empty: ["", " \n\t", "\uFEFF"],
  not_json: [
    "No plan today.",
    "[1, 2]",
    "null",
    '"words"',
    "{not an object}",
    '{"a": 1',
    '{"a": "1}',
    '{"a": [1}',
    '{"a": 1 "b": 2}',
    '{"a" 1}',
    '{"a": }',
    '{"a":, "b": 1}',
    '{,"a": 1}',
    '{"a": "line\nbreak"}',
    '{"a": "\\x41"}',
    '{"a": "\\u12"}',
    "{/* open",
    // A broken object is not passed over for a whole one inside it.
    '{"action": "propose" "proposal": {"seats": 1}}',
    '{"a": {"b": 1}, "c": ',
  ],
  ambiguous: ['{"a": 1}{"a": 1}', 'Either {"a": 1} or {"a": 2}.', "```json\n{}\n```\n```json\n{}\n```"],
  too_deep: [`{"a":${"[".repeat(64)}${"]".repeat(64)}}`, '{"a":'.repeat(100_000)],
  too_long: [" ".repeat(1_000_001)],
};

for (const [code, texts] of Object.entries(REFUSED)) {
  Deno.test(`lenientJson() refuses as ${code}`, () => {
    for (const text of texts) assert.equal(reading(text), code, text.slice(0, 60));
  });
}

Deno.test("lenientJson() reads 64 levels", () => {
  assert.deepEqual(reading(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`), {
    value: JSON.parse(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`),
    repairs: [],
  });
  assert.ok(typeof reading(`{"a":[${"[],".repeat(100)}[]]}`) === "object", "siblings are not depth");
});

Deno.test("lenientJson() needs no repair exactly where JSON.parse reads an object, and then reads the same", () => {
  fc.assert(
    fc.property(damaged, (text) => {
      const expected = parsed(text.trim());
      const read = lenientJson(text);
      const asWritten = read.ok && read.value.repairs.length === 0;
      assert.equal(asWritten, isObject(expected), text);
      if (asWritten && read.value.duplicates.length === 0) assert.deepEqual(valueOf(read.value.root), expected);
    }),
    { numRuns: 2000, seed: 9 },
  );
});

Deno.test("lenientJson() finds keys given twice, in any object and spelt with escapes", () => {
  const read = lenientJson('{"a": {"b": 1, "\\u0062": 2}, "c": [{"b": 1}]}');
  assert.ok(read.ok);
  assert.deepEqual(read.value.duplicates, [{ name: "b", at: 15 }]);
});

Deno.test("fault 48: keys such as __proto__ are members like others", () => {
  const read = lenientJson('{"__proto__": {"polluted": true}, "constructor": 1}');
  assert.ok(read.ok);
  assert.deepEqual(read.value.root.members.map(({ key }) => key), ["__proto__", "constructor"]);
  assert.equal("polluted" in {}, false);
});

Deno.test("fault 19: lenientJson() keeps lone surrogates, and throws on no text", () => {
  assert.deepEqual(reading('{"a": "\uD800 \\uDC00 \u202E"}'), { value: { a: "\uD800 \uDC00 \u202E" }, repairs: [] });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      lenientJson(text);
      lenientJson(`{"a": ${text}`);
    }),
    { seed: 19 },
  );
});

Deno.test("fault 19: a megabyte of anything takes linear time", () => {
  const pieces = [
    "{",
    "{{{[",
    '{"',
    "{'",
    "{/*",
    "{//",
    "{a",
    "{ ",
    "`",
    "```",
    '"\\',
    "{}",
    "{a:",
    '{"\\"',
    " ",
    "~",
    "{“",
    "\u00a0",
  ];
  const inside = ["1,", '"\\n",', "[],", "a ", " ", "//\n", "\u00a0", "-", "'b',", "0", "\\u0041"];
  const texts: ((fill: Fill) => string)[] = [
    ...pieces.map((piece) => (fill: Fill) => fill(piece)),
    ...inside.map((piece) => (fill: Fill) => `{"a": [${fill(piece)}`),
    (fill) => `{"a": "${fill("\\n")}"}`,
    (fill) => `{"a": ${fill("9")}}`,
    (fill) => `{"a": ${fill(" ", 0.5)}1${fill(" ", 0.5)}x}`,
  ];
  for (const textOf of texts) assertLinear(textOf, lenientJson);
});
