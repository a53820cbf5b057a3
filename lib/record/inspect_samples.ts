import { UserError } from "../core/user_error.ts";
import { decoded, readBytesSync, refusePipe } from "./files.ts";
import { zipEntries, type ZipEntry } from "./zip_entries.ts";

/** A message of a sample. `text` is what was said: the parts of words in `content`, in order; empty of a tool call alone. */
export interface InspectMessage {
  readonly role: string;
  readonly content: unknown;
  readonly text: string;
  readonly model?: string;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

/** A sample of one epoch. Fields of Inspect that are not named here stand in it as they were written, except its events. */
export interface InspectSample {
  /** `ID, epoch N`: what messages and `runsOf` call it. */
  readonly run: string;
  readonly id: string | number;
  readonly epoch: number;
  readonly messages: readonly InspectMessage[];
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  readonly scores?: Readonly<Record<string, { readonly value: unknown }>> | null;
  /** Of a sample that broke off. */
  readonly error?: { readonly message?: string } | null;
}

/**
 * The samples of a log of Inspect AI, `.json` or `.eval`, those in chunks too, with their messages.
 *
 * @throws {UserError} naming the log and the sample: what is no log, holds no samples, is damaged or packed by a method that this
 * runtime lacks, and a log whose `summaries.json` lists samples that are not in it.
 *
 * @example Whatever a model says is a turn; its last mention of an option is a vote
 * ```ts ignore
 * function* turns() {
 *   for (const { run, messages } of inspectSamples("logs/council.eval")) {
 *     for (const { role, model, text } of messages) {
 *       if (role === "assistant") yield { run, agent: model!, text, state: lastMention(["park", "housing"])(text) };
 *     }
 *   }
 * }
 * ```
 */
export function inspectSamples(path: string): InspectSample[] {
  refusePipe(path);
  const bytes = readBytesSync(path), isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const samples = isZip ? zippedSamples(zipEntries(bytes, path), path) : plainSamples(jsonOf(bytes, path), path);
  if (samples.length === 0) throw new UserError(`${path}: this log holds no samples`);
  return samples;
}

type Json = Readonly<Record<string, unknown>>;

function jsonOf(bytes: Uint8Array, name: string): Json {
  try {
    return JSON.parse(decoded(bytes, name)) as Json;
  } catch (cause) {
    throw cause instanceof UserError
      ? cause
      : new UserError(`${name}: is not JSON (${(cause as Error).message})`, { cause });
  }
}

function plainSamples({ eval: spec, samples }: Json, path: string): InspectSample[] {
  if (typeof spec !== "object") throw new UserError(`${path}: is no log of Inspect: it has no eval`);
  return Array.isArray(samples) ? samples.map((sample: Json) => sampleOf(sample, path)) : [];
}

/** Of two files of one name the later counts, as for Inspect, which appends what it writes again. */
function zippedSamples(entries: readonly ZipEntry[], path: string): InspectSample[] {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const read = (name: string): unknown => {
    const entry = byName.get(name);
    return entry && jsonOf(entry.bytes(), `${path}: ${name}`);
  };
  const names = [...byName.keys()].filter((name) => /^samples\/(?:[^/]+|[^/]+\/sample)\.json$/.test(name));
  const samples = names.map((name) =>
    sampleOf(name.endsWith("/sample.json") ? ofChunks(name.slice(0, -11), byName, read) : read(name) as Json, path)
  );
  const lists = [...byName.keys()].filter((name) => /^(?:summaries|_journal\/summaries\/\d+)\.json$/.test(name));
  const found = new Set(samples.map(({ run }) => run));
  const missing = lists.flatMap((name) => read(name) as Json[]).map(runOf).filter((run) => !found.has(run));
  if (missing.length === 0) return samples;
  throw new UserError(
    `${path}: its summaries list ${missing.length} samples more than it holds: ${
      [...new Set(missing)].join("; ")
    }; copy the log again`,
  );
}

/** A sample whose messages, attachments and metadata stand in files of their own, each named after its first index. */
function ofChunks(folder: string, byName: ReadonlyMap<string, ZipEntry>, read: (name: string) => unknown): Json {
  const sequence = (kind: string): unknown[] => {
    const starts = [...byName.keys()].flatMap((name) => {
      const [, start] = name.startsWith(`${folder}${kind}/`) ? /\/(\d+)\.json$/.exec(name) ?? [] : [];
      return start === undefined ? [] : Number(start);
    });
    const items: unknown[] = [];
    for (const start of starts.sort((a, b) => a - b)) {
      if (start !== items.length) {
        throw new UserError(`${folder}${kind}: items ${items.length} to ${start - 1} are missing`);
      }
      items.push(...read(`${folder}${kind}/${start}.json`) as unknown[]);
    }
    return items;
  };
  const shell = read(`${folder}sample.json`) as Json, all = sequence("messages");
  const refs = shell.message_refs as readonly (readonly [number, number])[] | undefined;
  return {
    ...shell,
    metadata: read(`${folder}metadata.json`) ?? shell.metadata,
    messages: refs ? refs.flatMap(([from, to]) => all.slice(from, to)) : all,
    attachments: { ...sequence("attachments") },
  };
}

const runOf = ({ id, epoch }: Json): string => `${id}, epoch ${epoch}`;

function sampleOf({ events: _, attachments, messages, ...sample }: Json, path: string): InspectSample {
  const { id, epoch } = sample, run = runOf(sample);
  if ((typeof id !== "string" && typeof id !== "number") || typeof epoch !== "number") {
    throw new UserError(`${path}: a sample has no id or no epoch`);
  }
  if (!Array.isArray(messages)) throw new UserError(`${path}: sample ${run}: it has no list of messages`);
  const kept = attachments as Readonly<Record<string, string>> | undefined;
  const spoken = messages.map((message) => ({ ...message, text: wordsIn(message.content, kept) }));
  return { ...sample, run, id, epoch, messages: spoken };
}

/** The words of a message: a text, or the parts of words in a list; long ones may stand apart, as attachments. */
function wordsIn(content: unknown, attachments: Readonly<Record<string, string>> = {}): string {
  const parts = Array.isArray(content)
    ? content.filter(({ type }) => type === "text").map(({ text }) => text)
    : [content];
  return parts.filter((part) => typeof part === "string").join("\n").replace(
    /^attachment:\/\/(\w+)$/gm,
    (link, key) => Object.hasOwn(attachments, key) ? attachments[key]! : link,
  );
}
