import fc from "fast-check";
import assert from "node:assert/strict";
import { spreadLabels } from "@/plots/station_timeline.ts";

const room = { gap: 10, top: 0, bottom: 100 };

Deno.test("labels with room stay; crowded ones move up, at the top down again", () => {
  assert.deepEqual(spreadLabels([50, 20], room), [50, 20]);
  assert.deepEqual(spreadLabels([50, 55], room), [45, 55]);
  assert.deepEqual(spreadLabels([0, 4, 2], room), [0, 20, 10]);
  assert.deepEqual(spreadLabels([100, 100], room), [90, 100]);
});

Deno.test("labels keep their order, their gap and within the room", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 8 }), (wanted) => {
      const placed = spreadLabels(wanted, room);
      const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
      order.forEach((i, k) => {
        assert.ok(placed[i]! >= 0 && placed[i]! <= 100);
        if (k > 0) assert.ok(placed[i]! - placed[order[k - 1]!]! >= 10 - 1e-9);
      });
    }),
    { seed: 1 },
  );
});
