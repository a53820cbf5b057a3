import fc from "fast-check";
import assert from "node:assert/strict";
import { cleanLabel, textWidth, wrapText } from "@/plots/text.ts";
import { fontWidth } from "./read_svg.ts";

Deno.test("cleanLabel() joins white space and replaces what XML forbids, and nothing else", () => {
  assert.equal(cleanLabel(" a\n\tb  <i>&amp;</i> "), "a b <i>&amp;</i>");
  assert.equal(cleanLabel("a\u0000b\u001bc\u202ed\ud800"), "a\uFFFDb\uFFFDc\uFFFDd\uFFFD");
  assert.equal(cleanLabel("λ\u0302 é 日本 👩\u200d🚀"), "λ\u0302 é 日本 👩\u200d🚀");
});

Deno.test("wrapText() keeps every line within the width and, with lines enough, every letter", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 20, max: 300 }), (text, width) => {
      const lines = wrapText(text, width, 12, 100);
      assert.ok(lines.every((line) => textWidth(line, 12) <= width));
      assert.equal(lines.join("").replaceAll(" ", ""), cleanLabel(text).replaceAll(" ", ""));
    }),
    { seed: 1 },
  );
});

Deno.test("wrapText() ends in an ellipsis where lines are too few", () => {
  const lines = wrapText("one two three four five six seven eight nine ten", 60, 12, 2);
  assert.equal(lines.length, 2);
  assert.ok(lines[1]!.endsWith("…") && textWidth(lines[1]!, 12) <= 60);
  assert.deepEqual(
    wrapText("Chair incomprehensibly", 100, 12, 1),
    ["Chair incom…"],
    "cut within a word, not before it",
  );
});

Deno.test("textWidth() grows with size, never falls short of the font, and a combining mark takes no room", () => {
  assert.equal(textWidth("abc", 24), 2 * textWidth("abc", 12));
  for (let code = 32; code < 127; code++) {
    const letter = String.fromCharCode(code);
    assert.ok(textWidth(letter, 1) >= fontWidth(letter), `${letter} is wider than it is taken to be`);
  }
  assert.equal(textWidth("λ\u0302", 12), textWidth("λ", 12));
});
