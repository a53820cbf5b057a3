import { DOMParser } from "linkedom";
import assert from "node:assert/strict";
import { figureBundle } from "@/notebook/figure_bundle.ts";
import type { Figure } from "@/plots/figure.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20" font-family="DejaVu Sans">` +
  `<text y="15">λ&lt;é</text></svg>`;
const figure: Figure = {
  name: "growth",
  svg: SVG,
  alt: `A "rising" line & more\n<b>bold</b>`,
  caption: "D(t) <script>alert(1)</script>",
  rows: [{ round: 1, distance: -0.5 }],
};

function readHtml(html: unknown) {
  return new DOMParser().parseFromString(`<!DOCTYPE html><html><body>${html}</body></html>`, "text/html");
}

const decode = (url: string) =>
  url.includes(";base64,")
    ? new TextDecoder().decode(Uint8Array.fromBase64(url.split(";base64,")[1]!))
    : decodeURIComponent(url.slice(url.indexOf(",") + 1));

Deno.test("figureBundle() embeds the SVG as an image, byte for byte, with the alt text", () => {
  const bundle = figureBundle(figure);
  const image = readHtml(bundle["text/html"]).querySelector("figure > img")!;
  assert.equal(decode(image.getAttribute("src")!), SVG);
  assert.equal(image.getAttribute("alt"), figure.alt);
  assert.equal(bundle["text/plain"], figure.alt);
  assert.deepEqual(Object.keys(bundle).sort(), ["image/png", "text/html", "text/plain"]);
});

Deno.test("figureBundle() shows markup in captions as text", () => {
  const html = readHtml(figureBundle(figure)["text/html"]);
  assert.equal(html.querySelectorAll("script, svg, b").length, 0);
  assert.ok(html.querySelector("figcaption")!.textContent!.startsWith(figure.caption));
});

Deno.test("figureBundle() links to the data, and holds each picture once", () => {
  const bundle = figureBundle({ ...figure, narrow: SVG.replace("<svg", "<svg data-narrow='1'") });
  const html = readHtml(bundle["text/html"]);
  const [link, ...others] = [...html.querySelectorAll("a")];
  assert.deepEqual(others, []);
  assert.equal(link!.getAttribute("download"), "growth.csv");
  assert.ok(link!.getAttribute("aria-label")!.includes(link!.textContent!.slice(0, 4).toLowerCase()));
  assert.equal(decode(link!.getAttribute("href")!), "round,distance\n1,-0.5\n");
  assert.equal(decode(html.querySelector("img")!.getAttribute("src")!), SVG);
  const source = html.querySelector("picture > source")!;
  assert.equal(source.getAttribute("media"), "(max-width:600px)");
  assert.match(decode(source.getAttribute("srcset")!), /data-narrow/);
  assert.equal(
    String(bundle["text/html"]).split(new TextEncoder().encode(SVG).toBase64()).length,
    2,
    "the SVG stands there once",
  );
});

Deno.test("figureBundle() gives fractions seven digits and leaves counts whole", () => {
  const rows = [{ seed: 3084459206, lambda: -0.0838123456789, size: 1.23456789e-12, name: "a & b, #1: 100 %" }];
  const link = readHtml(figureBundle({ ...figure, rows })["text/html"]).querySelector("a")!;
  assert.equal(
    decode(link.getAttribute("href")!),
    'seed,lambda,size,name\n3084459206,-0.08381235,1.234568e-12,"a & b, #1: 100 %"\n',
  );
});

Deno.test("figureBundle() refuses a figure that nobody could read", () => {
  assert.throws(() => figureBundle({ ...figure, alt: " " }), /growth needs an alt text/);
  assert.throws(() => figureBundle({ ...figure, name: "../up" }), /figure name/);
  assert.throws(() => figureBundle({ ...figure, svg: "<svg width='3'></svg>" }), /xmlns/);
});
