import { csvParse } from "d3-dsv";
import fc from "fast-check";
import { DOMParser } from "linkedom";
import assert from "node:assert/strict";
import { escapeHtml, inertText, quotedReply, scriptJson, toCsv } from "@/core/text.ts";

// @ts-types="@types/d3-dsv"

Deno.test("escapeHtml() makes any text survive as text and as an attribute", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...`<>&"' a;#x`) }), (text) => {
    const html = `<!DOCTYPE html><html><body><p title="${escapeHtml(text)}">${escapeHtml(text)}</p></body></html>`;
    const document = new DOMParser().parseFromString(html, "text/html");
    const [paragraph] = document.querySelectorAll("body *");
    assert.equal(document.querySelectorAll("body *").length, 1);
    assert.equal(paragraph!.textContent, text);
    assert.equal(paragraph!.getAttribute("title"), text);
  }));
});

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

Deno.test("quotedReply() leaves a reply of the length asked for as it is, and cuts the middle out of a longer one", () => {
  for (const [maxTokens, most] of [[1, 2000], [250, 2000], [300, 2400]] as const) {
    const whole = "x".repeat(most);
    assert.equal(quotedReply(whole, maxTokens), whole);
    const half = "x".repeat(most / 2);
    assert.equal(quotedReply(`${half}-${half}`, maxTokens), `${half} [… 1 characters left out …] ${half}`);
  }
});

Deno.test("quotedReply() leaves no half of a character", () => {
  const cut = quotedReply(`x${"🚉".repeat(2000)}`, 1);
  assert.ok(cut.isWellFormed() && cut.length < 2100);
});

for (const text of ["=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(A1)", "\tx", "-1+2", "+"]) {
  Deno.test(`toCsv() disarms ${JSON.stringify(text)}, also as a heading`, () => {
    const parsed = csvParse(toCsv([{ [text]: text }]));
    assert.deepEqual({ ...parsed[0] }, { [`'${text}`]: `'${text}` });
  });
}

Deno.test("toCsv() keeps negative numbers, also as text", () => {
  assert.equal(toCsv([{ a: -0.2, b: "-0.2", c: "+1e-3", d: -1e-7 }]), "a,b,c,d\n-0.2,-0.2,+1e-3,-1e-7\n");
});

Deno.test("toCsv() leaves unknown cells empty, never zero, and lists every key once", () => {
  assert.equal(toCsv([{ a: 0, b: undefined }, { c: false }]), "a,b,c\n0,,\n,,false\n");
});

Deno.test("toCsv() is read back by a CSV parser, quotes and line breaks included", () => {
  const text = fc.string({ unit: "grapheme" }).filter((value) => !/^[=+\-@\t\r]/.test(value) && !value.includes("\r"));
  fc.assert(fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (pairs) => {
    const rows = pairs.map(([a, b]) => ({ first: a, second: b }));
    assert.deepEqual(csvParse(toCsv(rows)).map((row) => ({ ...row })), rows);
  }));
});

Deno.test("fault 50: text that a spreadsheet would run is neutralised; unknown and null are empty cells", () => {
  const rows = [{ a: "=HYPERLINK(1)", b: -1, c: null }, { a: "@x", b: undefined, d: 'say "so", twice' }];
  assert.equal(toCsv(rows), `a,b,c,d\n'=HYPERLINK(1),-1,,\n'@x,,,"say ""so"", twice"\n`);
});

Deno.test("scriptJson() is read back by JSON.parse(), and holds nothing that ends or comments out a script", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("</script>", "<!--", "<SCRIPT", "\u2028"));
  fc.assert(fc.property(fc.dictionary(text.filter((key) => key !== "__proto__"), text), (value) => {
    const json = scriptJson(value);
    assert.deepEqual({ ...JSON.parse(json) }, { ...value });
    assert.ok(!json.includes("<"));
  }));
});
