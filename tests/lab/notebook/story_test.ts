import { DOMParser } from "linkedom";
import assert from "node:assert/strict";
import { storyBundle } from "@/lab/notebook/story.ts";

const read = (markdown: string) =>
  new DOMParser().parseFromString(
    `<!DOCTYPE html><html><body>${storyBundle(markdown)["text/html"]}</body></html>`,
    "text/html",
  );

Deno.test("storyBundle() puts headings below the notebook's and keeps quotations", () => {
  const document = read("# Title\n\n## Round 1\n\n> **Equity:** “Share.”\n");
  assert.equal(document.querySelector("h3")?.textContent, "Title");
  assert.equal(document.querySelector("h4")?.textContent, "Round 1");
  assert.equal(document.querySelector("blockquote strong")?.textContent, "Equity:");
  assert.equal(document.querySelectorAll("h1, h2").length, 0);
});

Deno.test("storyBundle() leaves no link, image or element that the words bring", () => {
  const document = read(
    "<script>x</script>\n\na [link](javascript:alert(1)) and ![pic](https://host/x.png) <img src=x onerror=y> <https://host>",
  );
  assert.equal(document.querySelectorAll("script, a, img").length, 0);
  assert.match(String(document.body.textContent), /<script>x<\/script>[^]*a link and pic <img src=x/);
});

Deno.test("storyBundle() heads a column with words only", () => {
  const document = read("| | seats |\n| --- | ---: |\n| Docks | 40 |\n");
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  assert.deepEqual([texts("th"), texts("td")], [["seats"], ["", "Docks", "40"]]);
  assert.equal(document.querySelector("th")?.getAttribute("align"), "right");
});
