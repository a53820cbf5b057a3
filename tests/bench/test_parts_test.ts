import assert from "node:assert/strict";
import { testsOf } from "./test_parts.ts";

const filesOf = (line: string): string[] => line.split(" -- ")[1]!.split(" ");

Deno.test("every test file is in one group, in their order, and a few files make as many groups as there are cores", () => {
  for (const length of [1, 2, 3, 26, 294]) {
    const files = Array.from({ length }, (_, i) => `tests/core/${i}_test.ts`), lines = testsOf(files);
    assert.deepEqual(lines.flatMap(filesOf), files);
    assert.ok(lines.length >= Math.min(length, 2, navigator.hardwareConcurrency), `${length}: ${lines.length}`);
    assert.ok(lines.every((line) => filesOf(line).length <= 25));
  }
});

Deno.test("a test that fails in a group fails the run, and its file and line are named", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [good, bad] = [`${folder}/good_test.ts`, `${folder}/bad_test.ts`];
    await Deno.writeTextFile(good, `Deno.test("holds", () => {});\n`);
    await Deno.writeTextFile(bad, `// One line.\nDeno.test("breaks", () => {\n  throw new Error("no");\n});\n`);
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--quiet", "--allow-read", "tests/bench/together.ts", "--", good, bad],
      env: { NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert.equal(success, false);
    assert.match(text, /^breaks => .*bad_test\.ts:2:6$[^]*at .*bad_test\.ts:3:9/m);
    assert.match(text, /^FAILED \| 1 passed \| 1 failed/m);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
