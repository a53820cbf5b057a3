import assert from "node:assert/strict";
import { inertText } from "@/core/text.ts";

const cases: [name: string, text: string, inert: string][] = [
  ["terminal commands", "\x1b[2J", "⟨U+001B⟩[2J"],
  ["direction overrides", "a\u202Eb\u2066c", "a⟨U+202E⟩b⟨U+2066⟩c"],
  ["invisible tags", "x\u{E0041}", "x⟨U+E0041⟩"],
  ["zero-width spaces and byte order marks", "\uFEFFa\u200B".replace("\u200B", "\u2060"), "⟨U+FEFF⟩a⟨U+2060⟩"],
  ["lone surrogates", "a\uD800", "a⟨U+D800⟩"],
  ["carriage returns that hide a line", "good\rbad", "good⟨U+000D⟩bad"],
];
for (const [name, text, inert] of cases) {
  Deno.test(`inertText() shows ${name}`, () => assert.equal(inertText(text), inert));
}

Deno.test("inertText() leaves ordinary text of any script alone, and Windows line ends become line breaks", () => {
  const text = "λ̂ = 0,08\n\tGruß, 你好, مرحبا, 👩‍🚀";
  assert.equal(inertText(text), text);
  assert.equal(inertText("a\r\nb"), "a\nb");
});
