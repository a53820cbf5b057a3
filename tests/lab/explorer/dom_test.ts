import assert from "node:assert/strict";
import { later } from "@/lab/explorer/dom.ts";

Deno.test("a task runs once however often it is asked for, and not before a pause", async () => {
  let runs = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = later(0, () => {
    runs++;
    resolve();
  });
  for (let i = 0; i < 3; i++) ask();
  assert.equal(runs, 0);
  await promise;
  assert.equal(runs, 1);
});
