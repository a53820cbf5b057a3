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

Deno.test("a value reads as it was given: each mark is escaped once", () => {
  const html = marked.parse(written`Said: ${'a run\'s "q" < 1 & > 0 (#3)'}.`["text/markdown"], { async: false });
  const marks = { "&#39;": "'", "&#34;": '"', "&quot;": '"', "&lt;": "<", "&#60;": "<", "&gt;": ">", "&#62;": ">" };
  const plain = Object.entries({ ...marks, "&#40;": "(", "&#41;": ")", "&#35;": "#", "&#38;": "&", "&amp;": "&" })
    .reduce((text, [entity, mark]) => text.replaceAll(entity, mark), html);
  assert.equal(plain.trim(), `<p>Said: a run's "q" < 1 & > 0 (#3).</p>`);
});

Deno.test("a sentence refuses NaN", async () => {
  await assert.rejects(say`λ̂ is ${NaN}`, /a sentence got NaN/);
  await assert.rejects(finding`λ̂ is ${Infinity}`, /a sentence got Infinity/);
});
