import { unzipSync } from "fflate";
import { basename } from "node:path";
// @ts-types="@types/d3-dsv"
import { dsvFormat } from "d3-dsv";
import { unknownName, UserError } from "../core/user_error.ts";
import { contentOf, reading, textOf } from "../record/files.ts";
import { RunSource, type RunSourceChoices } from "../record/run_source.ts";
import { sourceFiles } from "../record/source_files.ts";

/** Formats of records that are understood without a mapping. */
export const RECORD_FORMATS = ["csv", "inspect", "messages"] as const;
export type RecordFormat = typeof RECORD_FORMATS[number];

export const isRecordFormat = (name: unknown): name is RecordFormat => RECORD_FORMATS.includes(name as RecordFormat);

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

/**
 * The conditions that records in a known format hold, each with its mapping. Of the files only as much is read as the mapping
 * needs: a table's header, the header of a log, the first messages.
 *
 * @param files `csv`: long tables (run, round, agent, then a choice or one column an option). `inspect`: logs of Inspect AI,
 * `.eval` or `.json`; each sample is a condition, its epochs are the replicates. `messages`: lists of messages, one file, line or
 * element a run; a folder is a condition of its own.
 * @throws {UserError} on columns that are missing or ambiguous, a log of a newer version, and messages whose state is not clear.
 */
export function formatSources(
  files: readonly string[],
  format: RecordFormat,
  options: FormatOptions = {},
): Promise<ConditionSource[]> {
  if (format === "csv") return csvSources(files, options);
  return format === "inspect" ? inspectSources(files, options) : messageSources(files, options);
}

/** The name of a condition after the file or folder that holds it. */
export const nameAfter = (path: string): string =>
  basename(path).replace(/\.(?:csv|tsv|txt|jsonl?|ndjson|eval|zip)$/i, "");

// Tables

/** Names of columns, the usual one first; capitals, spaces, dots and underscores do not count. */
const COLUMNS = {
  condition: ["condition", "treatment", "arm"],
  run: ["run", "runid", "replicate", "rep", "repetition", "trial", "episode", "game", "session", "simulation"],
  round: ["round", "t", "step", "turn", "time", "period", "iteration", "cycle"],
  agent: [
    "agent",
    "agentid",
    "agentname",
    "name",
    "speaker",
    "role",
    "player",
    "participant",
    "party",
    "member",
    "seat",
  ],
  choice: ["choice", "vote", "answer", "option", "decision", "response", "action", "opinion", "state"],
} as const;

type Columns = { readonly [Name in keyof typeof COLUMNS]?: string };

const plainName = (column: string): string => column.toLowerCase().replace(/[\s._-]/g, "");

/** Columns by their meaning. Throws a UserError where two columns may mean the same and neither has the usual name. */
function columnsOf(header: readonly string[], file: string): Columns {
  const found = Object.entries(COLUMNS).map(([meaning, names]) => {
    const columns = header.filter((column) => (names as readonly string[]).includes(plainName(column)));
    const usual = columns.find((column) => plainName(column) === meaning);
    if (usual === undefined && columns.length > 1) {
      throw new UserError(
        `${file}: line 1: the columns ${columns.join(" and ")} may each be the ${meaning}; name one of them ${meaning}`,
      );
    }
    return [meaning, usual ?? columns[0]] as const;
  });
  return Object.fromEntries(found.filter(([, column]) => column !== undefined));
}

function csvSources(files: readonly string[], options: FormatOptions): Promise<ConditionSource[]> {
  return Promise.all(files.map((file) => tableSources(file, options))).then((found) => found.flat());
}

