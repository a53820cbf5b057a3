import { parseHTML } from "linkedom";
import assert from "node:assert/strict";
import { inlineSvg } from "@/lab/tools/pages/inline_svg.ts";

const svg = (content: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;
const made = (content: string, attributes?: string) =>
  parseHTML(`<body>${inlineSvg(svg(content, attributes))}</body>`).document.querySelector("svg")!;

const HOSTILE = {
  script: "<script>alert(1)</script>",
  "script in a picture's title": "<title>&lt;/title>&lt;script>alert(1)&lt;/script></title>",
  "foreign content": `<foreignObject><iframe src="data:text/html,x"/></foreignObject>`,
  style: `<style>*{background:url(http://e.example/)}</style><rect style="fill:url(http://e.example/)"/>`,
  event: `<rect onload="alert(1)" onclick="alert(1)"/>`,
  "link that runs": `<a href="javascript:alert(1)"><text>x</text></a><a xlink:href="java&#9;script:alert(1)"/>`,
  "foreign picture": `<image href="http://e.example/x.png"/><image href="data:image/svg+xml,x"/>`,
  "foreign reference":
    `<use href="http://e.example/x.svg#a"/><rect fill="url(http://e.example/#a)" mask="url( '//e.example' )"/>`,
  animation: `<a href="#x"><set attributeName="href" to="javascript:alert(1)"/><animate attributeName="href"/></a>`,
};
for (const [name, content] of Object.entries(HOSTILE)) {
  Deno.test(`inlineSvg() leaves out: ${name}`, () => {
    const root = made(content, `onload="alert(1)"`);
    assert.equal(root.querySelectorAll("script, style, foreignObject, iframe, set, animate").length, 0);
    for (const element of [root, ...root.querySelectorAll("*")]) {
      for (const { name, value } of element.attributes) {
        assert.doesNotMatch(name, /^on|^style$/);
        if (element.nodeName !== "title") assert.doesNotMatch(value, /script|e\.example|svg\+xml/);
      }
    }
  });
}

Deno.test("inlineSvg() gives ids that no other picture has, and references that follow them", () => {
  const [one, other] = ["1", "2"].map((r) =>
    made(`<marker id="m"><circle r="${r}"/></marker><path marker-end="url(#m)"/><a href="#run-3"><path/></a>`)
  );
  assert.equal(one!.querySelector("path")!.getAttribute("marker-end"), `url(#${one!.querySelector("marker")!.id})`);
  assert.notEqual(one!.querySelector("marker")!.id, other!.querySelector("marker")!.id);
  assert.equal(one!.querySelector("a")!.getAttribute("href"), "#run-3", "a link to a place on the page stays");
});

Deno.test("inlineSvg() lets text, card and series follow the page, but not words chosen for their ground", () => {
  const root = made(`<rect fill="#ffffff" width="9"/><path stroke="#0072B2"/><path fill="black"/>`, `fill="#1f1f1f"`);
  assert.equal(root.getAttribute("fill"), "currentColor");
  assert.equal(root.querySelector("rect")!.getAttribute("fill"), "var(--card,#ffffff)");
  const [line, area] = root.querySelectorAll("path");
  assert.equal(line!.getAttribute("stroke"), "var(--c0072b2,#0072b2)");
  assert.equal(area!.getAttribute("fill"), "currentColor");
  const cells = made(`<rect fill="#ffffff"/><g><rect fill="#9ecae1"/><text fill="black">x</text></g>`);
  assert.equal(cells.querySelector("text")!.getAttribute("fill"), "#000000");
  assert.equal(cells.querySelector("g rect")!.getAttribute("fill"), "#9ecae1");
});

Deno.test("inlineSvg() refuses what is no SVG", () => {
  assert.throws(() => inlineSvg("<p>x</p>"), /^RangeError: a figure's picture is no SVG document/);
});
