import assert from "node:assert/strict";
import { code, notebookOf, prose, SHOW, shown, withNotebooks } from "../../lab/notebook/notebooks.ts";
import { checkNotebooks } from "./check_notebooks.ts";
import { figure } from "../../lab/notebook/stored_figure.ts";
import { type Notebook, readNotebook } from "@/lab/tools/notebooks/notebook_file.ts";
import { reproduce } from "@/lab/tools/reproduce.ts";

const title = prose("# Title\n\nWhat it is about.");
const good = notebookOf(title, code(SHOW, [shown("ready")], 1));

/** What is said about notebooks, by their names. */
async function complaints(notebooks: Record<string, Notebook>): Promise<Record<string, string>> {
  const files = Object.fromEntries(Object.entries(notebooks).map(([name, notebook]) => [`${name}.ipynb`, notebook]));
  let message = "";
  await withNotebooks(files, async ({ folder, out }) => {
    await checkNotebooks({ folder, out }).catch((error: Error) => message = error.message);
  });
  const names = Object.keys(notebooks);
  return Object.fromEntries(names.map((name) => {
    const lines = message.split("\n").filter((line) => line.includes(`/${name}.ipynb`));
    return [name, lines.map((line) => line.replace(/^.*?\.ipynb/, "x")).join("\n")];
  }));
}

/** A good notebook with one more cell, stored as run. */
const withCell = (source: string) => notebookOf(title, code(SHOW, [shown("ready")], 1), code(source, [], 2));

/** Badly formatted, but nothing else: functions may stand in a cell, and control flow may end one. */
const FINE = `const twice = (x: number)=>[x, x]
function say(parts: TemplateStringsArray): Promise<void> { return show({ "text/plain": parts.join("") }) }
await say\`said\`
const a = [1, 2].flatMap(twice)
for (const b of a) await show({ 'text/plain': String(b) });`;
const SAID = `const said = { finding: say };
await said.finding\`found\``;

/** What `reproduce --stored` writes. */
async function stored(): Promise<Notebook> {
  const notebooks = { "x.ipynb": notebookOf(title, code(SHOW), code(FINE), code(SAID)) };
  let notebook = good;
  await withNotebooks(notebooks, async ({ folder, out, path }) => {
    await reproduce({ folder, out, only: [], stored: true });
    notebook = await readNotebook(path("x.ipynb"));
  });
  return notebook;
}

type Case = [name: string, notebook: Notebook, complaint: RegExp];

const wrong: Case[] = [
  ["a type error", withCell(`const a: string = 1;\nawait show({ "text/plain": a });`), /x, code cell 2, line 1/],
  [
    "a name used twice",
    withCell(`const a = 1;\nawait show({ "text/plain": String(a) });\nconst a = 2;`),
    /code cell 2, line 1/,
  ],
  ["a template that nobody shows", withCell("String.raw`1`;"), /x, code cell 2, line 1: ends in an expression/],
  ["a flatMap at the end", withCell("[1].flatMap((x) => [x, x]);"), /x, code cell 2, line 1: ends in an expression/],
  ["a last expression", withCell(`const a = 1;\na + 1;`), /x, code cell 2, line 2: ends in an expression/],
  ["a log at the end", withCell(`console.log(1);`), /x, code cell 2, line 1: ends in an expression/],
  ["a show without await at its value", withCell(`Promise.resolve(1);`), /ends in an expression/],
  [
    "a loop at the end",
    withCell(`const a: number[] = [];\nfor (const x of [1]) a.push(x);`),
    /line 2: ends in a loop or branch with a value/,
  ],
  [
    "a loop before a last declaration",
    withCell(`const a: number[] = [];\nfor (const x of [1]) a.push(x);\nconst b = a;\ntype C = typeof b;`),
    /line 2: ends in a loop or branch with a value/,
  ],
  [
    "import.meta",
    withCell(`const a = import.meta.url;\nawait show({ "text/plain": a });`),
    /import\.meta does not exist/,
  ],
  ["a relative import", withCell(`import { b } from "./b.ts";\nawait show({ "text/plain": b });`), /write @\//],
  [
    "the kernel's own display",
    withCell(`await Deno.jupyter.display({});\nawait show({ "text/plain": "" });`),
    /uses Deno\.jupyter/,
  ],
  ["a long cell", withCell("// a line\n\n".repeat(26).trim()), /x: code cell 2 has 26 lines, at most 25/],
  [
    "a figure without alt text",
    notebookOf(title, code(SHOW, [shown("ready"), figure({ alt: "" })], 1)),
    /x: code cell 1, figure f: has no alt text/,
  ],
  ["no title", notebookOf(prose("text")), /x: does not open with a title/],
  ["no prose", notebookOf(prose("# Title"), code(SHOW, [shown("ready")], 1)), /x: does not say below its title/],
  [
    "a broken link",
    notebookOf(prose("# T\n\n[a](no.ipynb#b)"), code(SHOW, [shown("ready")], 1)),
    /the link to no\.ipynb#b leads nowhere/,
  ],
  ["no outputs", notebookOf(title, code(SHOW)), /x: is stored without outputs/],
  ["another order", notebookOf(title, code(SHOW, [shown("ready")], 7)), /x: code cell 1 is stored as \[7\]/],
  [
    "a stored error",
    notebookOf(title, code(SHOW, [{ "output_type": "error", ename: "E", evalue: "", traceback: [] }], 1)),
    /x: code cell 1 is stored with an error: E/,
  ],
  ["cells that are not formatted", notebookOf(title, code(`${SHOW} `, [shown("ready")], 1)), /x: is not formatted/],
];

const unreadable: Case[] = [
  ["a cell that cannot be parsed", withCell(`const = 1;`), /x, code cell 2, line 1: /],
];

const wrongWhenRun: Case[] = [
  [
    "a stale output",
    notebookOf(title, code(SHOW, [shown("redy")], 1)),
    /x, code cell 1: stored output is stale, .* text\/plain: stored "redy", when run "ready"/,
  ],
  ["a cell that fails", withCell(`throw new Error("no");`), /x, code cell 2, line 1: Error: no/],
];

// Types take seconds to check, whatever their number: each of these is one call of the checker.
for (
  const [when, cases] of Object.entries({ "as it stands": wrong, "when read": unreadable, "when run": wrongWhenRun })
) {
  Deno.test(`a notebook that is wrong ${when} is told apart from good ones, with the place`, async (t) => {
    const notebooks = Object.fromEntries(cases.map(([name, notebook]) => [name.replaceAll(/\W/g, "-"), notebook]));
    const right = when === "when run" ? { good, stored: await stored() } : { good };
    const found = await complaints({ ...notebooks, ...right });
    for (const name of Object.keys(right)) assert.equal(found[name], "", name);
    for (const [name, , complaint] of cases) {
      await t.step(name, () => assert.match(found[name.replaceAll(/\W/g, "-")]!, complaint));
    }
  });
}
