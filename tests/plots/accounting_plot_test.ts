import fc from "fast-check";
import assert from "node:assert/strict";
import { accountingPlot } from "@/plots/accounting_plot.ts";
import { COLOURS } from "@/plots/palette.ts";
import { boxes, parseSvg, texts } from "./read_svg.ts";

/** The bars' parts, without the legend's signs. */
const parts = (svg: string) => boxes(svg).filter(({ height }) => height === 22);

Deno.test("parts are as wide as their counts and adjoin; runs without a cause are hatched", () => {
  const conditions = [{ label: "mixed", target: 20, realised: 12, deficits: { timeout: 4, quota: 2 } }];
  const { svg, rows } = accountingPlot({ conditions, synthetic: false });
  const drawn = parts(svg);
  assert.deepEqual(drawn.map(({ width }) => width / drawn[3]!.width), [6, 2, 1, 1]);
  drawn.slice(1).forEach(({ x }, i) => assert.ok(Math.abs(x - drawn[i]!.x - drawn[i]!.width) < 0.02));
  assert.equal(new Set(drawn.map(({ fill }) => fill)).size, 4);
  assert.equal(parseSvg(svg).querySelectorAll('g[aria-label="link"]').length, 1);
  assert.match(texts(svg).join(" "), /12 of 20, missing 8: timeout 4, quota 2, unexplained 2/);
  assert.deepEqual(rows.map(({ cause, count }) => [cause, count]), [["realised", 12], ["timeout", 4], ["quota", 2], [
    "unexplained",
    2,
  ]]);
});

Deno.test("conditions share one scale and one colour for a cause", () => {
  const conditions = [
    { label: "a", target: 10, realised: 9, deficits: { quota: 1 } },
    { label: "b", target: 20, realised: 18, deficits: { timeout: 1, quota: 1 } },
  ];
  const [a, aQuota, b, timeout, bQuota] = parts(accountingPlot({ conditions, synthetic: false }).svg);
  assert.ok(Math.abs(b!.width - 2 * a!.width) < 0.05);
  assert.equal(a!.fill, COLOURS[0]);
  assert.equal(aQuota!.fill, bQuota!.fill);
  assert.notEqual(aQuota!.fill, timeout!.fill);
});

Deno.test("every planned run is in the rows, whatever the causes", () => {
  const counts = fc.array(fc.nat(9), { maxLength: 6 });
  fc.assert(
    fc.property(fc.nat(30), counts, fc.nat(5), (realised, causes, rest) => {
      const target = realised + causes.reduce((sum, count) => sum + count, 0) + rest;
      const deficits = Object.fromEntries(causes.map((count, i) => [`cause ${i}`, count]));
      const { rows } = accountingPlot({ conditions: [{ label: "a", target, realised, deficits }], synthetic: false });
      assert.equal(rows.reduce((sum, { count }) => sum + Number(count), 0), target);
    }),
    { numRuns: 20, seed: 1 },
  );
});

Deno.test("accountingPlot() refuses more runs than were planned, and parts of runs", () => {
  const draw = (realised: number) => () =>
    accountingPlot({ conditions: [{ label: "a", target: 20, realised, deficits: { quota: 1 } }], synthetic: false });
  assert.throws(draw(20), { name: "RangeError", message: '"a" accounts for 21 runs of 20 planned' });
  assert.throws(draw(1.5), { name: "RangeError", message: /realised of "a" is 1.5/ });
});
