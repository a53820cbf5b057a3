import assert from "node:assert/strict";
import { mapLimited } from "@/core/pool.ts";

Deno.test("mapLimited() keeps the order and never has more at work than it may", async () => {
  let atWork = 0;
  let most = 0;
  const results = await mapLimited([3, 1, 2, 5, 4], 2, async (turns) => {
    most = Math.max(most, ++atWork);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    atWork--;
    return 10 * turns;
  });
  assert.deepEqual(results, [30, 10, 20, 50, 40]);
  assert.equal(most, 2);
});

Deno.test("mapLimited() begins nothing after an error", async () => {
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 1) throw new Error("one");
  };
  await assert.rejects(mapLimited([1, 2, 3, 4, 5, 6], 2, work), /one/);
  assert.ok(begun.length < 5, `begun: ${begun}`);
});
