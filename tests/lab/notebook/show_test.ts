import assert from "node:assert/strict";
import { show } from "@/lab/notebook/show.ts";

const unshowable: [value: unknown, message: RegExp][] = [
  [Promise.resolve({ "text/plain": "x" }), /await the value first/],
  [{ "image/svg+xml": "<svg/>" }, /shown blank/],
  [[{ a: 1 }], /an array; table\(rows, \{ caption \}\)/],
  [null, /not null/],
  [3, /type number/],
  [{}, /type object/],
];
for (const [value, message] of unshowable) {
  Deno.test(`show() refuses what would not be seen: ${message.source}`, async () => {
    await assert.rejects(show(value as never), message);
  });
}
