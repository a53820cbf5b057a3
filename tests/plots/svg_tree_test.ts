import assert from "node:assert/strict";
import { readSvgTree } from "@/plots/svg_tree.ts";

Deno.test("readSvgTree() gives names, attributes and text with entities read", () => {
  assert.deepEqual(readSvgTree(`\n<svg a="&lt;&#955;"><g/>x &amp; <b:c  d = "1">y</b:c ></svg>\n`), {
    name: "svg",
    attributes: { a: "<λ" },
    children: [
      { name: "g", attributes: {}, children: [] },
      "x & ",
      { name: "b:c", attributes: { d: "1" }, children: ["y"] },
    ],
  });
});

const refused: Record<string, [svg: string, rule: RegExp]> = {
  "an end tag of another name": ["<svg><g></svg>", /<\/g> is expected at character 9/],
  "an end that is missing": ["<svg><g></g>", /<svg> is not closed/],
  "an end too many": ["<svg></svg></svg>", /is expected at character 12/],
  "nothing": [" ", /one element is expected/],
  "text beside the root": ["<svg/>a", /one element is expected/],
  "an attribute without quotes": ["<svg a=1/>", /neither text nor a tag at character 1/],
  "an attribute twice": [`<svg a="1" a="2"/>`, /a is given twice/],
  "a < in an attribute": [`<svg a="<"/>`, /neither text nor a tag/],
  "a bare &": ["<svg>a & b</svg>", /& that begins no known entity/],
  "an entity of HTML": ["<svg>&nbsp;</svg>", /& that begins no known entity/],
  "a control character": ["<svg>\u0007</svg>", /a control character/],
  "a comment": ["<svg><!-- --></svg>", /neither text nor a tag at character 6/],
  "a document type": ["<!DOCTYPE svg><svg/>", /neither text nor a tag at character 1/],
};
for (const [what, [svg, rule]] of Object.entries(refused)) {
  Deno.test(`readSvgTree() refuses ${what}`, () =>
    assert.throws(() => readSvgTree(svg), { name: "SyntaxError", message: rule }));
}
