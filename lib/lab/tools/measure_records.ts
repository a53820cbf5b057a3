import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { known } from "../../core/options.ts";
import { UserError } from "../../core/user_error.ts";
import { inspectSamples } from "../../record/inspect_samples.ts";
import { readTable } from "../../record/read_table.ts";
import { runsOf, type RunsOfOptions, type Statement } from "../../record/runs_of.ts";
import { lastMention } from "../../record/votes.ts";
import { say } from "./command.ts";

/** A condition of anybody's record. */
export type RecordSource = ReturnType<typeof source>;

/** The conditions of a plain table: one, or as many as its column condition names. */
export function tableSources(file: string): RecordSource[] {
  const table = readTable(file), names = table.options.length > 0 ? table.options : undefined;
  const conditions = Map.groupBy(table, ({ condition = nameOf(file) }) => condition);
  return [...conditions].map(([name, rows]) => {
    const { facts, ...found } = source(name, file, rows, names), looks = Number(rows[0]?.looks ?? NaN);
    return { ...found, facts: { ...facts, ...(looks > 0 && { looks }) } };
  });
}

/** What a user's own reader gives for each path; paths that hold one run each are one condition together. */
export async function readerSources(reader: string, paths: readonly string[]): Promise<RecordSource[]> {
  const { read, options } = await loadedReader(reader), found: Statement[][] = [];
  for (const path of paths) found.push(await read(path));
  const areSingle = paths.length > 1 && found.every(([first, ...more]) => more.every(({ run }) => run === first!.run));
  const together = `${paths[0]} and ${paths.length - 1} more`;
  if (areSingle) return [source(nameOf(reader), together, found.flat(), undefined, options)];
  return paths.map((path, i) => source(nameOf(path), path, found[i]!, undefined, options));
}

/** The runs of a log of Inspect: whatever a model says is a turn, and the option named last its vote. */
export function inspectSource(file: string, options: readonly string[]): RecordSource {
  const read = lastMention(options), samples = inspectSamples(file);
  for (const { run, error } of samples) if (error) say(`measure: ${file}: run ${run} is left out: ${error.message}`);
  const whole = samples.filter(({ error }) => !error),
    statements = whole.flatMap(({ run, messages }) =>
      messages.filter(({ role }) => role === "assistant").map(({ metadata, model, role, text }): Statement => {
        const agent = [metadata?.agent, metadata?.name, model, role].find((name) => typeof name === "string");
        return { run, agent: agent as string, text, state: read(text) };
      })
    );
  const said = new Set(statements.map(({ run }) => run));
  for (const { run } of whole) {
    if (!said.has(run)) say(`measure: ${file}: run ${run} is left out: no model speaks in it`);
  }
  const speakers = Map.groupBy(statements, ({ run, agent }) => JSON.stringify([run, agent])).values();
  const [asked] = speakers.find((own) => own.length === 1 && options.every((name) => own[0]!.text!.includes(name))) ??
    [];
  if (asked) say(`measure: ${file}: ${asked.agent}'s only message names every option: a question, hardly a vote`);
  const found = source(nameOf(file), file, statements, options), [first, second] = found.condition.seats;
  if (!second) say(`measure: ${file}: there is one agent only, ${first!.label}; metadata.agent would name who speaks`);
  return found;
}

const nameOf = (path: string): string => basename(path).replace(/\.(?:csv|tsv|jsonl?|eval|ts)$/, "");

/** Runs of a record, with what was left out said on standard error. */
function source(
  name: string,
  file: string,
  statements: readonly Statement[],
  names?: readonly string[],
  options?: RunsOfOptions,
) {
  const { runs, agents, excluded, notices } = named(file, () => runsOf(statements, options));
  const left = excluded.map(({ run, reason }) => `run ${run} is left out: ${reason}`);
  for (const notice of [...left, ...notices]) say(`measure: ${file}: ${notice}`);
  if (runs.length === 0) throw new UserError(`${file}: no run is left: ${excluded[0]!.run}: ${excluded[0]!.reason}`);
  const condition = { seats: agents.map((label) => ({ label, model: "" })) };
  return { name, condition, knobs: { agents: agents.length }, runs, facts: { file, excluded }, ...known({ names }) };
}

/** The result of some work; its error has the record's name in front. */
function named<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UserError ? new UserError(`${file}: ${error.message}`, { cause: error }) : error;
  }
}

/** A user's file: what its generator yields for a path, and its options of `runsOf`. */
async function loadedReader(file: string) {
  const refuse = (words: string, cause?: unknown) => new UserError(`${file}: ${words}`, { cause });
  const { default: reader, options } = await import(pathToFileURL(resolve(file)).href).catch((cause: Error) => {
    const why = cause.message.split("\n", 1)[0], allowed = "@/mod.ts, node: and packages of deno.json alone";
    throw refuse(`cannot be loaded (${why}); a reader imports ${allowed}`, cause);
  });
  if (typeof reader !== "function") throw refuse("has no default export: export default function* (path) { yield … }");
  const read = async (path: string): Promise<Statement[]> => {
    const given = await Array.fromAsync(reader(path)).catch((cause) => {
      throw refuse(`fails for ${path}: ${cause?.message ?? cause}`, cause);
    });
    if (given.length > 0) return given as Statement[];
    throw refuse(`yields nothing for ${path}; is its default export a generator, function* (path)?`);
  };
  return { read, options: options as RunsOfOptions | undefined };
}
