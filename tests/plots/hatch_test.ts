import assert from "node:assert/strict";
import { createCanvas } from "@/plots/canvas.ts";
import { hatchMark } from "@/plots/shading.ts";
import { parseSvg } from "./read_svg.ts";

for (const [width, height] of [[100, 40], [30, 90], [50, 50]] as const) {
  Deno.test(`hatching a ${width} by ${height} box stays inside and runs at 45 degrees`, () => {
    const canvas = createCanvas();
    canvas.marks(hatchMark({ x1: 10, x2: 10 + width, y1: 20, y2: 20 + height }));
    const paths = [...parseSvg(canvas.toSvg(200, "x")).querySelectorAll('g[aria-label="link"] path')];
    assert.ok(paths.length >= 6);
    for (const path of paths) {
      const [x1, y1, x2, y2] = path.getAttribute("d")!.match(/[\d.]+/g)!.map(Number) as [
        number,
        number,
        number,
        number,
      ];
      assert.ok(x1 >= 10 && x2 <= 10 + width && y2 >= 20 && y1 <= 20 + height);
      assert.equal(x2 - x1, y1 - y2);
    }
  });
}
