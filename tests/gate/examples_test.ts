import assert from "node:assert/strict";
import { examplesIn, moduleOf } from "./examples.ts";

const SOURCE = `/**
 * Twice a number.
 *
 * \`\`\`ts
 * import assert from "node:assert/strict";
 * import { half } from "../core/half.ts";
 *
 * assert.equal(twice(half(2)), 2);
 * \`\`\`
 *
 * \`\`\`ts ignore
 * twice("never run");
 * \`\`\`
 *
 * \`\`\`sh
 * deno task test
 * \`\`\`
 */
export const twice = (x: number): number => 2 * x;
`;

Deno.test("the examples of a module are the TypeScript in its comments that is not marked as ignored", () => {
  const [example, ...more] = examplesIn("lib/core/twice.ts", SOURCE);
  assert.deepEqual([more, example!.from, example!.to], [[], 4, 9]);
  assert.match(example!.code, /^import assert from "node:assert\/strict";\n.*\n\nassert\.equal\(.*\);\n$/);
});

Deno.test("a document's examples stand in its text, each with its lines", () => {
  const text = "# Title\n\n```ts\nfirst();\n```\n\n```json\n{}\n```\n\n```ts\nsecond();\n```\n\n" +
    "```ts study.ts\nthird();\n```\n";
  assert.deepEqual(examplesIn("README.md", text), [
    { file: "README.md", from: 3, to: 5, code: "first();\n" },
    { file: "README.md", from: 11, to: 13, code: "second();\n" },
  ]);
});

Deno.test("an example's module imports what the file exports and the example uses, and keeps its lines", () => {
  const [example] = examplesIn("lib/core/twice.ts", SOURCE);
  const lines = moduleOf(example!, ["twice", "half", "thrice"]).split("\n");
  assert.equal(lines[7], "assert.equal(twice(half(2)), 2);");
  assert.match(lines[0]!, /import \{ half \} from "file:\/\/\/.*\/lib\/core\/half\.ts"; /);
  assert.match(lines[0]!, /import \{ twice \} from "file:\/\/\/.*\/lib\/core\/twice\.ts"; export default async/);
});

Deno.test("a failing example fails the run, at its line of the file", async () => {
  const file = await Deno.makeTempFile({ suffix: ".md" });
  try {
    await Deno.writeTextFile(
      file,
      '# Title\n\n```ts\nconst a: number = 1;\nif (a > 0) throw new Error("too large");\n```\n',
    );
    const args = [
      "test",
      "--quiet",
      "--no-check",
      "--allow-read",
      "--allow-write=data/out",
      "tests/gate/run_examples.ts",
    ];
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [...args, "--", file],
      env: { NO_COLOR: "1" },
    }).output();
    assert.equal(success, false);
    assert.match(new TextDecoder().decode(stdout), /Error: too large[^]*\/3\.ts:5:[^]*0 passed \| 1 failed/);
  } finally {
    await Deno.remove(file);
  }
});
