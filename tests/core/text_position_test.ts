import fc from "fast-check";
import assert from "node:assert/strict";
import { textPosition } from "@/core/json_spans.ts";

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
