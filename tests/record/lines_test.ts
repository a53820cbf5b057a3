import fc from "fast-check";
import assert from "node:assert/strict";
import { byteLines, lastLine } from "@/record/lines.ts";
import { userErrorOf } from "../lab/runs/user_error_of.ts";
import { withFiles } from "../lab/runs/with_files.ts";

const MIB = 2 ** 20;

const read = async (content: Uint8Array<ArrayBuffer>, longestBytes = 4 * MIB) => {
  const seen: Uint8Array<ArrayBuffer>[] = [];
  let lines: { text: string; line: number; ended: boolean }[] = [];
  await withFiles({ x: content }, async (folder) => {
    const onBytes = (bytes: Uint8Array) => void seen.push(bytes.slice());
    lines = await Array.fromAsync(
      byteLines(`${folder}/x`, { longestBytes, onBytes }),
      ({ bytes, line, ended }) => ({ text: new TextDecoder().decode(bytes), line, ended }),
    );
  });
  return { lines, seen: new Uint8Array(await new Blob(seen).arrayBuffer()) };
};

Deno.test("byteLines() gives what splitting at line feeds gives, and onBytes sees the whole file", async () => {
  // Up to six blocks of reading, so that lines end before, on and behind a block's end.
  const length = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 2 ** 18 - 2, max: 2 ** 18 + 2 }));
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 6 }), fc.boolean(), async (lengths, closed) => {
      const texts = lengths.map((length, i) => String(i).repeat(length));
      const text = texts.join("\n") + (closed ? "\n" : "");
      const expected = text.split("\n").map((text, i, { length }) => ({ text, line: i + 1, ended: i < length - 1 }));
      if (expected.at(-1)!.text === "") expected.pop();
      const bytes = new TextEncoder().encode(text);
      const { lines, seen } = await read(bytes);
      assert.deepEqual(lines, expected);
      assert.deepEqual(seen, bytes);
    }),
    { seed: 1, numRuns: 12 },
  );
});

Deno.test("a line of the longest length is read, one of a byte more is refused with its number", async () => {
  for (const end of ["", "\n"]) {
    const of = (length: number) => new TextEncoder().encode(`a\n${"a".repeat(length)}${end}`);
    assert.deepEqual((await read(of(MIB), MIB)).lines.map(({ text }) => text.length), [1, MIB]);
    const { message } = await userErrorOf(read(of(MIB + 1), MIB));
    assert.match(message, /x: line 2 is longer than 1 MiB; does a line feed end each line\?$/);
  }
});

Deno.test("a missing file and a folder are named", async () => {
  await withFiles({ "a/x": "" }, async (folder) => {
    const refusal = async (path: string) =>
      (await userErrorOf(Array.fromAsync(byteLines(`${folder}/${path}`, { longestBytes: MIB })))).message;
    assert.match(await refusal("b"), /\/b: there is no such file; /);
    assert.match(await refusal("a"), /\/a: cannot be read \(/);
  });
});

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
