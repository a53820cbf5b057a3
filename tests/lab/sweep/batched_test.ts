import assert from "node:assert/strict";
import { batched } from "@/lab/sweep/batched.ts";

Deno.test("batched() sends three at once, and all that come meanwhile together when the first is back", async () => {
  const rounds: { items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const send = batched(async (items: readonly number[]) => {
    const end = Promise.withResolvers<void>();
    rounds.push({ items, end });
    await end.promise;
    return items.map((n) => -n);
  });
  const results = [1, 2, 3, 4, 5, 6].map(send);
  assert.deepEqual(rounds.map(({ items }) => items), [[1], [2], [3]]);
  rounds[1]!.end.resolve();
  assert.equal(await results[1], -2);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(rounds.map(({ items }) => items), [[1], [2], [3], [4, 5, 6]]);
  for (const { end } of rounds) end.resolve();
  assert.deepEqual(await Promise.all(results), [-1, -2, -3, -4, -5, -6]);
});

Deno.test("batched() lets a failed batch fail whole, and begins anew", async () => {
  let fails = true;
  const send = batched((items: readonly string[]) =>
    fails ? Promise.reject(new Error("away")) : Promise.resolve(items)
  );
  await assert.rejects(send("a"), /away/);
  fails = false;
  assert.equal(await send("b"), "b");
});
