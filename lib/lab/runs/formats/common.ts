import { basename } from "node:path";
import { stat } from "node:fs/promises";
import { UserError } from "../../../core/user_error.ts";
import type { RunSourceChoices } from "../../../record/run_source.ts";

/** How a text, or the number in a column, becomes a state. */
export interface FormatOptions {
  /** The options of a vote, in order: in a text, the option that is named last counts. */
  readonly options?: readonly string[] | undefined;
  /** Lower and upper end of a number: in a text, the last number counts. */
  readonly range?: readonly [number, number] | undefined;
}

/** The records of one condition, and the mapping that reads them. */
export interface ConditionSource {
  readonly files: readonly string[];
  readonly source: RunSourceChoices;
}

/** The name of a condition after the file or folder that holds it. */
export const nameAfter = (path: string): string =>
  basename(path).replace(/\.(?:csv|tsv|txt|jsonl?|ndjson|eval|zip)$/i, "");

/** The files of each condition: those that hold one run are one condition together, any other and each folder is one by itself. */
export async function filesByCondition(
  files: readonly string[],
  holdsOneRun: (file: string) => boolean,
): Promise<string[][]> {
  const folders = await Promise.all(files.map(isFolder));
  const single = files.filter((file, i) => !folders[i] && holdsOneRun(file));
  const others = files.filter((file) => !single.includes(file)).map((file) => [file]);
  return single.length > 0 ? [...others, single] : others;
}

const isFolder = (path: string): Promise<boolean> => stat(path).then((status) => status.isDirectory(), () => false);

/** A text's JSON. Throws a UserError that names the file. */
export function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError(`${file}: is not JSON (${(cause as Error).message})`, { cause });
  }
}

/** The speakers of a chat that are no members of the group. */
export const NOT_MEMBERS = ["system", "tool", "developer"];

/** How a text becomes a state: by the option, or the number, that it names last. */
export function textState(
  at: string | string[],
  { options, range }: FormatOptions,
): RunSourceChoices["state"] | undefined {
  if (range !== undefined) return { kind: "number", at, range: [...range], pattern: NUMBER };
  if (options === undefined) return undefined;
  // A single letter in another case is a word of its own: "a" is no vote for A.
  const anyCase = options.every((option) => option.length > 1);
  return { kind: "vote", at, options: [...options], pattern: anyOf(options), anyCase };
}

/** A number with all that stands in it: 1,000 and 0,5 are then no number, instead of 0 and 5. */
const NUMBER = String.raw`[-+]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][-+]?\d+)?`;

export const unclearState = (file: string): UserError =>
  new UserError(
    `${file}: how a message becomes a state is not clear; give the options of the vote (--options yes,no) or the range of a ` +
      "number (--range 0,100), or write a mapping",
    { exitCode: 2 },
  );

/** A regular expression that finds any of some words, and a longer one before its beginning. */
function anyOf(words: readonly string[]): string {
  const parts = words.toSorted((a, b) => b.length - a.length).map((word) => {
    const written = word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    return `${/^\w/.test(word) ? String.raw`\b` : ""}${written}${/\w$/.test(word) ? String.raw`\b` : ""}`;
  });
  return `(${parts.join("|")})`;
}

/** A message is a text, or a list of parts of which the last with a text is what was said. */
export const MESSAGE_TEXT = ["content.2.text", "content.1.text", "content.0.text", "content"];
