import words from "./fold_names.json" with { type: "json" };

/** Words for calls, in the order in which a name mentions them: first the work, then what is shown. */
const WORK = Object.entries(words).map(([words, calls]) => ({ words, calls: new RegExp(`\\b(?:${calls})\\(`) }));

/** True if a cell only imports. */
export const importsOnly = (source: string): boolean =>
  source.replace(/^\s*(?:\/\/.*|import\b[^;]*;)\s*$/gm, "").trim() === "" && /\bimport\b/.test(source);

/** True if a cell only names values to change: constants without a call. */
export const parametersOnly = (source: string): boolean =>
  source.split("\n").every((line) => /^\s*(?:\/\/.*|const \w+ = [^(]*;?(?:\s*\/\/.*)?|[^()]*)$/.test(line)) &&
  /^const /m.test(source);

/**
 * A cell's work in a few words: its own first comment where that is one short line, otherwise what its calls do and
 * what it shows, otherwise the values that it makes.
 */
export function foldName(source: string): string {
  if (importsOnly(source)) return "set-up";
  const [first = "", second = ""] = source.trim().split("\n");
  if (/^\/\/ ?\S/.test(first) && first.length < 80 && !second.startsWith("//")) {
    return first.slice(2).trim().replace(/\.$/, "");
  }
  const work = WORK.filter(({ calls }) => calls.test(source)).map(({ words }) => words).slice(0, 2);
  const quoted = (key: string) =>
    new RegExp(`\\b${key}: (?:"([^"]+)"|` + "`([^`$]+)`)").exec(source)?.slice(1).join("");
  const drawn = /\b(?:plot|scorePlot)\(/.test(source)
    ? quoted("title") ?? quoted("name")?.replaceAll("-", " ")
    : undefined;
  const listed = /\btable\(/.test(source) ? quoted("caption") : undefined;
  const shown = drawn ? [`draw “${drawn}”`] : listed ? [`table “${listed}”`] : [];
  const parts = [...work, ...shown];
  if (parts.length > 0) return parts.join(", ");
  if (/\b(?:transcript|sideBySide)\(/.test(source)) return "print what was said";
  if (/\bfinding\b/.test(source)) return "sum up";
  const made = [...source.matchAll(/^(?:const|let|function) (\w+)/gm)].map(([, name]) => spaced(name!)).slice(0, 3);
  if (made.length > 0) return `work out ${made.join(", ")}`;
  return /\bsay`/.test(source) ? "put the result into words" : "show the result";
}

/** `conditionsAbove` as `conditions above`. */
const spaced = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
