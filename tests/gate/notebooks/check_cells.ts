import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { missing, readText, writeAtomically } from "@/record/files.ts";
import { placesOf } from "@/lab/tools/notebooks/explain_failure.ts";
import type { JoinedCells } from "@/lab/tools/notebooks/join_cells.ts";
import { type Notebook, runnableCells } from "@/lab/tools/notebooks/notebook_file.ts";
import { joinNotebook } from "@/lab/tools/notebooks/run_notebook.ts";
import { notebookName, PROJECT, runProgram, type Workspace } from "@/lab/tools/notebooks/workspace.ts";
import { localLinks } from "./local_links.ts";

/** A notebook and its path. */
export interface ReadNotebook {
  /** Absolute. */
  readonly path: string;
  readonly notebook: Notebook;
}

/**
 * Type-checks the cells of every notebook, each notebook as one module made of its cells.
 *
 * @returns the checker's message, with notebook, cell and line instead of files; undefined if there is no error.
 */
export async function checkCells(
  notebooks: readonly ReadNotebook[],
  workspace: Workspace,
): Promise<string | undefined> {
  const modules = notebooks.map(({ path, notebook }) => {
    const name = notebookName(path);
    const joined = joinNotebook(notebook);
    return { name, joined, file: workspace.path(name, ".check.ts") };
  });
  for (const { file, joined } of modules) await writeAtomically(file, joined.code);
  const config = await writeConfig(workspace, "check.json", await projectConfig());
  await writeAtomically(join(workspace.folder, "deno.lock"), await readText(join(PROJECT, "deno.lock")));
  const args = ["check", "--quiet", "--config", config, ...modules.map(({ file }) => file)];
  const { success, err } = await runProgram("deno", args);
  if (success) return undefined;
  return modules.reduce(
    (words, { name, joined, file }) => namePlaces(words, pathToFileURL(file).href, joined, name),
    err.replace(/\n+error: Type checking failed\.[^]*$/, "").trim(),
  );
}

/** The text with every place in the joined module written as notebook, cell and line. */
function namePlaces(text: string, module: string, joined: JoinedCells, notebook: string): string {
  return text.replace(placesOf(module), (found: string, line: string) => {
    const place = joined.locate(Number(line));
    return place === undefined ? found : `${notebook}, code cell ${place.cell}, line ${place.line}`;
  });
}

async function writeConfig({ folder }: Workspace, name: string, config: object): Promise<string> {
  await writeAtomically(join(folder, name), JSON.stringify(config));
  return join(folder, name);
}

/**
 * The project's configuration with absolute paths: its own excludes `data/out/` from every check. Deno extends the lock
 * file for a configuration outside the project, so the workspace has a copy of it.
 */
async function projectConfig(): Promise<object> {
  const { compilerOptions, imports, scopes } = JSON.parse(await readText(join(PROJECT, "deno.json"))) as {
    compilerOptions: unknown;
    imports: Record<string, string>;
    scopes: Record<string, Record<string, string>>;
  };
  const absolute = (path: string) => path.startsWith(".") ? new URL(path, pathToFileURL(PROJECT)).href : path;
  const mapped = (targets: Record<string, string>) =>
    Object.fromEntries(Object.entries(targets).map(([name, target]) => [name, absolute(target)]));
  return {
    compilerOptions,
    imports: mapped(imports),
    scopes: Object.fromEntries(Object.entries(scopes).map(([place, targets]) => [absolute(place), mapped(targets)])),
    lock: { path: "./deno.lock", frozen: false },
  };
}

/** The parts of the output of `deno lint --json` that are used here. */
interface LintReport {
  readonly diagnostics: readonly {
    readonly filename: string;
    readonly range: { readonly start: { readonly line: number } };
    readonly message: string;
  }[];
  readonly errors: readonly { readonly file_path: string; readonly message: string }[];
}

/**
 * Checks every cell by itself against the rules of `lint_cells.ts`; reports cells that cannot be parsed too.
 *
 * @returns one line a complaint: notebook, cell, line and the remedy; and whether every cell could be parsed.
 */
