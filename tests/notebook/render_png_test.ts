import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { renderPng } from "@/notebook/figure_bundle.ts";

const draw = (family: string, weight = "normal") =>
  renderPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20">` +
      `<text x="2" y="15" font-family="${family}" font-weight="${weight}">λ word</text></svg>`,
  );

/** Width and height are the first words of the header chunk. */
const size = (png: Uint8Array) => [16, 20].map((at) => new DataView(png.buffer).getUint32(at));

function chunk(png: Uint8Array, wanted: string): Uint8Array {
  const view = new DataView(png.buffer);
  for (let at = 8; at < png.length; at += 12 + view.getUint32(at)) {
    const name = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    if (name === wanted) return png.subarray(at + 8, at + 8 + view.getUint32(at));
  }
  throw new Error(`no ${wanted}`);
}

/** The pixel data, as places in the palette: equal for equal pictures. */
const pixels = (png: Uint8Array): Uint8Array => inflateSync(chunk(png, "IDAT"));

Deno.test("renderPng() draws at half as large again, or as asked, on white", () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"></svg>`;
  assert.deepEqual(size(renderPng(svg, 2)), [60, 40]);
  const png = renderPng(svg);
  assert.deepEqual(size(png), [45, 30]);
  assert.deepEqual([...chunk(png, "PLTE")], [255, 255, 255], "white only");
});

Deno.test("renderPng() draws text in the project's font, whatever fonts the machine has", () => {
  const pinned = pixels(draw("DejaVu Sans"));
  assert.notDeepEqual(pinned, pixels(draw("DejaVu Sans", "bold")));
  for (const family of ["sans-serif", "No Such Font", "Helvetica, Arial", "DejaVu Sans Mono"]) {
    assert.deepEqual(pixels(draw(family)), pinned);
  }
  const empty = pixels(renderPng(`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"></svg>`));
  assert.notDeepEqual(pinned, empty);
});