async function tableSources(file: string, options: FormatOptions): Promise<ConditionSource[]> {
  const head = (await beginning(file)).replace(/^\uFEFF/, "");
  if (head.trim() === "") throw new UserError(`${file}: is empty`);
  const separator = separatorOf(head);
  const [header = [], first = []] = dsvFormat(separator).parseRows(head);
  const names = header.map((name) => name.trim()), columns = columnsOf(names, file);
  const missing = (["run", "round", "agent"] as const).filter((meaning) => columns[meaning] === undefined);
  if (missing.length > 0) {
    const words = missing.map((meaning) => `the ${meaning} (${COLUMNS[meaning].slice(0, 4).join(", ")}, …)`).join(
      " or ",
    );
    throw new UserError(`${file}: line 1: no column says ${words}; the columns are ${names.join(", ")}`);
  }
  const { condition, run, round, agent } = columns, cell = new Map(names.map((name, i) => [name, first[i] ?? ""]));
  const source: RunSourceChoices = {
    schema: "run-source/2",
    name: nameAfter(file),
    unit: "rows",
    run: run!,
    ...(separator !== "," && { separator }),
    observations: { layout: "rows", agent: agent! },
    round: { by: "path", at: round!, ...(cell.get(round!)?.trim() === "0" && { first: 0 }) },
    state: columnState(file, cell, columns, options),
  };
  if (condition === undefined) return [{ files: [file], source }];
  const conditions = await valuesOf(file, separator, names.indexOf(condition));
  return conditions.map((name) => ({ files: [file], source: { ...source, name, only: { [condition]: name } } }));
}

/** In the first line, the separator that occurs most: tables of spreadsheets have semicolons or tabs, too. */
function separatorOf(head: string): string {
  const [line = ""] = head.split(/\r?\n/, 1), counts = [",", ";", "\t"].map((sign) => line.split(sign).length);
  return [",", ";", "\t"][counts.indexOf(Math.max(...counts))]!;
}

function columnState(
  file: string,
  cell: ReadonlyMap<string, string>,
  columns: Columns,
  { options, range }: FormatOptions,
): RunSourceChoices["state"] {
  const rest = [...cell.keys()].filter((name) => !Object.values(columns).includes(name));
  const { choice } = columns, numbers = rest.filter((name) => isNumber(cell.get(name)!));
  if (range !== undefined) {
    const at = choice ?? numbers[0];
    if (at !== undefined && (choice !== undefined || numbers.length === 1)) {
      return { kind: "number", at, range: [...range] };
    }
    throw new UserError(
      `${file}: line 1: which column holds the number is not clear (${numbers.join(", ") || "none"}); name it choice`,
    );
  }
  if (choice !== undefined) {
    return { kind: "vote", at: choice, options: options === undefined ? "occurring" : [...options] };
  }
  const shares = options ?? numbers, lacking = shares.find((name) => !cell.has(name));
  if (lacking !== undefined) throw unknownName(`column of ${file}`, lacking, [...cell.keys()]);
  if (shares.length < 2) {
    throw new UserError(
      `${file}: line 1: no column holds the choice (${
        COLUMNS.choice.slice(0, 4).join(", ")
      }, …), nor do two or more hold ` +
        `shares of options; the other columns are ${rest.join(", ") || "none"}`,
    );
  }
  const sum = shares.reduce((sum, name) => sum + Number(cell.get(name)), 0);
  return { kind: "shares", options: [...shares], ...(Math.abs(sum - 100) < 1 && { total: 100 }) };
}

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

async function valuesOf(file: string, separator: string, column: number): Promise<string[]> {
  const [, ...rows] = dsvFormat(separator).parseRows(await wholeText(file));
  return [...new Set(rows.map((row) => row[column] ?? "").filter((name) => name !== ""))];
}

const HEAD_BYTES = 2 ** 16;

/** A table's first two lines, and more. */
async function beginning(file: string): Promise<string> {
  const bytes = await reading(file, async () => {
    using open = await Deno.open(file);
    const buffer = new Uint8Array(HEAD_BYTES);
    return buffer.subarray(0, await open.read(buffer) ?? 0);
  });
  const end = bytes.length < HEAD_BYTES ? bytes.length : bytes.lastIndexOf(0x0a);
  const text = textOf(bytes.subarray(0, end));
  if (text === undefined) throw new UserError(`${file}: is not UTF-8 text; save it again as UTF-8`);
  return text;
}

