import assert from "node:assert/strict";
import { openStack, type OpenStackRun } from "@/plots/open_stack.ts";
import { boxes, texts } from "./read_svg.ts";

const RUN = {
  label: "a",
  q: 0.9,
  parts: { public_order: 0.16, time_to_pass: 0.12 },
  open: { earned: 0.62, weight: 0.72 },
};
const draw = (...runs: OpenStackRun[]) => openStack({ groups: [{ label: "g", runs }], synthetic: false });
const bars = (svg: string) => boxes(svg).filter(({ height }) => height === 13);

Deno.test("parts adjoin in the order of the components, and the open block ends at q", () => {
  const { svg } = draw(RUN);
  const [order, pass, open] = bars(svg);
  const scale = 720 - 160 - 130;
  assert.ok(Math.abs(order!.width - 0.16 * scale) < 0.05 && Math.abs(pass!.width - 0.12 * scale) < 0.05);
  assert.ok(Math.abs(pass!.x - order!.x - order!.width) < 0.05);
  assert.equal(open!.fill, "white");
  assert.ok(Math.abs(open!.x + open!.width - 160 - 0.9 * scale) < 0.1);
});

Deno.test("q and the earned share stand beside the bar; the legend names the components that are drawn", () => {
  const said = texts(draw(RUN).svg);
  // 0.62 / 0.72.
  for (const words of ["0.900, 86.1 %", "2 public order", "5 time to pass"]) assert.ok(said.includes(words), words);
  assert.ok(!said.some((words) => words.includes("trust")));
  assert.ok(texts(draw({ ...RUN, open: { earned: 0, weight: 0 } }).svg).includes("0.900"), "no share of nothing");
});

Deno.test("rows keep what is not determined apart from what is zero", () => {
  const [row] = draw({ ...RUN, parts: { ...RUN.parts, passed_depth: 0 } }).rows;
  assert.deepEqual([row!.passed_depth, row!.trust, row!.openEarned], [0, undefined, 0.62]);
});

Deno.test("openStack() names the run that it refuses", () => {
  const error = (run: Partial<OpenStackRun>, message: RegExp) =>
    assert.throws(() => draw({ ...RUN, ...run }), { name: "RangeError", message });
  error({ parts: { trust: NaN } }, /run "a" is NaN/);
  error({ parts: { trust: -0.1 } }, /run "a" has -0\.1; parts are at least 0/);
  error({ open: { earned: 0.7, weight: 0.6 } }, /open block of "a" earns 0\.7 of 0\.6/);
});
