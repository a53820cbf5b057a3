import { z } from "zod";
import { readJson } from "../../storage/read_json.ts";

/** Jupyter writes long text as an array of lines; in memory it is one string. */
const Lines = z.union([z.string(), z.array(z.string())]).transform((text) =>
  typeof text === "string" ? text : text.join("")
);

const Data = z.record(z.string(), z.unknown()).transform((data) =>
  Object.fromEntries(Object.entries(data).map(([type, value]) => [type, isLines(value) ? value.join("") : value]))
);

const isLines = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((line) => typeof line === "string");

const Output = z.discriminatedUnion("output_type", [
  z.looseObject({ output_type: z.literal("stream"), name: z.enum(["stdout", "stderr"]), text: Lines }),
  z.looseObject({ output_type: z.literal("display_data"), data: Data, metadata: z.record(z.string(), z.unknown()) }),
  z.looseObject({ output_type: z.literal("execute_result"), data: Data, metadata: z.record(z.string(), z.unknown()) }),
  z.looseObject({
    output_type: z.literal("error"),
    ename: z.string(),
    evalue: z.string(),
    traceback: z.array(z.string()),
  }),
]);
/** One output of a code cell. */
export type Output = z.infer<typeof Output>;

const shared = { id: z.string().min(1).optional(), metadata: z.record(z.string(), z.unknown()), source: Lines };
const Cell = z.discriminatedUnion("cell_type", [
  z.looseObject({ cell_type: z.literal("markdown"), ...shared }),
  z.looseObject({ cell_type: z.literal("raw"), ...shared }),
  z.looseObject({
    cell_type: z.literal("code"),
    ...shared,
    execution_count: z.int().nullable(),
    outputs: z.array(Output),
  }),
]);
/** One cell; `source` is its whole text. */
export type Cell = z.infer<typeof Cell>;
export type CodeCell = Extract<Cell, { cell_type: "code" }>;

/** A Jupyter notebook of format 4. Fields that we do not use are kept. */
export const Notebook = z.looseObject({
  nbformat: z.literal(4),
  nbformat_minor: z.int().min(0),
  metadata: z.record(z.string(), z.unknown()),
  cells: z.array(Cell),
});
export type Notebook = z.infer<typeof Notebook>;

/** A notebook that has been read, and where from. */
export interface ReadNotebook {
  /** Absolute. */
  readonly path: string;
  readonly notebook: Notebook;
}

/**
 * Reads a notebook.
 *
 * @throws {UserError} when the file is missing or is no notebook of format 4, with file, line and rule.
 */
export async function readNotebook(path: string): Promise<Notebook> {
  return await readJson(path, Notebook);
}

/** The cells that run: code with something in it. A kernel numbers these 1, 2, 3… */
export function runnableCells(notebook: Notebook): CodeCell[] {
  return notebook.cells.filter((cell): cell is CodeCell => cell.cell_type === "code" && cell.source.trim() !== "");
}
