import { nearest, UserError } from "../core/user_error.ts";

/** A run's place in the records, and its name. */
export interface SourcePlace {
  readonly id: string;
  readonly file: string;
  readonly line?: number | undefined;
}

/** A flaw of a unit, with the choice of the mapping that would let it pass. */
export class SourceFlaw extends Error {
  constructor(readonly words: string, readonly choice: string, readonly line?: number | undefined) {
    super(`${words}; choice: ${choice}`);
  }

  /** The flaw with the name of whose it is. */
  of(whose: string, line: number | undefined): SourceFlaw {
    return new SourceFlaw(`${whose}: ${this.words}`, this.choice, this.line ?? line);
  }
}

/** The result of some work on a unit. A flaw becomes a UserError that names file, line and run, as they are by then. */
export function located<T>(place: SourcePlace, work: () => T): T {
  try {
    return work();
  } catch (flaw) {
    if (!(flaw instanceof SourceFlaw)) throw flaw;
    const { file, id } = place, line = flaw.line ?? place.line;
    const isUnnamed = id.startsWith(file), hasPlace = isUnnamed && id !== file;
    const parts = [
      isUnnamed ? id : file,
      ...(line === undefined || hasPlace ? [] : [`line ${line}`]),
      ...(isUnnamed ? [] : [`run ${id}`]),
    ];
    throw new UserError(`${parts.join(": ")}: ${flaw.message}`, { cause: flaw });
  }
}

/** A row of a table: all rows share one map of columns. */
export class Row {
  constructor(readonly cells: readonly string[], readonly columns: ReadonlyMap<string, number>) {}
}

export type Paths = string | readonly string[];

/** The value at the first of some paths that leads to one, in JSON or in a row. A cell without text is no value. */
export function valueAt(value: unknown, paths: Paths): unknown {
  if (typeof paths === "string") return value instanceof Row ? cellAt(value, paths) : fieldAt(value, paths);
  for (const path of paths) {
    const found = valueAt(value, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function cellAt({ cells, columns }: Row, name: string): unknown {
  if (name === "") return Object.fromEntries([...columns].map(([column, i]) => [column, cells[i]]));
  const cell = cells[columns.get(name) ?? -1];
  // Most cells begin with no blank, and a comparison takes less time than a pattern.
  return cell && (cell.charCodeAt(0) > 0x20 || NO_BLANK.test(cell)) ? cell : undefined;
}

const fieldAt = (value: unknown, path: string): unknown => path === "" ? value : path.split(".").reduce(fieldOf, value);

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}

const NO_BLANK = /\S/;

/** Says that nothing is at a path, what is there instead, and the name nearest to the path's. */
export function nothingAt(value: unknown, paths: Paths, what = "nothing"): string {
  if (Array.isArray(value)) return `there is ${what} at ${JSON.stringify(paths)} in a list of ${value.length}`;
  const fields = value instanceof Row ? [...value.columns.keys()] : Object.keys(Object(value)).slice(0, 12);
  const last = [paths].flat()[0]!, near = fields.includes(last) ? undefined : nearest(last, fields, { count: 1 })[0];
  return `there is ${what} at ${JSON.stringify(paths)} among ${fields.join(", ") || "no fields"}${
    near ? `: did you mean ${near}?` : ""
  }`;
}

/** The list at a path. Throws a `SourceFlaw` where there is none. */
export function listAt(value: unknown, paths: Paths, choice: string): readonly unknown[] {
  const list = valueAt(value, paths);
  if (Array.isArray(list)) return list;
  throw new SourceFlaw(nothingAt(value, paths, "no list"), choice);
}