function wholeText(file: string): Promise<string> {
  return reading(file, () => Promise.resolve(textOf(contentOf(file) ?? new Uint8Array()) ?? ""));
}

// Texts

/** The speakers of a chat that are no members of the group. */
const NOT_MEMBERS = ["system", "tool", "developer"];

/** How a text becomes a state: by the option, or the number, that it names last. */
function textState(at: string | string[], { options, range }: FormatOptions): RunSourceChoices["state"] | undefined {
  if (range !== undefined) return { kind: "number", at, range: [...range], pattern: String.raw`-?\d+(?:\.\d+)?` };
  if (options === undefined) return undefined;
  // A single letter in another case is a word of its own: "a" is no vote for A.
  const anyCase = options.every((option) => option.length > 1);
  return { kind: "vote", at, options: [...options], pattern: anyOf(options), anyCase };
}

const unclearState = (file: string): UserError =>
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

// Logs of Inspect AI

/** The newest version of Inspect's log format that is read here; version 3 splits a sample over several files. */
const INSPECT_VERSION = 2;

interface InspectHead {
  readonly version?: unknown;
  readonly eval?: { readonly task?: unknown; readonly model?: unknown };
}

/** One sample of a log, over all its epochs. */
interface InspectSample {
  readonly file: string;
  readonly id: string | number;
  readonly condition: string;
}

const INSPECT_HEADS = ["header.json", "_journal/start.json", "start.json"];

async function inspectSources(files: readonly string[], options: FormatOptions): Promise<ConditionSource[]> {
  const logs = (await Promise.all(files.map(logsAt))).flat();
  const samples = (await Promise.all(logs.map(samplesOf))).flat();
  const state = textState(MESSAGE_TEXT, options);
  if (state === undefined) {
    throw unclearState(files.join(", "));
  }
  const conditions = Map.groupBy(samples, ({ condition, file }) => `${condition}\n${file.endsWith(".eval")}`);
  return [...conditions.values()].map((same) => {
    const { id, condition } = same[0]!, zipped = same[0]!.file.endsWith(".eval");
    return {
      files: same.map(({ file }) => file),
      source: {
        schema: "run-source/2",
        name: condition,
        ...(zipped
          ? { unit: "file", inside: `samples/${globText(id)}_epoch_*.json` }
          : { unit: "element", elements: "samples", only: { id } }),
        observations: { layout: "turns", list: "messages", agent: INSPECT_AGENT },
        round: { by: "count", every: "agents" },
        agents: { leaveOut: [...NOT_MEMBERS, "user"] },
        state,
        outside: "missing",
        hold: "last",
      },
    };
  });
}

/** A sample's id as part of a pattern of file names that means itself. */
const globText = (id: string | number): string => String(id).replace(/[\\*?{}[\]()!+@|]/g, String.raw`\$&`);

/** A message is a text, or a list of parts of which the last with a text is what was said. */
const MESSAGE_TEXT = ["content.2.text", "content.1.text", "content.0.text", "content"];
/** Who says a message: the name that a solver gives it, else its model; messages that no model made have a role alone. */
const INSPECT_AGENT = ["metadata.agent", "metadata.name", "model", "role"];

async function logsAt(path: string): Promise<string[]> {
  const { isDirectory } = await reading(path, () => Deno.stat(path));
  if (!isDirectory) return [path];
  const names = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
  const logs = names.filter((name) => /\.(?:eval|json)$/.test(name)).sort();
  if (logs.length === 0) throw new UserError(`${path}: this folder holds no log of Inspect (.eval, .json)`);
  return logs.map((name) => `${path.replace(/\/$/, "")}/${name}`);
}

