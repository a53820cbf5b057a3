import assert from "node:assert/strict";
import { join } from "node:path";
import { code, notebookOf } from "../../notebook/notebooks.ts";
import { findNotebooks, type Notebook, readNotebook, runnableCells } from "@/tools/notebooks/notebook_file.ts";
import { PROJECT } from "@/tools/notebooks/workspace.ts";

const IMPORTED = /^\s*(?:import|export)\b[^"';]*["'](@\/[^"']+)["']|\bimport\(\s*["'](@\/[^"']+)["']/gm;

/** What a notebook's cells import from the library beside its doors, `@/mod.ts` and `@/ROOM/mod.ts`. */
const deepImports = (notebook: Notebook): string[] =>
  runnableCells(notebook)
    .flatMap(({ source }) => [...source.matchAll(IMPORTED)].map(([, fixed, dynamic]) => fixed ?? dynamic!))
    .filter((target) => !/^@\/(\w+\/)?mod\.ts$/.test(target));

Deno.test("deepImports() gives what cells import beside the rooms' doors and packages", () => {
  const cells = [
    `import { show } from "@/notebook/mod.ts";\nimport {\n  a,\n  b,\n} from "@/stats/holm.ts";`,
    `import type { C } from '@/runs/c.ts'; import * as Plot from "@observablehq/plot";`,
    `const { d } = await import("@/stats/holm.ts");\nconst text = "@/no/import.ts";\nimport "@/mod.ts";`,
  ];
  assert.deepEqual(deepImports(notebookOf(...cells.map((cell) => code(cell)))), [
    "@/stats/holm.ts",
    "@/runs/c.ts",
    "@/stats/holm.ts",
  ]);
});

Deno.test("notebooks import nothing of the library past a room's door", async () => {
  for (const path of await findNotebooks(join(PROJECT, "notebooks"))) {
    assert.deepEqual(deepImports(await readNotebook(path)), [], path);
  }
});
