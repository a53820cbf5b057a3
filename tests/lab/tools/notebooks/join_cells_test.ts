import fc from "fast-check";
import assert from "node:assert/strict";
import { joinCells } from "@/lab/tools/notebooks/join_cells.ts";

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

/** The imports above some cells, and the lines of the last cell. */
function joined(...cells: string[]): { imports: string[]; last: string[] } {
  const { code, locate } = joinCells(cells, "c"), [, ...lines] = code.split("\n");
  const first = lines.indexOf("await $cell(1);");
  return {
    imports: lines.slice(0, first),
    last: lines.filter((_, i) => i > first && locate(i + 2)?.cell === cells.length),
  };
}

const A = `import { a } from "m";`;
const cases: [name: string, first: string, second: string, imports: string[], last: string[]][] = [
  ["a repeated import stands once", A, `${A}\na();`, [A], ["", "a();"]],
  ["the same name from elsewhere stays, for the checker to refuse", A, `import { a } from "n";`, [
    ...[A, `import { a } from "n";`],
  ], [""]],
  ["another export under the same name stays", A, `import { b as a } from "m";`, [A, `import { b as a } from "m";`], [
    "",
  ]],
  ["a value stays after its type", `import type { A } from "m";`, `import { A } from "m";`, [
    ...[`import type { A } from "m";`, `import { A } from "m";`],
  ], [""]],
  ["an import for its effect stays where it is", `import "m";`, `import "m";`, [], [`import "m";`]],
  ["words of a template stay", A, "const x = `\n" + A + "`;", [A], ["const x = `", A + "`;"]],
  ["words that look like an import stay", A, `const x = '${A}';`, [A], [`const x = '${A}';`]],
  ["an import over several lines keeps its lines", A, `import {\n  a,\n  b,\n} from "m";\na();`, [
    ...[A, `import { b } from "m";`],
  ], ["", "", "", "", "a();"]],
  ["quotes do not matter", A, `import { a } from 'm';`, [A], [""]],
  ["a default beside a new name", `import d from "m";`, `import d, { b } from "m";`, [
    ...[`import d from "m";`, `import { b } from "m";`],
  ], [""]],
  ["a namespace stands once", `import * as n from "m";`, `import * as n from "m";`, [`import * as n from "m";`], [""]],
  ["a renamed name stands once", `import { a as x } from "m";`, `import { a as x, b as y } from "m";`, [
    ...[`import { a as x } from "m";`, `import { b as y } from "m";`],
  ], [""]],
  ["a repeated type stands once", `import type { A } from "m";`, `import type { A, B } from "m";`, [
    ...[`import type { A } from "m";`, `import type { B } from "m";`],
  ], [""]],
  ["the hint to types goes with its import", "", `// @ts-types="t"\n${A}\na();`, [`// @ts-types="t"`, A], [
    "",
    "",
    "a();",
  ]],
];
for (const [name, first, second, imports, last] of cases) {
  Deno.test(`joinCells(): ${name}, and no line moves`, () => {
    assert.deepEqual(joined(first, second), { imports, last });
    assert.equal(last.length, second.split("\n").length);
  });
}

Deno.test("joinCells() tells where the import that stands above the cells was first written", () => {
  const { code, locate } = joinCells(["x();", `y();\n// @ts-types="t"\n${A}`, A], "c");
  assert.deepEqual(locate(code.split("\n").indexOf(A) + 1), { cell: 2, line: 3 });
});
