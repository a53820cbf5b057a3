import assert from "node:assert/strict";
import { overlaps, svgBox, textBoxes } from "@/plots/text_boxes.ts";
import { parseSvg } from "./read_svg.ts";

const svg = (content: string) =>
  parseSvg(`<svg xmlns="http://www.w3.org/2000/svg" font-size="10" text-anchor="start">${content}</svg>`);
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`);

// "00" is 2 × 0.64 em wide: 12.8 pixels at 10.
Deno.test("textBoxes() adds up the places of a text and all groups above it", () => {
  const [box] = textBoxes(
    svg(`<g transform="translate(100,50)"><text transform="translate(3,4)" y="0.5em">00</text></g>`),
  );
  near(box!.left, 103);
  near(box!.right, 115.8);
  near(box!.bottom, 54 + 5 + 2);
});

for (const [anchor, left] of [["start", 0], ["middle", -6.4], ["end", -12.8]] as const) {
  Deno.test(`textBoxes() hangs a text by its ${anchor}`, () => {
    near(textBoxes(svg(`<text text-anchor="${anchor}">00</text>`))[0]!.left, left);
  });
}

Deno.test("textBoxes() turns a rotated text: a quarter turn makes its width its height", () => {
  const [box] = textBoxes(svg(`<text transform="translate(20,30) rotate(-90)">00</text>`));
  near(box!.bottom - box!.top, 12.8);
  near(box!.bottom, 30);
});

Deno.test("textBoxes() gives a box to each line of a text, and none to what is hidden or empty", () => {
  const boxes = textBoxes(svg(
    `<text><tspan x="0" dy="0">one</tspan><tspan x="0" dy="1em">two</tspan></text><g visibility="hidden"><text>no</text></g><text> </text>`,
  ));
  assert.deepEqual(boxes.map(({ text }) => text), ["one", "two"]);
  near(boxes[1]!.bottom - boxes[0]!.bottom, 10);
});

Deno.test("overlaps() names the pairs that cover each other, and not those side by side", () => {
  assert.deepEqual(overlaps(textBoxes(svg(`<text>00</text><text x="12">11</text><text x="40">22</text>`))), [
    "00 / 11",
  ]);
});

Deno.test("svgBox() is in the coordinates of the element itself", () => {
  const root = svg(`<g transform="translate(100,50)"><text x="1">00</text></g>`);
  const { x, width } = svgBox(root.querySelector("g")!);
  near(x, 1);
  near(width, 12.8);
});
