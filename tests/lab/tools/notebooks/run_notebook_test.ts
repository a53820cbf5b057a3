import assert from "node:assert/strict";
import { code, notebookOf, prose, SHOW, shown, withNotebooks } from "../../notebook/notebooks.ts";
import { type CodeCell, type Notebook, notebookText, runnableCells } from "@/lab/tools/notebooks/notebook_file.ts";
import { runNotebook } from "@/lab/tools/notebooks/run_notebook.ts";
import { makeWorkspace } from "@/lab/tools/notebooks/workspace.ts";

/** Runs a notebook by the name x.ipynb. */
async function run(notebook: Notebook, signal?: AbortSignal) {
  let result: Awaited<ReturnType<typeof runNotebook>> | undefined;
  await withNotebooks({ "x.ipynb": notebook }, async ({ out, path }) => {
    await using workspace = makeWorkspace(out);
    result = await runNotebook(notebook, path("x.ipynb"), { workspace, out, signal });
  });
  return result!;
}

async function outputsOf(...cells: CodeCell[]) {
  const result = await run(notebookOf(...cells));
  if (!result.ok) throw new Error(result.issue.message);
  return runnableCells(result.value).map(({ outputs }) => outputs);
}

async function complaintAbout(...sources: string[]): Promise<string> {
  const result = await run(notebookOf(prose("# T"), ...sources.map((source) => code(source))));
  assert.ok(!result.ok, "the notebook must fail");
  return result.issue.message;
}

const cell = (source: string) => code(source) as CodeCell;

Deno.test("a run fills in outputs and counts, cell by cell, and replaces what was stored", async () => {
  const result = await run(notebookOf(
    prose("# Title"),
    code(`const a = 1;\nconsole.log("a is", a, { b: [1, "x"] });`, [shown("old")], 7),
    code("  "),
    code(`${SHOW}\nconsole.error("careful");`),
  ));
  assert.ok(result.ok);
  const [, first, blank, last] = result.value.cells as CodeCell[];
  assert.deepEqual(first!.outputs, [{ "output_type": "stream", name: "stdout", text: `a is 1 { b: [ 1, "x" ] }\n` }]);
  assert.deepEqual([first!.execution_count, blank!.execution_count, last!.execution_count], [1, null, 2]);
  assert.deepEqual(last!.outputs, [shown("ready"), { "output_type": "stream", name: "stderr", text: "careful\n" }]);
});

Deno.test("cells share names, may repeat imports, and run in the notebook's folder", async () => {
  const [, outputs] = await outputsOf(
    cell(`${SHOW}\nconst here = Deno.cwd().split(/[\\\\/]/).at(-1);`),
    cell(`${SHOW}\nconsole.log(here);`),
  );
  assert.deepEqual(outputs, [shown("ready"), { "output_type": "stream", name: "stdout", text: "notebooks\n" }]);
});

Deno.test("progress leaves one output that says where it ended", async () => {
  const [outputs] = await outputsOf(cell(`
import { progress, show } from "@/lab/notebook/mod.ts";
const bar = await progress("Work", 3);
await show({ "text/plain": "between" });
for (let i = 0; i < 3; i++) await bar.advance();
await bar.finish();`));
  assert.deepEqual(outputs, [shown("Work: 3 of 3"), shown("between")]);
});

Deno.test("two runs give the same bytes", async () => {
  const notebook = notebookOf(cell(`
import { say, show, table, transcript } from "@/lab/notebook/mod.ts";
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="20"><text y="9">λ</text></svg>';
await show({ name: "f", svg, alt: "a letter", caption: "c", rows: [{ a: 1 }] });
await table([{ a: 1, b: undefined }], { caption: "t" });
await say\`The sum is \${0.1 + 0.2}.\`;
await transcript([{ speaker: "s", text: "words" }]);`));
  const [one, two] = [await run(notebook), await run(notebook)];
  assert.ok(one.ok && two.ok);
  assert.equal(runnableCells(one.value)[0]!.outputs.length, 4);
  assert.equal(notebookText(one.value), notebookText(two.value));
});

const failures: [name: string, sources: string[], message: RegExp][] = [
  [
    "an error",
    [SHOW, `const a = 1;\nthrow new RangeError("too far");\n`],
    /x\.ipynb, code cell 2, line 2: RangeError: too far$/,
  ],
  [
    "an error from the library",
    [`import { createRng } from "@/core/rng.ts";\n\nconst rng = createRng(0.5);`],
    /x\.ipynb, code cell 1, line 3: RangeError: seed must be a safe integer, got 0\.5$/,
  ],
  ["a syntax error", [SHOW, `const a = ;`], /x\.ipynb, code cell 2, line 1: SyntaxError: /],
  [
    "a missing module",
    [`const a = 1;`, `\nimport { b } from "@/no_such.ts";`],
    /x\.ipynb, code cell 2, line 2: TypeError: /,
  ],
  [
    "a missing export",
    [`import { nothing } from "@/core/rng.ts";\nnothing();`],
    /x\.ipynb, code cell 1, line 1: SyntaxError: .*nothing/,
  ],
  [
    "a rejection nobody waits for",
    [`void Promise.reject(new Error("lost"));`, SHOW],
    /x\.ipynb, code cell 1, line 1: Error: lost$/,
  ],
  ["an error in a timer", [`setTimeout(() => { throw new Error("late"); }, 0);`], /code cell 1.*: Error: late$/],
  ["a process that ends", [SHOW, `Deno.exit(0);`], /x\.ipynb: the process ended in code cell 2$/],
  [
    "a promise that never comes",
    [`await new Promise(() => {});`],
    /x\.ipynb: the process ended in code cell 1: error: Top-level await promise never resolved$/,
  ],
  ["the network", [`await fetch("http://192.0.2.1/");`], /code cell 1, line 1: NotCapable: Requires net access/],
  [
    "writing elsewhere",
    [`await Deno.writeTextFile("../../../../../stray", "");`],
    /code cell 1, line 1: NotCapable: Requires write/,
  ],
  ["something thrown that is no error", [`throw "words";`], /code cell 1.*: Error: words$/],
];
for (const [name, sources, message] of failures) {
  Deno.test(`a failing notebook names its cell: ${name}`, async () => {
    const complaint = await complaintAbout(...sources);
    assert.match(complaint, message);
    assert.doesNotMatch(complaint, /harness|file:\/\/|\n\s+at /, "no trace of the runner");
  });
}

Deno.test("a run can be stopped", async () => {
  const stopped = new Error("stopped");
  await assert.rejects(
    run(notebookOf(code("await new Promise((r) => setTimeout(r, 60_000));")), AbortSignal.abort(stopped)),
    stopped,
  );
});
