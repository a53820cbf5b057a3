import { dropKnownImports } from "./drop_known_imports.ts";

/** Where a line of the joined module comes from: the code cell, numbered as the kernel does, and the line in it. */
export interface CellLine {
  readonly cell: number;
  readonly line: number;
}

/** The cells of a notebook as one module. */
export interface JoinedCells {
  readonly code: string;
  /** The cell and line behind a line of the module (1-based), undefined for a line between cells. */
  locate(line: number): CellLine | undefined;
}

/**
 * Joins code cells into one module, as one after the other sees the names of those before.
 *
 * A module may import a name only once, cells may repeat themselves: repeated imports are blanked. No line moves within
 * its cell, so an error's place can be told. Each cell is preceded by a call that announces it.
 *
 * @param capture URL of the module that exports `$cell`.
 */
export function joinCells(sources: readonly string[], capture: string): JoinedCells {
  const known = new Map<string, string>();
  const lines = [`import { $cell } from ${JSON.stringify(capture)};`];
  const origins: (CellLine | undefined)[] = [undefined];
  sources.forEach((source, i) => {
    const cell = i + 1;
    lines.push(`await $cell(${cell});`);
    origins.push(undefined);
    dropKnownImports(source, known).split("\n").forEach((line, j) => {
      lines.push(line);
      origins.push({ cell, line: j + 1 });
    });
  });
  lines.push("await $cell(0);", "");
  return { code: lines.join("\n"), locate: (line) => origins[line - 1] };
}
