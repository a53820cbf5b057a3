import assert from "node:assert/strict";
import { batched } from "@/runs/postgres/batched.ts";

Deno.test("batched() sends one item at once, and all that come meanwhile together", async () => {
  const rounds: { items: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const send = batched(async (items: readonly number[]) => {
    const end = Promise.withResolvers<void>();
    rounds.push({ items, end });
    await end.promise;
    return items.map((n) => -n);
  });
  const first = send(1);
  const others = [2, 3, 4].map(send);
  assert.deepEqual(rounds.map(({ items }) => items), [[1]]);
  rounds[0]!.end.resolve();
  assert.equal(await first, -1);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(rounds.map(({ items }) => items), [[1], [2, 3, 4]]);
  rounds[1]!.end.resolve();
  assert.deepEqual(await Promise.all(others), [-2, -3, -4]);
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
