import assert from "node:assert/strict";
import { seriesStyle } from "@/lab/plots/series.ts";

Deno.test("thirty-five series all look different, and the first seven differ in every way that there is", () => {
  const styles = Array.from({ length: 35 }, (_, i) => seriesStyle(i));
  assert.equal(new Set(styles.map((style) => JSON.stringify(style))).size, 35);
  assert.equal(new Set(styles.slice(0, 7).map(({ symbol }) => symbol)).size, 7);
  assert.equal(new Set(styles.slice(0, 5).map(({ dash }) => dash)).size, 5);
});
