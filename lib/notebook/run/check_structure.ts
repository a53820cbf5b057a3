import { dirname, resolve } from "node:path";
import { localLinks } from "../html/local_links.ts";
import { type Notebook, type ReadNotebook, runnableCells } from "./notebook_file.ts";
import { notebookName } from "./workspace.ts";

const LONGEST_CELL = 15;

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
    const lines = source.split("\n").length;
    return [
      ...(lines > LONGEST_CELL ? [`${where} has ${lines} lines, at most ${LONGEST_CELL} can be taken in`] : []),
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
