import fc from "fast-check";
import type { Node } from "jsonc-parser";
import assert from "node:assert/strict";
import { jsonNodes, type JsonPath, textPosition } from "@/core/json_nodes.ts";

/** Every path of a JSON value with the value there. */
function* walk(value: unknown, path: JsonPath = []): Generator<[JsonPath, unknown]> {
  yield [path, value];
  if (value === null || typeof value !== "object") return;
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  for (const step of steps) yield* walk((value as Record<PropertyKey, unknown>)[step], [...path, step]);
}

Deno.test("jsonNodes() cuts every value of a JSON text out of it, whatever the indent", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("", " ", "\t", "    "), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      fc.pre(!text.includes('"__proto__"')); // Refused: see below.
      const nodes = jsonNodes(text);
      assert.ok(nodes.ok);
      for (const [path, part] of walk(JSON.parse(text))) {
        const node: Node = nodes.value(path)!;
        assert.deepEqual(JSON.parse(text.slice(node.offset, node.offset + node.length)), part);
        const name: Node | undefined = node.parent?.type === "property" ? node.parent : undefined;
        if (name) assert.ok(text.startsWith(JSON.stringify(path.at(-1)), name.offset));
        assert.equal(name !== undefined, typeof path.at(-1) === "string");
      }
    }),
    { seed: 14, numRuns: 300 },
  );
});

Deno.test("jsonNodes() accepts what JSON.parse accepts and refuses what it refuses", () => {
  const broken = fc.tuple(fc.jsonValue(), fc.nat(), fc.constantFrom("", ",", '"', "}", "]", "\\", "0", "-", ".", "\n"));
  fc.assert(
    fc.property(broken, ([value, seed, put]) => {
      const text = JSON.stringify(value, null, 1);
      const at = seed % text.length;
      const mutilated = text.slice(0, at) + put + text.slice(at + 1);
      const nodes = jsonNodes(mutilated);
      if (!nodes.ok && nodes.issue.code === "duplicate-key") return;
      assert.equal(nodes.ok, parses(mutilated), mutilated);
    }),
    { numRuns: 500 },
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const faults: [text: string, code: string, offset: number, message: RegExp][] = [
  ["", "syntax", 0, /^value expected$/],
  ['{"a": 1', "syntax", 7, /^close brace expected$/],
  ['{"a" 1}', "syntax", 5, /^colon expected$/],
  ["{'a': 1}", "syntax", 1, /^invalid symbol$/],
  ["[1, 2,]", "syntax", 6, /^value expected$/],
  ["[1 2]", "syntax", 3, /^comma expected$/],
  ['{"a": "x\ny"}', "syntax", 6, /^unexpected end of string$/],
  ["[] []", "syntax", 3, /^end of file expected$/],
  ['{"a": 1, "a": 2}', "duplicate-key", 9, /"a" is given twice/],
  ['{"a": 1, "\\u0061": 2}', "duplicate-key", 9, /given twice/],
];
for (const [text, code, offset, message] of faults) {
  Deno.test(`jsonNodes() shows where ${JSON.stringify(text)} goes wrong`, () => {
    const nodes = jsonNodes(text);
    assert.ok(!nodes.ok);
    assert.deepEqual([nodes.issue.code, nodes.issue.offset], [code, offset]);
    assert.match(nodes.issue.message, message);
  });
}

Deno.test("fault 19: jsonNodes() refuses very deep nesting without exhausting the stack", () => {
  const nodes = jsonNodes("[".repeat(1e5) + "]".repeat(1e5));
  assert.ok(!nodes.ok && nodes.issue.code === "too-deep");
  assert.ok(jsonNodes("[".repeat(100) + "]".repeat(100)).ok);
});

Deno.test("jsonNodes() reads a string of a million characters, closed or not", () => {
  const long = "x\\n".repeat(500_000);
  assert.ok(jsonNodes(`"${long}"`).ok);
  assert.ok(!jsonNodes(`"${long}`).ok);
});

Deno.test("textPosition() counts lines and columns from 1", () => {
  assert.deepEqual(textPosition("ab\ncd", 0), { line: 1, column: 1 });
  assert.deepEqual(textPosition("ab\ncd", 4), { line: 2, column: 2 });
  assert.deepEqual(textPosition("ab\n", 3), { line: 2, column: 1 });
  assert.throws(() => textPosition("ab", 3), RangeError);
});

Deno.test("textPosition() finds each character of lines joined by any line break", () => {
  const line = fc.string({ minLength: 1, unit: fc.constantFrom("a", "é", '"', "\u2028") });
  fc.assert(fc.property(fc.array(line, { minLength: 1 }), fc.constantFrom("\n", "\r\n", "\r"), (lines, lineBreak) => {
    let offset = 0;
    for (const [i, words] of lines.entries()) {
      assert.deepEqual(textPosition(lines.join(lineBreak), offset), { line: i + 1, column: 1 });
      offset += words.length + lineBreak.length;
    }
  }));
});
