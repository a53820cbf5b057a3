import * as Plot from "@observablehq/plot";
import assert from "node:assert/strict";
import { plotFigure } from "@/plots/plot_figure.ts";

const draw = (options: object) =>
  plotFigure({
    ...{ name: "verdicts", synthetic: false, caption: "Measured q" },
    marks: [Plot.dot([{ q: 1 }, { q: 2 }], { x: "q" })],
    ...options,
  });

Deno.test("a name must do as a file name", () => {
  assert.equal(draw({}).name, "verdicts");
  assert.equal(draw({ name: "verdicts-hl01" }).name, "verdicts-hl01");
  for (const name of ["", "../x", "a b", "A", "<x>"]) assert.throws(() => draw({ name }), RangeError);
});

Deno.test("context opens alt text and caption; an alt text of one's own replaces the built one", () => {
  const { alt, caption } = draw({ context: "HL-01, T = 0" });
  assert.ok(alt.startsWith("HL-01, T = 0. Plot of dot; x: q, 1 to 2."));
  assert.ok(caption.startsWith("HL-01, T = 0. Measured q."));
  const own = draw({ alt: "Mine & <mine>" });
  assert.equal(own.alt, "Mine & <mine>");
  assert.ok(own.svg.includes('aria-label="Mine &amp; &lt;mine&gt;"'));
  assert.throws(() => draw({ alt: " " }), /needs an alt text/);
});
