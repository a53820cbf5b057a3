import { known } from "../../core/options.ts";
import type { ImportedRuns, ImportRunsOptions } from "../runs/import_runs.ts";
import { isRecordFormat, RECORD_FORMATS } from "../runs/record_formats.ts";
import { badArguments, count, listOf, type Values } from "./command.ts";

/** Flags of commands that read anybody's records; `--from FORMAT` is each command's own. */
export const RECORD_FLAGS = {
  source: { type: "string" },
  options: listOf(String),
  range: { type: "string", read: rangeOf },
  set: { type: "string", multiple: true, read: choiceOf },
} as const;

type RecordValues = Values<typeof RECORD_FLAGS> & { readonly format?: string | undefined };

/** The mapping or format of some records, and its options. */
export interface AskedRecords {
  readonly source: string;
  readonly options: Omit<ImportRunsOptions, "name">;
}

/** The records that the flags ask for; undefined where they ask for none. Throws a UserError (exit 2) on flags that do not fit. */
export function askedRecords({ source, format, options, range, set = [] }: RecordValues): AskedRecords | undefined {
  if (source !== undefined && format !== undefined) throw badArguments("give --source or --from, not both");
  const asked = source ?? format;
  const formatFlag = options !== undefined ? "--options" : range !== undefined ? "--range" : undefined;
  if (formatFlag !== undefined && !isRecordFormat(format)) {
    throw badArguments(
      `${formatFlag} belongs to --from ${RECORD_FORMATS.join(", ")}; in a mapping it is the choice state`,
    );
  }
  if (options !== undefined && range !== undefined) throw badArguments("give --options or --range, not both");
  if (asked === undefined) {
    if (set.length > 0) throw badArguments("--set changes a mapping: give --source or --from");
    return undefined;
  }
  return { source: asked, options: { ...known({ options, range }), choices: Object.fromEntries(set) } };
}

function rangeOf(text: string): [number, number] {
  const [low = NaN, high = NaN, ...rest] = text.split(",").map((part) => part.trim() === "" ? NaN : Number(part));
  if (rest.length === 0 && low < high) return [low, high];
  throw badArguments(`--range must be two rising numbers, such as 0,100; got "${text}"`);
}

/** `ended=carry`; a value that is JSON is taken as such. */
function choiceOf(text: string): [string, unknown] {
  const [, path, value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (path === undefined) throw badArguments(`--set must be CHOICE=VALUE, such as ended=carry; got "${text}"`);
  try {
    return [path.trim(), JSON.parse(value)];
  } catch {
    return [path.trim(), value];
  }
}

/** The lines that apply. */
export const those = (...lines: readonly (string | false | undefined)[]): string[] =>
  lines.filter((line) => !!line) as string[];

/** Flaws that a mapping let pass: runs that ended early, observations without a state, copies. */
export type LetPass = Partial<Pick<ImportedRuns, "carried" | "unread" | "flagged" | "copies">>;

export const importNotes = ({ carried = 0, unread = 0, flagged = 0, copies = [] }: LetPass): string[] =>
  those(
    carried > 0 && `${count(carried, "run")} ended early and ${carried === 1 ? "keeps its" : "keep their"} last state`,
    unread > 0 && `${count(unread, "turn")} without a readable state`,
    flagged > 0 && `${count(flagged, "number")} out of range`,
    copies.length > 0 && `${count(copies.length, "copied file")}`,
  );
