import assert from "node:assert/strict";
import { chartLayout } from "@/explorer/committee/chart_layout.ts";
import { placeIn, triangle } from "@/explorer/committee/simplex_drawing.ts";
import { slopeLayout } from "@/explorer/committee/slope_strip.ts";
import { referenceSlopes } from "@/stats/reference_slopes.ts";

const near = (a: number, b: number, within = 1e-9) => assert.ok(Math.abs(a - b) <= within, `${a}, expected ${b}`);
const D = Array.from({ length: 20 }, (_, i) => 0.01 * 1.1 ** (i + 1));
const growing = { D, from: 3, to: 20, lambda: Math.log(1.1), intercept: Math.log(0.01) };
/** The corners of a path, as numbers. */
const corners = (path: string) =>
  [...path.matchAll(/([ML])([-\d.]+) ([-\d.]+)/g)].map(([, kind, x, y]) => ({
    ...{ kind, x: Number(x), y: Number(y) },
  }));

Deno.test("on the scale of ln D exponential growth is a straight line, and the fit lies on it", () => {
  const { points, fit } = chartLayout(growing, { width: 600, scale: "log" });
  assert.equal(points.length, 20);
  const step = points[1]!.y - points[0]!.y;
  points.forEach(({ y }, i) => near(y, points[0]!.y + i * step));
  const [first, last] = [corners(fit)[0]!, corners(fit).at(-1)!];
  near(first.x, points[2]!.x, 0.06), near(first.y, points[2]!.y, 0.06);
  near(last.x, points[19]!.x, 0.06), near(last.y, points[19]!.y, 0.06);
});

Deno.test("on the scale of D heights above the axis are as the distances, and the fit is a curve", () => {
  const { points, frame, fit } = chartLayout(growing, { width: 600, scale: "linear" });
  near((frame.bottom - points[19]!.y) / (frame.bottom - points[9]!.y), 1.1 ** 10);
  const middle = corners(fit)[34]!, [first, last] = [corners(fit)[0]!, corners(fit).at(-1)!];
  assert.ok(middle.y > (first.y + last.y) / 2 + 1, "below its chord");
});

Deno.test("ticks stand where their numbers are", () => {
  const { points, yTicks, xTicks } = chartLayout(growing, { width: 600, scale: "log" });
  const perUnit = (points[19]!.y - points[0]!.y) / (Math.log(D[19]!) - Math.log(D[0]!));
  for (const { at, text } of yTicks) {
    near(at, points[0]!.y + perUnit * (Number(text.replace("−", "-")) - Math.log(D[0]!)));
  }
  for (const { at, text } of xTicks) near(at, points[Number(text) - 1]!.x);
  assert.ok(yTicks.length >= 3 && xTicks.length === 20);
});

Deno.test("dots of the window are marked, and the shade encloses just them", () => {
  const { points, window: { x, width } } = chartLayout({ ...growing, from: 5, to: 9 }, { width: 600, scale: "log" });
  const inside = points.filter((point) => point.x >= x && point.x <= x + width);
  assert.deepEqual(inside, points.slice(4, 9));
  assert.deepEqual(points.filter(({ fitted }) => fitted), inside);
});

Deno.test("a distance of zero leaves a gap in ln D and stands on the axis in D", () => {
  const content = { D: [1, 2, 0, 4, 8], from: 1, to: 5 };
  const log = chartLayout(content, { width: 400, scale: "log" });
  assert.deepEqual(corners(log.curve).map(({ kind }) => kind).join(""), "MLML");
  assert.equal(log.fit, "");
  const linear = chartLayout(content, { width: 400, scale: "linear" });
  near(linear.points[2]!.y, linear.frame.bottom);
  const none = chartLayout({ D: [0, 0, 0], from: 1, to: 3 }, { width: 400, scale: "log" });
  assert.deepEqual([none.points, none.curve], [[], ""]);
});

Deno.test("everything drawn stays inside the frame at every width", () => {
  for (const width of [240, 352, 900]) {
    for (const scale of ["log", "linear"] as const) {
      const { points, fit, frame, xTicks } = chartLayout(growing, { width, scale });
      for (const { x, y } of [...points, ...corners(fit)]) {
        assert.ok(x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom, `${width}: ${x}, ${y}`);
      }
      xTicks.slice(1).forEach(({ at }, i) => assert.ok(at - xTicks[i]!.at > 14, "ticks do not meet"));
    }
  }
});

Deno.test("slopes stand in order on the strip, their words on the side with room", () => {
  const references = referenceSlopes();
  const { references: [steady, walk, straight], dot, bar } = slopeLayout(
    { references, lambda: 0.0764, low: 0.06, high: 0.12 },
    600,
  );
  const share = (x: number) => (x - steady!.x) / (straight!.x - steady!.x);
  near(share(walk!.x), 0.5);
  near(share(dot!), 0.0764 / references.ballistic);
  assert.ok(bar![0] < dot! && dot! < bar![1] && bar![1] > straight!.x);
  assert.deepEqual([steady!.before, straight!.before], [false, true]);
  assert.equal(walk!.text, "random walk, √t: 0.0509");
  const { dot: none, bar: nothing } = slopeLayout({ references }, 600);
  assert.deepEqual([none, nothing], [undefined, undefined]);
});

Deno.test("a corner of the triangle is full preference, its middle is equal shares", () => {
  const place = triangle(400), { top, left, right } = place;
  assert.deepEqual([placeIn(place, [1, 0, 0]), placeIn(place, [0, 1, 0]), placeIn(place, [0, 0, 1])], [
    top,
    left,
    right,
  ]);
  const side = (a: readonly number[], b: readonly number[]) => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!);
  near(side(top, left), side(left, right));
  near(side(top, right), side(left, right));
  const [x, y] = placeIn(place, [1 / 3, 1 / 3, 1 / 3]);
  near(x, 200), near(y, (top[1] + left[1] + right[1]) / 3);
});
