import assert from "node:assert/strict";
import { lastLine } from "@/runs/lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

for (
  const [text, offset, state] of [
    ["", 0, "ended"],
    ["{}\n", 3, "ended"],
    ["\n\n", 2, "ended"],
    ["{}", 0, "whole"],
    ['{}\n{"é":1}', 3, "whole"],
    ["{}\r\n{}\r", 4, "whole"],
    ['{}\n{"é":', 3, "torn"],
    ["{", 0, "torn"],
    ["{}\n\0\0", 3, "torn"],
  ] as const
) {
  Deno.test(`lastLine() of ${JSON.stringify(text)} begins at ${offset} and is ${state}`, () => {
    assert.deepEqual(lastLine(bytes(text)), { offset, state });
  });
}

Deno.test("lastLine() takes half a character for a torn line, where replacing it would make JSON", () => {
  assert.deepEqual(lastLine(new Uint8Array([...bytes('{}\n"'), 0xc3, ...bytes('"')])), { offset: 3, state: "torn" });
});
