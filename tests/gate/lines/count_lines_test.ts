import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { countLines } from "./count_lines.ts";

const notebook = (...cells: string[]) =>
  JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: cells.map((source) => ({ cell_type: "code", metadata: {}, source, execution_count: null, outputs: [] })),
  });

const TREE = {
  "README.md": "seven b",
  "CHANGELOG.md": "",
  "lib/mod.ts": 'export { one } from "./core/mod.ts";\n',
  "lib/core/mod.ts": '/** The room. */\nexport { one, type Two } from "./one.ts";\n',
  "lib/core/one.ts": `/**
 * Not a line.
 */
import { three } from "./deep/three.ts"; // a line

// Not a line.
export const one = /* a line */ three + 1;
export type Two = 2;
`,
  "lib/core/deep/three.ts": "export const three = 3;\n",
  "lib/lab/tools/mod.ts": 'export { one } from "../core/mod.ts";\n',
  "tests/core/one_test.ts": "",
  "tests/core/two_test.ts": "",
  "tests/core/helper.ts": "",
  "tests/bench/two_test.ts": "",
  "notebooks/a.ipynb": notebook(
    "// why\nconst asPublished = rows!.map((row) => row!.q);\n\nconst between = (x: number) => x;",
    'function twice() {}\nconst said = `${rows[0]!} and a "!"`;\nif (said !== "") { const between = () => 1; }',
  ),
  "notebooks/folder/b.ipynb": notebook("async function between() {}", "const asPublished = 1; const twice = 2;"),
};

Deno.test("lines, files, floors, names, cells and tests are counted as by hand", async () => {
  const root = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(TREE)) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), text);
    }
    assert.deepEqual(await countLines(root), {
      rooms: {
        core: { lines: 5, files: 3, floors: 2 },
        "lab/tools": { lines: 1, files: 1, floors: 0 },
        library: { lines: 6, files: 4 },
        lib: { lines: 7, files: 5 },
      },
      others: {
        "names exported by all rooms": 2,
        "names exported by lib/mod.ts": 1,
        "code lines of notebook cells": 7,
        "non-null ! in cells": 3,
        "asPublished in cells": 2,
        "helpers of one name in several notebooks": 1,
        "README.md, bytes": 7,
        "CHANGELOG.md, bytes": 0,
        "test files that mirror no file of lib/": 1,
      },
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
