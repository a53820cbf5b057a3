import fc from "fast-check";
import assert from "node:assert/strict";
import { joinCells } from "@/tools/notebooks/join_cells.ts";

Deno.test("joinCells() can tell the cell and line of every line it joined", () => {
  const line = fc.stringMatching(/^[a-z ]{0,9}$/);
  fc.assert(fc.property(fc.array(fc.array(line, { minLength: 1 }), { minLength: 1 }), (cells) => {
    const { code, locate } = joinCells(cells.map((lines) => lines.join("\n")), "file:///capture.ts");
    const found = code.split("\n").flatMap((text, i) => {
      const place = locate(i + 1);
      return place === undefined ? [] : [{ ...place, text }];
    });
    const expected = cells.flatMap((lines, i) => lines.map((text, j) => ({ cell: i + 1, line: j + 1, text })));
    assert.deepEqual(found, expected);
  }));
});
