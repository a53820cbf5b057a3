import { readdir, stat } from "node:fs/promises";
import { unzipSync } from "fflate";
import { known } from "../../../core/options.ts";
import { UserError } from "../../../core/user_error.ts";
import { contentOf, reading, readText, textOf } from "../../../record/files.ts";
import { type FileChoices, sourceFiles } from "../../../record/source_files.ts";
import { valueAt } from "../../../record/source_values.ts";
import {
  type ConditionSource,
  type FormatOptions,
  MESSAGE_TEXT,
  NOT_MEMBERS,
  parsed,
  textState,
  unclearState,
} from "./common.ts";

/** The newest version of Inspect's log format that is read here; version 3 splits a sample over several files. */
const INSPECT_VERSION = 2;

interface InspectHead {
  readonly version?: unknown;
  /** Of a log that was broken off in the middle there is none. */
  readonly status?: unknown;
  readonly eval?: {
    readonly task?: unknown;
    readonly model?: unknown;
    readonly tags?: unknown;
  };
  readonly samples?: unknown;
}

/** Where a sample holds the shares of the options by agent, for every round. */
const ROUNDS = "metadata.rounds";

const INSPECT_HEADS = ["header.json", "_journal/start.json", "start.json"];

/** The samples of logs of Inspect AI, each a condition over all logs of one task and model; its epochs are the runs. */
export async function inspectSources(files: readonly string[], options: FormatOptions): Promise<ConditionSource[]> {
  const logs = (await Promise.all(files.map(logsAt))).flat();
  const samples = (await Promise.all(logs.map(async (file) => samplesOf(file, await headOf(file))))).flat();
  const state = textState(MESSAGE_TEXT, options);
  const isStated = state === undefined && samples.every(({ stated }) => stated);
  if (state === undefined && !isStated) throw unclearState(files.join(", "));
  const conditions = Map.groupBy(samples, ({ condition, file }) => `${condition}\n${file.endsWith(".eval")}`);
  return [...conditions.values()].map((same): ConditionSource => {
    const { id, condition, synthetic } = same[0]!, zipped = same[0]!.file.endsWith(".eval");
    return {
      files: same.map(({ file }) => file),
      source: {
        schema: "run-source/2",
        name: condition,
        about: known({ synthetic }),
        ...(zipped
          ? { unit: "file", inside: `samples/${globText(id)}_epoch_*.json` }
          : { unit: "element", elements: "samples", only: { id } }),
        ...(state ? { ...SAID, state } : STATED),
        failed: "error",
        outside: "missing",
        hold: "last",
      },
    };
  });
}

/** Who says a message: the name that a solver gives it, else its model; messages that no model made have a role alone. */
const INSPECT_AGENT = ["metadata.agent", "metadata.name", "model", "role"];

/** States as the messages say them. */
const SAID = {
  observations: { layout: "turns", list: "messages", agent: INSPECT_AGENT },
  round: { by: "count", every: "agents" },
  agents: { leaveOut: [...NOT_MEMBERS, "user"] },
} satisfies Partial<ConditionSource["source"]>;

/** States of samples that hold the shares by round, as `deno task export` writes them. */
const STATED = {
  observations: { layout: "by-round", list: ROUNDS },
  state: { kind: "shares" },
  decision: "scores.decision.value",
} satisfies Partial<ConditionSource["source"]>;

/** A sample's id as part of a pattern of file names that means itself. */
const globText = (id: string | number): string => String(id).replace(/[\\*?{}[\]()!+@|]/g, String.raw`\$&`);

/** The logs at a path: a file, or those of a folder. */
async function logsAt(path: string): Promise<string[]> {
  const status = await reading(path, () => stat(path));
  if (status.isFile()) return [path];
  if (!status.isDirectory()) throw new UserError(`${path}: is no file and no folder; name a log`);
  const names = await readdir(path);
  const logs = names.filter((name) => /\.(?:eval|json)$/.test(name)).sort();
  if (logs.length === 0) throw new UserError(`${path}: this folder holds no log of Inspect (.eval, .json)`);
  return logs.map((name) => `${path.replace(/\/$/, "")}/${name}`);
}

/** A log's header, or the whole log where it is one JSON file. */
async function headOf(file: string): Promise<InspectHead> {
  const json = file.endsWith(".eval") ? await inspectHead(file) : parsed(file, await readText(file));
  const { version, eval: spec } = (json ?? {}) as InspectHead;
  if (typeof version !== "number" || typeof spec !== "object" || spec === null) {
    throw new UserError(`${file}: is no log of Inspect: it has no version or no eval`);
  }
  if (version > INSPECT_VERSION) {
    throw new UserError(
      `${file}: is a log of version ${version}, and versions up to ${INSPECT_VERSION} are read here; ` +
        "write it again with a version of Inspect that writes these, or wait for a newer Chaos Lab",
    );
  }
  return json as InspectHead;
}

/** The samples of a log, each over all its epochs; `stated`: the log's samples hold the shares by round. */
function samplesOf(file: string, head: InspectHead) {
  const { status, eval: spec = {}, samples } = head, list = Array.isArray(samples) ? samples : [];
  const ids = file.endsWith(".eval") ? idsInZip(file) : idsIn(list);
  if (ids.length === 0) throw new UserError(`${file}: this log holds no samples`);
  const of = [spec.task, spec.model].filter((part) => typeof part === "string");
  // A retry has the samples of the log before it: as one condition, they would count twice.
  const ending = status === "success" ? "" : ` (${status ?? "broken off"})`;
  const stated = list.some((sample) => valueAt(sample, ROUNDS) !== undefined);
  const synthetic = Array.isArray(spec.tags) && spec.tags.includes("synthetic") ? true : undefined;
  return ids.map((id) => ({ file, id, stated, synthetic, condition: [...of, `sample ${id}`].join(", ") + ending }));
}

/** The header of a zipped log, or what a log that was broken off has in its place. */
async function inspectHead(file: string): Promise<unknown> {
  const inZip: FileChoices = { files: "*", inside: INSPECT_HEADS, copies: "keep" };
  const heads = await Array.fromAsync(sourceFiles([file], inZip, [])).catch((cause: unknown) => {
    if (!(cause instanceof UserError)) throw cause;
    throw new UserError(`${cause.message}, or write the log as JSON: inspect log convert --to json`, { cause });
  });
  for (const name of INSPECT_HEADS) {
    const head = heads.find((head) => head.file.endsWith(`:${name}`));
    if (head) return parsed(head.file, textOf(head.bytes) ?? "");
  }
  throw new UserError(`${file}: is no log of Inspect: it is no zip with ${INSPECT_HEADS[0]}`);
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

function idsIn(samples: readonly unknown[]): (string | number)[] {
  const ids = samples.map((sample) => (sample as { id?: unknown } | null)?.id);
  return [...new Set(ids.filter((id) => typeof id === "string" || typeof id === "number"))];
}