async function samplesOf(file: string): Promise<InspectSample[]> {
  const zipped = file.endsWith(".eval"), json = zipped ? await inspectHead(file) : parsed(file, await wholeText(file));
  const { version, eval: spec } = (json ?? {}) as InspectHead;
  if (typeof version !== "number" || typeof spec !== "object") {
    throw new UserError(`${file}: is no log of Inspect: it has no version or no eval`);
  }
  if (version > INSPECT_VERSION) {
    throw new UserError(
      `${file}: is a log of version ${version}, and versions up to ${INSPECT_VERSION} are read here; ` +
        "write it again with 'inspect log convert', or wait for a newer Chaos Lab",
    );
  }
  const ids = zipped ? idsInZip(file) : idsIn(json);
  if (ids.length === 0) throw new UserError(`${file}: this log holds no samples`);
  const of = [spec.task, spec.model].filter((part) => typeof part === "string");
  return ids.map((id) => ({ file, id, condition: [...of, `sample ${id}`].join(", ") }));
}

/** The header of a zipped log, or what a log that was broken off has in its place. */
async function inspectHead(file: string): Promise<unknown> {
  const mapping = RunSource.parse({
    ...{ schema: "run-source/2", name: "header", unit: "file", inside: INSPECT_HEADS, state: { kind: "shares" } },
    observations: { layout: "by-round" },
  });
  const heads = await Array.fromAsync(sourceFiles([file], mapping, []));
  const found = INSPECT_HEADS.map((name) => heads.find((head) => head.file.endsWith(`:${name}`))).find((head) => head);
  return parsed(found?.file ?? file, textOf(found?.bytes ?? new Uint8Array()) ?? "");
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError(`${file}: is not JSON (${(cause as Error).message})`, { cause });
  }
}

/** The samples' ids by the names of their files; nothing is unpacked. */
function idsInZip(file: string): string[] {
  const ids = new Set<string>();
  unzipSync(contentOf(file)!, {
    filter({ name }) {
      const [, id] = /^samples\/(.*)_epoch_\d+\.json$/.exec(name) ?? [];
      if (id !== undefined) ids.add(id);
      return false;
    },
  });
  return [...ids];
}

function idsIn(json: unknown): (string | number)[] {
  const { samples } = json as { readonly samples?: unknown };
  const ids = (Array.isArray(samples) ? samples : []).map((sample) => (sample as { id?: unknown } | null)?.id);
  return [...new Set(ids.filter((id) => typeof id === "string" || typeof id === "number"))];
}

// Lists of messages

/** Where a run has its messages, and a message its speaker, its words and, in our own exports, its state. */
const LISTS = ["messages", "chat_history", "history", "transcript", "turns", ""];
const SPEAKERS = ["source", "name", "agent", "agent_name", "speaker", "author", "role"];
const SHARES = ["state", "preferences", "pref"];

async function messageSources(files: readonly string[], options: FormatOptions): Promise<ConditionSource[]> {
  const folders = await Promise.all(
    files.map(async (file) => (await reading(file, () => Deno.stat(file))).isDirectory),
  );
  const single = files.filter((_, i) => !folders[i]);
  const groups = [...files.filter((_, i) => folders[i]).map((folder) => [folder]), ...inGroups(single)];
  return await Promise.all(groups.map(async (files) => ({ files, source: await messageSource(files, options) })));
}

/** Files of one run are one condition together; a file of many runs is one by itself. */
const inGroups = (files: readonly string[]): string[][] => {
  const many = files.filter((file) => /\.(?:jsonl|ndjson|zip)$/.test(file)),
    one = files.filter((file) => !many.includes(file));
  return [...many.map((file) => [file]), ...(one.length > 0 ? [one] : [])];
};

async function messageSource(files: readonly string[], options: FormatOptions): Promise<RunSourceChoices> {
  const mapping = RunSource.parse({
    ...{ schema: "run-source/2", name: "messages", unit: "file", files: MESSAGE_FILES, inside: MESSAGE_FILES },
    ...{ observations: { layout: "by-round" }, state: { kind: "shares" } },
  });
  const first = await sourceFiles(files, mapping, []).next();
  if (first.done) throw new UserError(`${files.join(", ")}: there is no file`);
  const { file, bytes } = first.value, text = textOf(bytes) ?? "";
  const { unit, messages } = runsIn(file, text);
  const message = messages.find((one) => speakerOf(one) !== undefined && !NOT_MEMBERS.includes(speakerOf(one)!));
  if (message === undefined) {
    throw new UserError(`${file}: no message says who speaks (${SPEAKERS.join(", ")})`);
  }
  const byRole = SPEAKERS.slice(0, -1).every((name) => !Object.hasOwn(message, name));
  return {
    schema: "run-source/2",
    name: files.length === 1 ? nameAfter(files[0]!) : nameAfter(files[0]!.replace(/\/[^/]*$/, "")),
    ...{ files: MESSAGE_FILES, inside: MESSAGE_FILES, unit },
    ...messageRounds(messages),
    agents: { leaveOut: byRole ? NOT_MEMBERS : [...NOT_MEMBERS, "user"] },
    ...messageState(file, messages, message, options),
    hold: "last",
  };
}

