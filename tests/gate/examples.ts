import { posix } from "node:path";
import { pathToFileURL } from "node:url";

/** One example in a module's comments or a document, by the file's path from the project's folder. */
export interface Example {
  readonly file: string;
  /** Lines of the file: its opening fence, and its closing one. */
  readonly from: number;
  readonly to: number;
  readonly code: string;
}

const COMMENT = /^[ \t]*\/\*\*[^]*?\*\//gm;
const FENCED = /^```(\w*)(.*)\n([^]*?)^```/gm;
const IMPORT = /^import\b[^;]*?["'][^"']+["'][^;\n]*;?$/gm;

/**
 * The TypeScript examples of a file that are meant to run: those that `deno test --doc` finds. One that bears the name of a
 * file is a program of its own: its types are checked with the others, and a test runs it where it belongs.
 */
export function examplesIn(file: string, text: string): Example[] {
  if (file.endsWith(".md")) return fencedIn(file, text, 1);
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) =>
    fencedIn(file, comment.replaceAll(/^[ \t]*\*(?:\/| ?)/gm, ""), text.slice(0, index).split("\n").length)
  );
}

const fencedIn = (file: string, text: string, firstLine: number): Example[] =>
  [...text.matchAll(FENCED)].flatMap(({ 0: block, 1: language, 2: attributes, 3: code, index }) => {
    if (!/^(?:ts|typescript)$/.test(language!) || /\bignore\b|\.ts$/.test(attributes!)) return [];
    const from = firstLine + text.slice(0, index).split("\n").length - 1;
    return [{ file, from, to: from + block.split("\n").length - 1, code: code! }];
  });

/**
 * The example as a module with one function that runs it, its lines where they stand in the file. As `deno test --doc`
 * does, it imports what the file exports.
 *
 * @param exported the names that the file exports.
 */
export function moduleOf({ file, from, code }: Example, exported: readonly string[]): string {
  const imports = (code.match(IMPORT) ?? []).map((line) =>
    line.replace(/"(\.{1,2}\/[^"]+)"/, (_, path) => `"${new URL(path, pathToFileURL(posix.resolve(file)))}"`)
  );
  const blank = (text: string) => text.replaceAll(/[^\n]/g, "");
  const url = JSON.stringify(pathToFileURL(posix.resolve(file)).href);
  const body = code.replaceAll(IMPORT, blank).replaceAll("import.meta.url", url);
  const given = new Set(imports.flatMap((line) => line.split(/\bfrom\b/)[0]!.match(/\w+/g)!));
  const own = exported.filter((name) => !given.has(name) && new RegExp(String.raw`\b${name}\b`).test(body));
  const fromFile = own.length > 0 ? [`import { ${own.join(", ")} } from ${url};`] : [];
  const head = [...imports, ...fromFile].map((line) => line.replaceAll(/\s*\n\s*/g, " ")).join(" ");
  return `${head} export default async function () {${"\n".repeat(from)}${body}}\n`;
}
