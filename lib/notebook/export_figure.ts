import { join } from "node:path";
import type { Figure } from "../figures/figure.ts";
import { checkFigure } from "./figure_bundle.ts";
import { renderPng } from "./render_png.ts";
import { toCsv } from "./to_csv.ts";
import { writeAtomically } from "./write_atomically.ts";

/**
 * Saves a figure as `name.svg`, `name.png` (twice the size) and `name.csv` (the data behind it).
 *
 * @param folder is made when missing; files of the same names are replaced.
 * @returns the three paths.
 * @throws {UserError} when the folder cannot be written to. @throws {RangeError} when the figure is not complete.
 */
export async function exportFigure(figure: Figure, folder: string): Promise<string[]> {
  checkFigure(figure);
  const files: [string, string | Uint8Array][] = [
    [`${figure.name}.svg`, figure.svg],
    [`${figure.name}.png`, renderPng(figure.svg)],
    [`${figure.name}.csv`, toCsv(figure.rows)],
  ];
  const paths: string[] = [];
  for (const [name, content] of files) {
    const path = join(folder, name);
    await writeAtomically(path, content);
    paths.push(path);
  }
  return paths;
}
