import type { Cell, Notebook, Output } from "./notebook_file.ts";

/**
 * A notebook as Jupyter itself writes it (keys sorted, one space of indentation, text as arrays of lines), so that
 * saving it there changes nothing.
 */
export function notebookText(notebook: Notebook): string {
  const cells = notebook.cells.map((cell) => ({
    ...cell,
    source: toLines(cell.source),
    ...(cell.cell_type === "code" ? { outputs: cell.outputs.map(outputLines) } : {}),
  }));
  return `${JSON.stringify(sortKeys({ ...notebook, cells }), null, 1)}\n`;
}

/**
 * The notebook with what every saved one must have: format 4.5, an id for each cell (by its place, where there is none),
 * this project's kernel, no version of the language and no times.
 */
export function canonical(notebook: Notebook): Notebook {
  return {
    ...notebook,
    nbformat_minor: Math.max(5, notebook.nbformat_minor),
    metadata: {
      ...notebook.metadata,
      kernelspec: { display_name: "Deno (Chaos Lab)", language: "typescript", name: "chaos-lab" },
      language_info: {
        codemirror_mode: "typescript",
        file_extension: ".ts",
        mimetype: "text/x.typescript",
        name: "typescript",
        nbconvert_exporter: "script",
        pygments_lexer: "typescript",
      },
    },
    cells: notebook.cells.map((cell, index): Cell => {
      const { execution: _, ...metadata } = cell.metadata;
      return { ...cell, id: cell.id ?? `cell-${index + 1}`, metadata };
    }),
  };
}

function outputLines(output: Output): unknown {
  if (output.output_type === "stream") return { ...output, text: toLines(output.text) };
  if (output.output_type === "error") return output;
  const data = Object.entries(output.data).map((
    [type, value],
  ) => [type, typeof value === "string" && type.startsWith("text/") ? toLines(value) : value]);
  return { ...output, data: Object.fromEntries(data) };
}

const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) => [key, sortKeys(item)]));
}
