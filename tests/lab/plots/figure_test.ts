import * as Plot from "@observablehq/plot";
import { Resvg } from "@resvg/resvg-js";
import assert from "node:assert/strict";
import { type Figure, SYNTHETIC_SENTENCE } from "@/lab/plots/figure.ts";
import { plotFigure } from "@/lab/plots/plot_figure.ts";
import { overlaps, parseSvg, textBoxes, texts } from "./read_svg.ts";

/** What a sample is drawn with: words put into every label, and whether it says that it is synthetic. */
interface Look {
  readonly extra?: string;
  readonly synthetic?: boolean;
}

/** Lines with a legend, and named rows with a context. */
const SAMPLES: Readonly<Record<string, (look?: Look) => Figure>> = {
  series: ({ extra = "", synthetic = true } = {}) => {
    const rows = ["with roles", "without"].flatMap((name, i) =>
      [1, 2, 3].map((round) => ({ round, D: 0.1 * round + i / 7, condition: name + extra }))
    );
    return plotFigure({
      ...{ name: "series", synthetic, caption: "D over rounds", color: { legend: true } },
      marks: [
        Plot.lineY(rows, { x: "round", y: "D", stroke: "condition" }),
        Plot.dot(rows, { x: "round", y: "D", fill: "condition" }),
      ],
    });
  },
  titled: ({ extra = "", synthetic = true } = {}) =>
    plotFigure({
      ...{
        name: "titled",
        synthetic,
        context: "HL-01, T = 0",
        caption: `Slopes${extra}`,
        title: `Slopes${extra}`,
        y: { label: null },
      },
      marks: [
        Plot.dot([{ lambda: 1 / 3, scenario: "HL-01" }, { lambda: 2, scenario: "IM-01" }], {
          x: "lambda",
          y: "scenario",
        }),
      ],
    }),
};

const HOSTILE = ` <script>alert(1)</script> & "q" ]]> \u202e\u0000 <b>`;

const LONG =
  ", a very long name that nobody would give to anything, least of all to a model, but which has to be drawn all the same";

for (const [kind, draw] of Object.entries(SAMPLES)) {
  Deno.test(`${kind}: one SVG document on a white card, 720 wide, without script, style or id`, () => {
    const { svg } = draw();
    const root = parseSvg(svg);
    assert.equal(root.tagName, "svg");
    assert.equal(root.getAttribute("xmlns"), "http://www.w3.org/2000/svg");
    assert.equal(root.getAttribute("viewBox"), `0 0 720 ${root.getAttribute("height")}`);
    assert.equal(root.firstElementChild!.getAttribute("fill"), "#ffffff");
    assert.equal(root.querySelectorAll("script, style, foreignObject, image, a, [id]").length, 0);
    assert.doesNotMatch(svg, /(transform|d|x|y|height)="[^"]*\.\d{2}/, "tenths of a pixel do");
    assert.doesNotMatch(svg, /NaN|Infinity|undefined,|url\(|⚠/);
  });

  for (const extra of ["", LONG]) {
    Deno.test(`${kind}: no text covers another or leaves the card, names ${extra === "" ? "short" : "long"}`, () => {
      const { svg } = draw({ extra });
      assert.deepEqual(overlaps(svg), []);
      const height = Number(parseSvg(svg).getAttribute("height"));
      const outside = textBoxes(svg).filter(({ left, right, top, bottom }) =>
        left < 0 || right > 720 || top < 0 || bottom > height
      );
      assert.deepEqual(outside, []);
    });
  }

  Deno.test(`${kind}: the same data give the same bytes`, () => assert.deepEqual(draw(), draw()));

  Deno.test(`${kind}: the caption ends with the synthetic sentence exactly where the data are synthetic`, () => {
    assert.ok(draw({ synthetic: true }).caption.endsWith(`. ${SYNTHETIC_SENTENCE}`));
    assert.ok(!draw({ synthetic: false }).caption.includes("Synthetic"));
  });

  Deno.test(`${kind}: markup in labels stays text`, () => {
    const { svg, alt, caption, name } = draw({ extra: HOSTILE });
    const root = parseSvg(svg);
    assert.deepEqual([...root.querySelectorAll("script, b")], []);
    assert.match(texts(svg).join(""), /<script>alert\(1\)/);
    for (const letter of ["\u202e", "\u0000"]) assert.ok(!(svg + alt + caption).includes(letter));
    assert.match(name, /^[a-z-]+$/);
    // A strict XML reader takes it, so every & and < is escaped.
    assert.equal(new Resvg(svg, { font: { loadSystemFonts: false } }).width, 720);
  });

  Deno.test(`${kind}: alt text is in the SVG too, and the rows hold no NaN`, () => {
    const { svg, alt, rows } = draw();
    assert.equal(parseSvg(svg).getAttribute("aria-label"), alt);
    assert.ok(alt.length > 60 && rows.length > 0);
    const keys = Object.keys(rows[0]!).sort();
    for (const row of rows) {
      assert.deepEqual(Object.keys(row).sort(), keys);
      assert.ok(Object.values(row).every((value) => typeof value !== "number" || Number.isFinite(value)));
    }
  });
}

const drawVerdicts = (options: object) =>
  plotFigure({
    ...{ name: "verdicts", synthetic: false, caption: "Measured q" },
    marks: [Plot.dot([{ q: 1 }, { q: 2 }], { x: "q" })],
    ...options,
  });

Deno.test("a name must do as a file name", () => {
  assert.equal(drawVerdicts({}).name, "verdicts");
  assert.equal(drawVerdicts({ name: "verdicts-hl01" }).name, "verdicts-hl01");
  for (const name of ["", "../x", "a b", "A", "<x>"]) assert.throws(() => drawVerdicts({ name }), RangeError);
});

Deno.test("context opens the alt text, and the provenance that ends the caption; an alt text of one's own replaces the built one", () => {
  const { alt, caption } = drawVerdicts({ context: "HL-01, T = 0" });
  assert.ok(alt.startsWith("HL-01, T = 0. Plot of dot; x: q, 1 to 2."));
  assert.equal(caption, "Measured q. HL-01, T = 0.");
  const own = drawVerdicts({ alt: "Mine & <mine>" });
  assert.equal(own.alt, "Mine & <mine>");
  assert.ok(own.svg.includes('aria-label="Mine &amp; &lt;mine&gt;"'));
  assert.throws(() => drawVerdicts({ alt: " " }), /needs an alt text/);
});
