import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { writeAtomically } from "../../runs/files.ts";
import { localLinks } from "../pages/links.ts";
import { namePlaces } from "./explain_failure.ts";
import { joinCells } from "./join_cells.ts";
import { type Notebook, type ReadNotebook, runnableCells } from "./notebook_file.ts";
import { CAPTURE } from "./run_notebook.ts";
import { notebookName, type Workspace } from "./workspace.ts";

/**
 * Type-checks the cells of every notebook, each notebook as the one module that its cells are together.
 *
 * @returns the checker's words, with notebook, cell and line in the place of files; undefined when all is well.
 */
export async function checkCells(
  notebooks: readonly ReadNotebook[],
  workspace: Workspace,
): Promise<string | undefined> {
  const modules = notebooks.map(({ path, notebook }) => {
    const name = notebookName(path);
    const joined = joinCells(runnableCells(notebook).map(({ source }) => source), CAPTURE);
    return { name, joined, file: workspace.path(name, ".check.ts") };
  });
  for (const { file, joined } of modules) await writeAtomically(file, joined.code);
  const { success, stderr } = await new Deno.Command("deno", {
    args: ["check", "--quiet", "--config", workspace.config, ...modules.map(({ file }) => file)],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) return undefined;
  let words = new TextDecoder().decode(stderr).replace(/\n+error: Type checking failed\.[^]*$/, "").trim();
  for (const { name, joined, file } of modules) words = namePlaces(words, pathToFileURL(file).href, joined, name);
  return words;
}

/** What `deno lint --json` prints, as far as it is needed. */
interface LintReport {
  readonly diagnostics: readonly {
    readonly filename: string;
    readonly range: { readonly start: { readonly line: number } };
    readonly message: string;
  }[];
  readonly errors: readonly { readonly file_path: string; readonly message: string }[];
}

/**
 * Checks every cell by itself against the rules of `lint_cells.ts`; a cell that cannot be parsed is named too.
 *
 * @returns one line a complaint: notebook, cell, line and what to do; and whether every cell could be parsed.
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
  const { stdout, stderr } = await new Deno.Command("deno", {
    args: ["lint", "--json", "--config", workspace.config, ...cells.map(({ file }) => file)],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const report = readReport(new TextDecoder().decode(stdout), new TextDecoder().decode(stderr));
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

function readReport(stdout: string, stderr: string): LintReport {
  try {
    return JSON.parse(stdout) as LintReport;
  } catch (cause) {
    throw new Error(`deno lint gave no report:\n${stderr}`, { cause });
  }
}

/** `Expected ','`, a copy of the line, and `at file:///…:3:5`: the words and where they belong. */
function readParseError(message: string): [words: string, line: string] {
  const line = /\bat file:\S*:(\d+):\d+/.exec(message)?.[1];
  return [message.split("\n")[0]!.replace(/ at file:.*$/, ""), line === undefined ? "" : `, line ${line}`];
}

/** Lines that are not blank. */
const LONGEST_CELL = 25;

/**
 * Checks how a notebook is built: it opens with a title and prose, its cells are short and named, its links lead
 * somewhere, and it is stored as it came out of one run from the top, without errors.
 *
 * @returns one line a complaint.
 */
export async function checkStructure({ path, notebook }: ReadNotebook): Promise<string[]> {
  const name = notebookName(path);
  const complaints = [...opening(notebook), ...cellNames(notebook), ...codeCells(notebook)];
  for (const link of notebook.cells.flatMap((cell) => cell.cell_type === "markdown" ? localLinks(cell.source) : [])) {
    const file = resolve(dirname(path), decodeURIComponent(link.split("#")[0]!));
    if (await Deno.stat(file).catch(() => undefined) === undefined) {
      complaints.push(`the link to ${link} leads nowhere`);
    }
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
    const where = `code cell ${i + 1}`;
    const lines = source.split("\n").filter((line) => line.trim() !== "").length;
    return [
      ...(lines > LONGEST_CELL ? [`${where} has ${lines} lines, at most ${LONGEST_CELL} are allowed`] : []),
      ...(count === i + 1
        ? []
        : [`${where} is stored as [${count ?? " "}], not as the run from the top that it must be`]),
      ...outputs.flatMap((output) =>
        output.output_type === "error" ? [`${where} is stored with an error: ${output.ename}`] : []
      ),
      ...(outputs.some((output) => output.output_type === "execute_result")
        ? [`${where} is stored with a bare result`]
        : []),
    ];
  });
  const bare = cells.length > 0 && cells.every(({ outputs }) => outputs.length === 0);
  return bare ? [...complaints, "is stored without outputs; run reproduce --stored"] : complaints;
}