export async function checkStyle(
  notebooks: readonly ReadNotebook[],
  workspace: Workspace,
): Promise<{ complaints: string[]; parsed: boolean }> {
  const cells = notebooks.flatMap(({ path, notebook }) =>
    runnableCells(notebook).map(({ source }, i) => {
      const name = notebookName(path);
      return { where: `${name}, code cell ${i + 1}`, source, file: workspace.path(name, `.cell-${i + 1}.ts`) };
    })
  );
  if (cells.length === 0) return { complaints: [], parsed: true };
  for (const { file, source } of cells) await writeAtomically(file, `${source}\n`);
  const lint = { plugins: [new URL("./lint_cells.ts", import.meta.url).href], rules: { tags: [] } };
  const config = await writeConfig(workspace, "lint.json", { lint });
  const args = ["lint", "--json", "--config", config, ...cells.map(({ file }) => file)];
  const { out, err } = await runProgram("deno", args);
  if (!out.startsWith("{")) throw new Error(`deno lint gave no report:\n${err}`);
  const report = JSON.parse(out) as LintReport;
  const whereOf = new Map(cells.flatMap(({ file, where }) => [[file, where], [pathToFileURL(file).href, where]]));
  const complaints = [
    ...report.diagnostics.map(({ filename, range, message }) =>
      `${whereOf.get(filename) ?? filename}, line ${range.start.line}: ${message}`
    ),
    ...report.errors.map(({ file_path, message }) => {
      const [words, line] = readParseError(message);
      return `${whereOf.get(file_path) ?? file_path}${line}: ${words}`;
    }),
  ];
  return { complaints, parsed: report.errors.length === 0 };
}

/** `Expected ','`, a copy of the line, and `at file:///…:3:5`: the message and the line. */
function readParseError(message: string): [words: string, line: string] {
  const line = /\bat file:\S*:(\d+):\d+/.exec(message)?.[1];
  return [message.split("\n")[0]!.replace(/ at file:.*$/, ""), line === undefined ? "" : `, line ${line}`];
}

/** Lines that are not blank. */
const LONGEST_CELL = 25;

/**
 * Checks the structure of a notebook: it opens with a title and prose, its cells are short and have ids, its links lead
 * to files, and its outputs are stored from one run from the top, without errors.
 *
 * @returns one line a complaint.
 */
export async function checkStructure({ path, notebook }: ReadNotebook): Promise<string[]> {
  const name = notebookName(path);
  const complaints = [...opening(notebook), ...cellNames(notebook), ...codeCells(notebook)];
  for (const link of notebook.cells.flatMap((cell) => cell.cell_type === "markdown" ? localLinks(cell.source) : [])) {
    const file = resolve(dirname(path), decodeURIComponent(link.split("#")[0]!));
    if (await missing(file)) complaints.push(`the link to ${link} leads nowhere`);
  }
  return complaints.map((words) => `${name}: ${words}`);
}

function opening({ cells }: Notebook): string[] {
  const [first] = cells;
  if (first?.cell_type !== "markdown" || !/^# \S/.test(first.source)) return ["does not open with a title (# …)"];
  return /\n\s*[^#\s]/.test(first.source) ? [] : ["does not say below its title what it is about"];
}

function cellNames({ cells }: Notebook): string[] {
  const seen = new Set<string>();
  return cells.flatMap(({ id }, i) => {
    if (id === undefined) return [`cell ${i + 1} has no id; store it again with reproduce --stored`];
    if (seen.has(id)) return [`the id ${id} is used twice`];
    seen.add(id);
    return [];
  });
}

function codeCells(notebook: Notebook): string[] {
  const cells = runnableCells(notebook);
  const complaints = cells.flatMap(({ source, outputs, execution_count: count }, i) => {
    const lines = source.split("\n").filter((line) => line.trim() !== "").length;
    const error = outputs.find((output) => output.output_type === "error");
    return [
      lines > LONGEST_CELL && `has ${lines} lines, at most ${LONGEST_CELL} are allowed`,
      count !== i + 1 && `is stored as [${count ?? " "}], not as the run from the top that it must be`,
      error && `is stored with an error: ${error.ename}`,
      outputs.some((output) => output.output_type === "execute_result") && "is stored with a bare result",
    ].flatMap((words) => words ? [`code cell ${i + 1} ${words}`] : []);
  });
  const bare = cells.length > 0 && cells.every(({ outputs }) => outputs.length === 0);
  return bare ? [...complaints, "is stored without outputs; run reproduce --stored"] : complaints;
}
