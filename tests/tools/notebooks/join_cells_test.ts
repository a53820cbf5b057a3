import fc from "fast-check";
import assert from "node:assert/strict";
import { dropKnownImports, joinCells } from "@/tools/notebooks/join_cells.ts";

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

/** What is left of the last of some cells. */
function last(...cells: string[]): string {
  const known = new Map<string, string>();
  return cells.map((cell) => dropKnownImports(cell, known)).at(-1)!;
}

const kept: [name: string, ...cells: string[]][] = [
  ["a first import", `import { a } from "m";`],
  ["the same name from elsewhere, for the checker to refuse", `import { a } from "m";`, `import { a } from "n";`],
  ["another export under the same name", `import { a } from "m";`, `import { b as a } from "m";`],
  ["a value after its type", `import type { A } from "m";`, `import { A } from "m";`],
  ["an import for its effect", `import "m";`, `import "m";`],
  ["words that look like an import", `import { a } from "m";`, `const x = 'import { a } from "m";';`],
];
for (const [name, ...cells] of kept) {
  Deno.test(`dropKnownImports() keeps ${name}`, () => assert.equal(last(...cells), cells.at(-1)));
}

const changed: [name: string, first: string, second: string, left: string][] = [
  ["a repeated import", `import { a } from "m";`, `import { a } from "m";\na();`, `\na();`],
  [
    "an import over several lines",
    `import { a, b } from "m";`,
    `import {\n  a,\n  b,\n} from "m";\na();`,
    `\n\n\n\na();`,
  ],
  ["one name of two", `import { a } from "m";`, `import { a, b } from "m";`, `import { b } from "m";`],
  ["a default beside a new name", `import d from "m";`, `import d, { b } from "m";`, `import { b } from "m";`],
  ["a namespace", `import * as n from "m";`, `import * as n from "m";`, ``],
  [
    "a renamed name",
    `import { a as x } from "m";`,
    `import { a as x, b as y } from "m";`,
    `import { b as y } from "m";`,
  ],
  ["a repeated type", `import type { A } from "m";`, `import type { A, B } from "m";`, `import type { B } from "m";`],
  ["the hint to types above", `import { a } from "m";`, `// @ts-types="t"\nimport { a } from "m";\na();`, `\n\na();`],
];
for (const [name, first, second, left] of changed) {
  Deno.test(`dropKnownImports() drops ${name}, and moves no line`, () => {
    assert.equal(last(first, second), left);
    assert.equal(left.split("\n").length, second.split("\n").length);
  });
}
