import assert from "node:assert/strict";
import { nullHistogram } from "@/plots/null_histogram.ts";
import { boxes, parseSvg, texts } from "./read_svg.ts";

const bars = (svg: string) => boxes(svg).filter(({ height }) => height > 0);
const observed = (svg: string) =>
  [...parseSvg(svg).querySelectorAll('g[aria-label="rule"] line')].filter((line) =>
    line.getAttribute("x1") === line.getAttribute("x2")
  );

Deno.test("bars are as high as their counts", () => {
  // Three draws near 0, one at 0.05: two bars, three to one.
  const { svg } = nullHistogram({ draws: [0.0001, 0.0002, 0.0003, 0.05], synthetic: false });
  const [three, one] = bars(svg);
  assert.equal(bars(svg).length, 2);
  assert.ok(Math.abs((three!.height + 1) / (one!.height + 1) - 3) < 0.05);
  assert.ok(three!.x < one!.x);
});

Deno.test("the observed slope stands right of every draw that is smaller, and p is in the caption", () => {
  const { svg, caption, alt } = nullHistogram({
    ...{ draws: Array.from({ length: 1999 }, (_, i) => (i - 999) / 1e5), lambda: 0.0838, p: 0.0005, synthetic: false },
    studentisedP: 0.0123,
  });
  const [line] = observed(svg);
  assert.ok(bars(svg).every(({ x, width }) => x + width < Number(line!.getAttribute("x1"))));
  assert.ok(texts(svg).includes("observed λ\u0302 = 0.0838"));
  assert.match(caption, /1,999 permutations/);
  assert.match(caption, /p = 0\.0005 by permutation \(the smallest possible is 0\.0005\)\. p = 0\.0123 by studentised/);
  assert.match(alt, /1999 slopes of permuted data, from −0\.0100 to 0\.0100 nats per round/);
});

Deno.test("without an observed slope there is no line, and the reason is said", () => {
  const { svg, caption, rows } = nullHistogram({ draws: [0, 0.01], reason: "missing-rounds", synthetic: false });
  assert.equal(observed(svg).length, 0);
  assert.ok(texts(svg).includes("The observed slope is undefined: missing rounds."));
  assert.match(caption, /No p-value: missing rounds/);
  assert.deepEqual(rows.map(({ lambda }) => lambda), [undefined, 0, 0.01]);
});

Deno.test("draws that all agree make one bar", () => {
  const { svg } = nullHistogram({ draws: [0, 0, 0], lambda: 0, p: 1, synthetic: false });
  assert.equal(bars(svg).length, 1);
  assert.ok(bars(svg)[0]!.width > 5 && bars(svg)[0]!.width < 100);
});

Deno.test("nullHistogram() refuses draws that are no numbers", () => {
  assert.throws(() => nullHistogram({ draws: [0, NaN], synthetic: false }), { name: "RangeError", message: /draw 2/ });
});
