import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { UserError } from "../../core/user_error.ts";
import { inspectSamples } from "../../record/inspect_samples.ts";
import { readTable, type TableStatement } from "../../record/read_table.ts";
import { runsOf, type RunsOfOptions, type Statement } from "../../record/runs_of.ts";
import { lastMention, mentions } from "../../record/votes.ts";
import { say } from "./command.ts";
import type { StatedSource } from "./measure_sources.ts";

/** The conditions of a plain table: one, or as many as its column condition names. */
export function tableSources(file: string): StatedSource[] {
  const table = readTable(file), { options } = table;
  const conditions = Map.groupBy<string, TableStatement>(table, ({ condition = nameOf(file) }) => condition);
  return [...conditions].map(([name, rows]) =>
    source(name, file, rows, { ...(options.length > 0 && { names: options }) })
  );
}

/** What a user's own reader gives for each path; paths that hold one run each are one condition together. */
export async function readerSources(reader: string, paths: readonly string[]): Promise<StatedSource[]> {
  const { read, options } = await loadedReader(reader);
  const found: { readonly path: string; readonly statements: readonly Statement[] }[] = [];
  for (const path of paths) found.push({ path, statements: await statementsOf(read, reader, path) });
  const single = ({ statements }: typeof found[number]) => statements.every(({ run }) => run === statements[0]!.run);
  if (paths.length < 2 || !found.every(single)) {
    return found.map(({ path, statements }) => source(nameOf(path), path, statements, { options }));
  }
  const all = found.flatMap(({ statements }) => statements);
  return [source(nameOf(reader), `${paths[0]} and ${paths.length - 1} more`, all, { options })];
}

/** The runs of a log of Inspect: whatever a model says is a turn, and the option named last its vote. */
export function inspectSource(file: string, options: readonly string[]): StatedSource {
  const read = lastMention(options), samples = inspectSamples(file), whole = samples.filter(({ error }) => !error);
  for (const { run, error } of samples) {
    if (error) say(`measure: ${file}: run ${run} is left out: ${error.message ?? "it failed"}`);
  }
  const statements = whole.flatMap(({ run, messages }) =>
    messages.filter(({ role }) => role === "assistant").map(({ metadata, model, role, text }): Statement => {
      const agent = [metadata?.agent, metadata?.name, model, role].find((name) => typeof name === "string");
      return { run, agent: agent as string, text, state: read(text) };
    })
  );
  noteQuestion(file, statements, options);
  const found = source(nameOf(file), file, statements, { names: options });
  const { seats } = found.condition;
  if (seats.length === 1) {
    say(`measure: ${file}: there is one agent only, ${seats[0]!.label}; metadata.agent would name who speaks`);
  }
  return found;
}

/** Says where a speaker's only message names every option. */
function noteQuestion(file: string, statements: readonly Statement[], options: readonly string[]): void {
  const find = mentions(options), speakers = Map.groupBy(statements, ({ run, agent }) => JSON.stringify([run, agent]));
  const asked = speakers.values().find(([{ text = "" } = {}, ...more]) =>
    more.length === 0 && new Set(find(text).map(String)).size === options.length
  )?.[0];
  if (asked) {
    say(`measure: ${file}: agent ${asked.agent}: its only message names every option: a question, hardly a vote`);
  }
}

const nameOf = (path: string): string => basename(path).replace(/\.(?:csv|tsv|jsonl?|eval|ts)$/, "");

function source(
  name: string,
  file: string,
  statements: readonly Statement[],
  { names, options }: { names?: readonly string[]; options?: RunsOfOptions | undefined },
): StatedSource {
  const { runs, agents, excluded, notices } = named(file, () => runsOf(statements, options));
  for (const { run, reason } of excluded) say(`measure: ${file}: run ${run} is left out: ${reason}`);
  for (const notice of notices) say(`measure: ${file}: ${notice}`);
  if (runs.length === 0) throw new UserError(`${file}: no run is left: ${excluded[0]!.run}: ${excluded[0]!.reason}`);
  const seats = agents.map((label) => ({ label, model: "" }));
  return {
    ...{ name, condition: { seats }, knobs: { agents: agents.length }, runs, facts: { file, excluded } },
    ...(names && { names }),
  };
}

/** Errors of a record with its name in front. */
function named<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UserError ? new UserError(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

type Reader = (path: string) => Iterable<Statement> | AsyncIterable<Statement>;

async function loadedReader(file: string): Promise<{ read: Reader; options?: RunsOfOptions }> {
  let module: { readonly default?: unknown; readonly options?: RunsOfOptions };
  try {
    module = await import(pathToFileURL(resolve(file)).href);
  } catch (cause) {
    const remedy = "a reader imports @/mod.ts, node: and the packages of deno.json alone";
    throw new UserError(`${file}: cannot be loaded (${(cause as Error).message.split("\n", 1)[0]}); ${remedy}`, {
      cause,
      exitCode: 2,
    });
  }
  const { default: read, options } = module;
  if (typeof read === "function") return { read: read as Reader, ...(options && { options }) };
  throw new UserError(`${file}: has no default export: write export default function* (path) { yield … }`, {
    exitCode: 2,
  });
}

async function statementsOf(read: Reader, reader: string, path: string): Promise<Statement[]> {
  let statements: Statement[];
  try {
    const given = read(path);
    if (typeof given !== "object" || !(Symbol.iterator in given || Symbol.asyncIterator in given)) {
      throw new UserError(
        `${reader}: its default export is no generator: write function* (path), and yield statements`,
      );
    }
    statements = await Array.fromAsync(given);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`${path}: ${reader} fails: ${(cause as Error).message ?? cause}`, { cause });
  }
  if (statements.length > 0) return statements;
  throw new UserError(`${path}: ${reader} yields nothing for it`);
}
