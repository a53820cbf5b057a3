import assert from "node:assert/strict";
import { COLOURS, MUTED } from "@/plots/palette.ts";
import { predictionsPlot } from "@/plots/predictions_plot.ts";
import { dots, lines, texts } from "./read_svg.ts";

Deno.test("one sign for each seed: dot, cross or dash", () => {
  const held = [true, true, false, undefined, true];
  const predictions = [{ statement: "roles > no roles", promised: true, expected: 0.9, held }];
  const { svg, rows } = predictionsPlot({ predictions, synthetic: false });
  const signs = dots(svg).filter(({ at }) => at[0] > 260 && at[1] > 40);
  const yes = signs.filter(({ fill }) => fill === COLOURS[0]);
  const no = signs.filter(({ stroke, fill }) => stroke === COLOURS[1] && fill === "none");
  assert.deepEqual([yes.length, no.length], [3, 1]);
  const undecided = lines(svg).filter(({ stroke, parts }) => stroke === MUTED && parts[0]![0]![1] > 40);
  assert.equal(undecided.length, 1);
  const step = yes[1]!.at[0] - yes[0]!.at[0];
  assert.ok(Math.abs(no[0]!.at[0] - yes[0]!.at[0] - 2 * step) < 0.02, "in the order of the seeds");
  assert.deepEqual(rows.map(({ seed, held }) => [seed, held]), held.map((outcome, i) => [i + 1, outcome]));
});

Deno.test("the share counts decided seeds only", () => {
  const predictions = [
    { statement: "a", promised: true, expected: 1, held: [true, true, false, undefined] },
    { statement: "b", promised: false, expected: "about half", held: [undefined] },
  ];
  const { svg, alt } = predictionsPlot({ predictions, unit: "master seed", synthetic: false });
  assert.match(alt, /a \(promised\): held in 2 of 3, share 0\.67, 1 undecided, expected 1\.00\./);
  assert.match(alt, /b \(not promised\): share undefined: nothing decided, 1 undecided, expected about half/);
  assert.ok(texts(svg).includes("promised") && texts(svg).includes("not promised"));
});

Deno.test("many seeds wrap into lines", () => {
  const held = Array.from({ length: 60 }, () => true);
  const { svg } = predictionsPlot({ predictions: [{ statement: "a", promised: true, held }], synthetic: false });
  const signs = dots(svg).filter(({ at }) => at[0] > 260 && at[1] > 40);
  assert.equal(signs.length, 60);
  assert.equal(new Set(signs.map(({ at }) => at[1])).size, 3);
});

Deno.test("predictionsPlot() refuses an expected share outside 0 to 1", () => {
  const predictions = [{ statement: "a", promised: true, expected: 95, held: [] }];
  assert.throws(() => predictionsPlot({ predictions, synthetic: false }), {
    name: "RangeError",
    message: /of "a" is 95/,
  });
});
