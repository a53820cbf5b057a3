import assert from "node:assert/strict";
import { intervalPlot } from "@/plots/interval_plot.ts";

const draw = (options: object) =>
  intervalPlot({ rows: [{ label: "a", value: 1 }], quantity: "q", synthetic: false, ...options });

Deno.test("a name must do as a file name", () => {
  assert.equal(draw({}).name, "intervals");
  assert.equal(draw({ name: "verdicts-hl01" }).name, "verdicts-hl01");
  for (const name of ["", "../x", "a b", "A", "<x>"]) assert.throws(() => draw({ name }), RangeError);
});

Deno.test("context opens alt text and caption; an alt text of one's own replaces the built one", () => {
  const { alt, caption } = draw({ context: "HL-01, T = 0" });
  assert.ok(alt.startsWith("HL-01, T = 0. Dot plot of q"));
  assert.ok(caption.startsWith("HL-01, T = 0. Measured q."));
  const own = draw({ alt: "Mine & <mine>" });
  assert.equal(own.alt, "Mine & <mine>");
  assert.ok(own.svg.includes('aria-label="Mine &amp; &lt;mine&gt;"'));
  assert.throws(() => draw({ alt: " " }), /needs an alt text/);
});
