import assert from "node:assert/strict";
import { join } from "node:path";
import { code, notebookOf } from "../../notebook/notebooks.ts";
import { deepImports } from "@/tools/notebooks/check_notebooks.ts";
import { findNotebooks, readNotebook } from "@/tools/notebooks/notebook_file.ts";
import { PROJECT } from "@/tools/notebooks/workspace.ts";

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

Deno.test("imports of the notebooks that go past a room's door", async (t) => {
  for (const path of await findNotebooks(join(PROJECT, "notebooks"))) {
    const deep = deepImports(await readNotebook(path));
    // A count, not yet a rule: rooms come to export what notebooks need.
    await t.step(`${path.slice(PROJECT.length)}: ${deep.length}`, () => {});
  }
});
