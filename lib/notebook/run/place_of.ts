import type { CellLine, JoinedCells } from "./join_cells.ts";

/** The first place in the joined module that a message or a stack names, as cell and line. */
export function placeOf(text: string, module: string, joined: JoinedCells): CellLine | undefined {
  for (const [, line] of text.matchAll(pattern(module))) {
    const place = joined.locate(Number(line));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The text with every place in the joined module written as notebook, cell and line. */
export function namePlaces(text: string, module: string, joined: JoinedCells, notebook: string): string {
  return text.replace(pattern(module), (found: string, line: string) => {
    const place = joined.locate(Number(line));
    return place === undefined ? found : `${notebook}, code cell ${place.cell}, line ${place.line}`;
  });
}

function pattern(module: string): RegExp {
  return new RegExp(`${RegExp.escape(module)}:(\\d+):\\d+`, "g");
}
