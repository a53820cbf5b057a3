import assert from "node:assert/strict";
import { speakingOrder } from "@/deliberation/seat_condition.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";

const ID = ["HL-01", "IM-01", "CL-04"];

Deno.test("speakingOrder() names every seat once", () => {
  for (const id of ID) {
    for (let agents = 2; agents <= 26; agents++) {
      const order = speakingOrder(id, agents);
      assert.deepEqual(order.toSorted((a, b) => a - b), Array.from({ length: agents }, (_, seat) => seat));
    }
  }
});

Deno.test("speakingOrder() depends on the scenario, and starts anywhere", () => {
  const ids = Array.from({ length: 200 }, (_, i) => `AB-${String(i % 100).padStart(2, "0")}${i}`);
  const orders = ids.map((id) => speakingOrder(id, 5));
  assert.ok(new Set(orders.map(String)).size > 80, "of 120 orders, 200 draws meet about 97");
  for (let seat = 0; seat < 5; seat++) {
    // 200 draws at 1/5: 40, with a standard error of 5.7.
    const first = orders.filter(([first]) => first === seat).length;
    assert.ok(Math.abs(first - 40) < 4 * 5.7, `${first}`);
  }
});

Deno.test("S2.1: one order for every condition of a scenario", async () => {
  for (const scenario of ID) {
    const order = speakingOrder(scenario, 5);
    for (
      const spec of [{}, { roles: false }, { lineup: "mixed" }, { temperature: 0.7 }, { window: 3 }, {
        ablate: "Chair" as const,
      }]
    ) {
      assert.deepEqual((await loadCondition({ scenario, ...spec })).order, order);
    }
  }
});

Deno.test("the orders are written down: another one would make other experiments of the same names", () => {
  assert.deepEqual(ID.map((id) => speakingOrder(id, 5)), [[2, 3, 1, 0, 4], [0, 3, 2, 4, 1], [2, 1, 3, 0, 4]]);
});