/** Messages that number their rounds may stand in any order; else as many are a round as there are agents. */
function messageRounds(messages: readonly Message[]): Pick<RunSourceChoices, "observations" | "round"> {
  const rounds = messages.map(({ round }) => round);
  if (!rounds.every((round) => Number.isInteger(round))) {
    return {
      observations: { layout: "turns", list: LISTS, agent: SPEAKERS },
      round: { by: "count", every: "agents" },
    };
  }
  return {
    observations: { layout: "rows", list: LISTS, agent: SPEAKERS },
    round: { by: "path", at: "round", ...(rounds.includes(0) && { first: 0 }) },
  };
}

const MESSAGE_FILES = ["*.json", "*.jsonl", "*.ndjson"];

type Message = Readonly<Record<string, unknown>>;

const speakerOf = (message: Message): string | undefined => {
  const name = SPEAKERS.find((name) => typeof message[name] === "string");
  return name === undefined ? undefined : message[name] as string;
};

/** What holds a run, and the messages of the first. */
function runsIn(file: string, text: string): { unit: RunSourceChoices["unit"]; messages: readonly Message[] } {
  const lines = /\.(?:jsonl|ndjson)$/.test(file);
  const json = parsed(
    lines ? `${file}: line 1` : file,
    lines ? text.slice(0, text.indexOf("\n") + 1 || undefined) : text,
  );
  if (lines && isMessage(json)) {
    const all = text.split("\n").filter((line) => line.trim() !== "").map((line, i) =>
      parsed(`${file}: line ${i + 1}`, line)
    );
    return { unit: "rows", messages: all.filter(isMessage) };
  }
  const run = messagesOf(json);
  if (run) return { unit: lines ? "line" : "file", messages: run };
  const element = Array.isArray(json) ? messagesOf(json[0]) : undefined;
  if (element) return { unit: "element", messages: element };
  throw new UserError(`${file}: holds no list of messages, each with ${SPEAKERS.slice(0, 3).join(", ")} … and content`);
}

const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && SPEAKERS.some((name) => Object.hasOwn(value, name)) &&
  ["content", ...SHARES].some((name) => Object.hasOwn(value, name));

function messagesOf(run: unknown): readonly Message[] | undefined {
  const held = LISTS.map((name) => name === "" ? run : (run as Message | null)?.[name]);
  const list = held.find((value) => Array.isArray(value) && value.some(isMessage)) as unknown[] | undefined;
  return list?.filter(isMessage);
}

/** Longer texts are no names of options. */
const LONGEST_OPTION = 40;

/** The state of a message: shares that it carries, the option or number that it names last, or all of a short text. */
function messageState(
  file: string,
  messages: readonly Message[],
  message: Message,
  options: FormatOptions,
): Pick<RunSourceChoices, "state" | "outside"> {
  const read = textState(MESSAGE_TEXT, options), shares = SHARES.filter((name) => typeof message[name] === "object");
  // Not every message is a vote: one that names no option leaves the agent's state as it was.
  if (read !== undefined) return { state: read, outside: "missing" };
  if (shares.length > 0) return { state: { kind: "shares", at: shares } };
  const long = messages.find(({ content }) => typeof content !== "string" || content.trim().length > LONGEST_OPTION);
  if (long === undefined) return { state: { kind: "vote", at: "content", options: "occurring" } };
  throw unclearState(file);
}
