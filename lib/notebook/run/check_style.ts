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
