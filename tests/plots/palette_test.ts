import assert from "node:assert/strict";
import { COLOURS, seriesStyle, textOn } from "@/plots/palette.ts";

/** WCAG 2 contrast of two `#rrggbb` colours. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255)
      .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

Deno.test("thirty-five series all look different, and the first seven differ in every way that there is", () => {
  const styles = Array.from({ length: 35 }, (_, i) => seriesStyle(i));
  assert.equal(new Set(styles.map((style) => JSON.stringify(style))).size, 35);
  assert.equal(new Set(styles.slice(0, 7).map(({ symbol }) => symbol)).size, 7);
  assert.equal(new Set(styles.slice(0, 5).map(({ dash }) => dash)).size, 5);
});

Deno.test("text on every colour has a contrast of at least 4.5", () => {
  for (const colour of COLOURS) assert.ok(contrast(colour, textOn(colour)) >= 4.5, colour);
  assert.equal(textOn("rgb(8, 48, 107)"), "#ffffff");
  assert.equal(textOn("rgb(247, 251, 255)"), "#000000");
});
