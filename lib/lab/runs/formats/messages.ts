import { UserError } from "../../../core/user_error.ts";
import { textOf } from "../../../record/files.ts";
import type { RunSourceChoices } from "../../../record/run_source.ts";
import { sourceFiles } from "../../../record/source_files.ts";
import {
  type ConditionSource,
  filesByCondition,
  type FormatOptions,
  MESSAGE_TEXT,
  nameAfter,
  NOT_MEMBERS,
  parsed,
  textState,
  unclearState,
} from "./common.ts";

/** Where a run has its messages, and a message its speaker, its words and, in our own exports, its state. */
const LISTS = ["messages", "chat_history", "history", "transcript", "turns", ""];
const SPEAKERS = ["source", "name", "agent", "agent_name", "speaker", "author", "role"];
const SHARES = ["state", "preferences", "pref"];

/** Lists of messages: each folder is a condition, each file of many runs, and files of one run together. */
export async function messageSources(files: readonly string[], options: FormatOptions): Promise<ConditionSource[]> {
  const groups = await filesByCondition(files, (file) => !/\.(?:jsonl|ndjson|zip)$/.test(file));
  return await Promise.all(groups.map(async (files) => ({ files, source: await messageSource(files, options) })));
}

async function messageSource(files: readonly string[], options: FormatOptions): Promise<RunSourceChoices> {
  const choices = { files: MESSAGE_FILES, inside: MESSAGE_FILES };
  const first = await sourceFiles(files, { ...choices, copies: "keep" }, []).next();
  if (first.done) throw new UserError(`${files.join(", ")}: there is no file`);
  const { file, bytes } = first.value, text = textOf(bytes) ?? "";
  const { unit, messages } = runsIn(file, text);
  const message = messages.find((one) => speakerOf(one) !== undefined && !NOT_MEMBERS.includes(speakerOf(one)!));
  if (message === undefined) throw new UserError(`${file}: no message says who speaks (${SPEAKERS.join(", ")})`);
  const byRole = SPEAKERS.slice(0, -1).every((name) => !Object.hasOwn(message, name));
  return {
    schema: "run-source/2",
    name: files.length === 1 ? nameAfter(files[0]!) : nameAfter(files[0]!.replace(/\/[^/]*$/, "")),
    ...{ ...choices, unit },
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
    return { observations: { layout: "turns", list: LISTS, agent: SPEAKERS }, round: { by: "count", every: "agents" } };
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

/** The unit that holds a run, and the messages of the first. */
function runsIn(file: string, text: string): { unit: RunSourceChoices["unit"]; messages: readonly Message[] } {
  const lines = /\.(?:jsonl|ndjson)$/.test(file);
  const first = lines ? text.slice(0, text.indexOf("\n") + 1 || undefined) : text;
  const json = parsed(lines ? `${file}: line 1` : file, first);
  if (lines && isMessage(json)) {
    const written = text.split("\n").filter((line) => line.trim() !== "");
    return {
      unit: "rows",
      messages: written.map((line, i) => parsed(`${file}: line ${i + 1}`, line)).filter(isMessage),
    };
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
