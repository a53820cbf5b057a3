import { pathToFileURL } from "node:url";
import { writeAtomically } from "../write_atomically.ts";
import { type ReadNotebook, runnableCells } from "./notebook_file.ts";
import { notebookName, type Workspace } from "./workspace.ts";

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
 * @returns one line a complaint: notebook, cell, line and what to do.
 */
export async function checkStyle(notebooks: readonly ReadNotebook[], workspace: Workspace): Promise<string[]> {
  const cells = notebooks.flatMap(({ path, notebook }) =>
    runnableCells(notebook).map(({ source }, i) => {
      const name = notebookName(path);
      return { where: `${name}, code cell ${i + 1}`, source, file: workspace.path(name, `.cell-${i + 1}.ts`) };
    })
  );
  if (cells.length === 0) return [];
  for (const { file, source } of cells) await writeAtomically(file, `${source}\n`);
  const { stdout, stderr } = await new Deno.Command("deno", {
    args: ["lint", "--json", "--config", workspace.config, ...cells.map(({ file }) => file)],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const report = readReport(new TextDecoder().decode(stdout), new TextDecoder().decode(stderr));
  const whereOf = new Map(cells.flatMap(({ file, where }) => [[file, where], [pathToFileURL(file).href, where]]));
  return [
    ...report.diagnostics.map(({ filename, range, message }) =>
      `${whereOf.get(filename) ?? filename}, line ${range.start.line}: ${message}`
    ),
    ...report.errors.map(({ file_path, message }) => {
      const [words, line] = readParseError(message);
      return `${whereOf.get(file_path) ?? file_path}${line}: ${words}`;
    }),
  ];
}

function readReport(stdout: string, stderr: string): LintReport {
  try {
    return JSON.parse(stdout) as LintReport;
  } catch (cause) {
    throw new Error(`deno lint gave no report:\n${stderr}`, { cause });
  }
}

/** `Expected ',' at file:///…:3:5` and a copy of the line: the words and where they belong. */
function readParseError(message: string): [words: string, line: string] {
  const [, words = message, line] = /^(.*?) at file:\S*:(\d+):\d+/.exec(message) ?? [];
  return [words.split("\n")[0]!, line === undefined ? "" : `, line ${line}`];
}
