import assert from "node:assert/strict";
import { inTurn } from "@/explorer/dom.ts";

Deno.test("tasks run once however often they are asked for, in order, and others get in between", async () => {
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = inTurn(0, [
    () => {
      seen.push("first");
      queueMicrotask(() => seen.push("between"));
    },
    () => void seen.push("second"),
    resolve,
  ]);
  for (let i = 0; i < 3; i++) ask();
  assert.deepEqual(seen, [], "not before a pause");
  await promise;
  assert.deepEqual(seen, ["first", "between", "second"]);
});

Deno.test("asking again between two tasks starts over", async () => {
  const seen: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = inTurn(0, [
    () => {
      seen.push("first");
      // Asked from a task of its own, as an event of the page would.
      if (seen.length === 1) setTimeout(ask, 0);
    },
    () => {},
    () => void seen.push("last"),
    () => void (seen.length > 2 && resolve()),
  ]);
  ask();
  await promise;
  assert.deepEqual(seen.slice(-2), ["first", "last"]);
});
