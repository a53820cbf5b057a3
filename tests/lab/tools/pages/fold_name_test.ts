import assert from "node:assert/strict";
import { foldName, importsOnly, parametersOnly } from "@/lab/tools/pages/fold_name.ts";

const NAMES: Readonly<Record<string, string>> = {
  "// How the published slopes compare.\nconst a = f();": "How the published slopes compare",
  "// A first line that\n// goes on\nconst slopes = slopeRows(runs);": "fit λ̂",
  "const runs = await runShown(spec);\nconst printed = await loadLandscape();":
    "run the committees, read published numbers",
  'await show(plot({ name: "figure-1a", about, title: "Runs drift apart" }));': "draw “Runs drift apart”",
  'await show(plot({ name: "figure-1a", about }));': "draw “figure 1a”",
  'const D = divergence(means);\nawait table(rows, { caption: "Distances" });': "measure distances, table “Distances”",
  "const lastRound = 20, apart = far;\nconst highestOf = 3;": "work out last round, highest of",
  "await finding`x`;": "sum up",
  "await say`x`;": "put the result into words",
};
for (const [source, name] of Object.entries(NAMES)) {
  Deno.test(`the fold of a cell is called: ${name}`, () => assert.equal(foldName(source), name));
}

Deno.test("cells of imports and of parameters are told from those that work", () => {
  assert.ok(importsOnly(`// @ts-types="x"\nimport { a,\n  b } from "c";\nimport * as d from "e";`));
  assert.ok(!importsOnly(`import a from "b";\nconst c = 1;`));
  assert.ok(parametersOnly(`const a = { b: "c" }; // as in the paper (1)\nconst d = [1, 2];`));
  assert.ok(!parametersOnly("const a = f(1);"));
  assert.ok(!parametersOnly("await f(1);"));
});
