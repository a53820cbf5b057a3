import assert from "node:assert/strict";
import { tableThumbnail, thumbnail } from "@/lab/tools/pages/thumbnail.ts";

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="400" viewBox="0 0 720 400" role="img" aria-label="x">` +
  `<rect width="720" height="400" fill="#ffffff"/>${content}</svg>`;

Deno.test("a tile of a figure has its marks in whole pixels, without words, ground and axes", () => {
  const made = thumbnail(svg(
    `<g aria-label="y-axis tick"><path d="M0 0"/></g><text>word</text><path d="M1.4,2.6L3.5,4.2"/><circle cx="9.7" cy="2" r="3"/>`,
  ))!;
  assert.doesNotMatch(made, /word|rect|M0 0|width="720"/);
  assert.match(made, /<path d="M1,3L4,4"><\/path><circle cx="10" cy="2" r="3">/);
  assert.match(made, /^<svg aria-hidden="true".*viewBox="0 0 720 400"/);
});

Deno.test("a figure that stays large has no tile", () => {
  const dots = (n: number) => thumbnail(svg(`<circle cx="1" cy="2" r="3"/>`.repeat(n)));
  assert.ok(dots(100));
  assert.equal(dots(1000), undefined);
});

Deno.test("a tile of a table has its first cells as text", () => {
  const made = tableThumbnail([["a", "b", "c", "d"], ...Array.from({ length: 9 }, (_, i) => [`<r${i}>`])]);
  assert.match(made, />a<.*>b<.*>c<.*>&lt;r0&gt;<.*>&lt;r3&gt;</s);
  assert.doesNotMatch(made, />d<|r4/);
});
