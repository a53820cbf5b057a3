import { marked } from "marked";
import assert from "node:assert/strict";
import { finding, say, sentence } from "@/notebook/say.ts";

const written = (words: TemplateStringsArray, ...values: Parameters<typeof sentence>[1][number][]) =>
  sentence(words, values);

Deno.test("a sentence holds its values; unknown is said, a minus is a minus", () => {
  assert.equal(
    written`λ̂ falls by ${-0.5} in ${"HL-01"}, p ${undefined}.`["text/plain"],
    "λ̂ falls by −0.5 in HL-01, p unknown.",
  );
});

Deno.test("the words are Markdown, the values are not", () => {
  const value = "a *b* _c_ `d` [e](f) <script>x</script> # g | h";
  const html = marked.parse(written`**Roles** raise it: ${value}`["text/markdown"], { async: false });
  assert.match(html, /<strong>Roles<\/strong>/);
  assert.doesNotMatch(html, /<em>|<code>|<a |<script>/);
});

Deno.test("a value with quotation marks and signs is read as it was written", () => {
  const value = `nobody's "R&D" #1 < 2`;
  const html = marked.parse(written`${value}`["text/markdown"], { async: false });
  const seen = html.replace(/<[^>]*>/g, "").trim()
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  assert.equal(seen, value);
});

Deno.test("a sentence refuses NaN", async () => {
  await assert.rejects(say`λ̂ is ${NaN}`, /a sentence got NaN/);
  await assert.rejects(finding`λ̂ is ${Infinity}`, /a sentence got Infinity/);
});
