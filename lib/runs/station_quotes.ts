import { UserError } from "../core/user_error.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { parseReply } from "../station/parse_reply.ts";
import { readStationFolder } from "../station/read_station_folder.ts";
import { isFolderName, STATION_FILES } from "../station/station_files.ts";

/**
 * The kind of source of an excerpt. `model output` is a language model's; a program's words in a council's place are
 * `synthetic output`; a shock or a background role's line is a `scripted event`, the clerk's words a `scripted broadcast`.
 */
type QuoteSource = "model output" | "synthetic output" | "scripted event" | "scripted broadcast";

/** One row of the quote provenance table, after Table 10 of the station paper. */
export interface StationQuote {
  readonly excerpt: string;
  readonly source: QuoteSource;
  /** Run id, the name of its folder. */
  readonly run: string;
  /** The role or background role that said it. */
  readonly entity: string;
  readonly file: typeof STATION_FILES.calls | typeof STATION_FILES.events;
  /** From 1. */
  readonly line: number;
}

/** Words that stand on one line of a run's files. */
interface Passage extends Omit<StationQuote, "excerpt" | "run"> {
  /** Words as a reader sees them, and as the file has them where that differs. */
  readonly texts: readonly string[];
}

/**
 * Every passage of a run that can be quoted, model calls first. A call is attributed by the event that names it.
 */
async function passagesOf(folder: string): Promise<Passage[]> {
  // Checked against itself, so that words changed in one of its files alone are found out.
  const { events, calls } = await readStationFolder(folder);
  const turns = events.filter((event) => event.kind === "action.taken");
  const spoken = calls.flatMap((call, i) => {
    const turn = turns.find(({ origin }) => origin.calls.includes(i));
    return turn ? callPassage(call, i, turn.role) : [];
  });
  return [...spoken, ...events.flatMap((event, i) => eventPassage(event, i + 2, calls))];
}

function callPassage({ reply }: ModelCall, index: number, entity: string): Passage[] {
  if (reply === undefined) return [];
  const read = parseReply(reply.text, { normaliser: true });
  const statement = read.ok ? read.value.statement : undefined;
  const texts = [...(statement === undefined ? [] : [statement]), reply.text];
  return [{ texts, source: sourceOf(reply.synthetic), entity, file: STATION_FILES.calls, line: index + 1 }];
}

const sourceOf = (synthetic: boolean | undefined): QuoteSource => synthetic ? "synthetic output" : "model output";

function eventPassage(event: StationEvent, line: number, calls: readonly ModelCall[]): Passage[] {
  const file = STATION_FILES.events;
  const said = (text: string, source: QuoteSource, entity: string) => [{ file, line, texts: [text], source, entity }];
  if (event.kind === "shock.struck") return said(event.shock.text, "scripted event", event.shock.by);
  if (event.kind === "bot.acted") return said(event.text, "scripted event", event.bot);
  if (event.kind !== "action.taken" || event.statement === undefined) return [];
  const { origin, role, statement } = event;
  if (origin.kind === "fallback") return said(statement, "scripted broadcast", role);
  return said(statement, sourceOf(origin.calls.some((index) => calls[index]?.reply?.synthetic === true)), role);
}

/**
 * Finds where excerpts come from, so that a table of quotations can be kept as data and checked by `verifyQuotes`.
 *
 * @param wanted excerpts and the run each is from; a folder of that name stands in `root`.
 * @returns one row an excerpt, its earliest place: in the calls before the events.
 * @throws {UserError} naming every excerpt that is nowhere in its run.
 */
export async function quoteTable(
  wanted: readonly { readonly run: string; readonly excerpt: string }[],
  root: string,
): Promise<StationQuote[]> {
  const passages = await passagesByRun(wanted.map(({ run }) => run), root);
  const rows = wanted.map(({ run, excerpt }) => {
    const found = passages.get(run)!.find((one) => holds(one, excerpt));
    if (found === undefined) return `${short(excerpt)} is nowhere in ${root}/${run}`;
    const { source, entity, file, line } = found;
    return { excerpt, source, run, entity, file, line };
  });
  const missing = rows.filter((row) => typeof row === "string");
  if (missing.length > 0) throw new UserError(missing.join("\n"));
  return rows as StationQuote[];
}

/**
 * Checks quotations against the runs they name: the words, character by character, in that line of that file, said by
 * that entity, and of that kind. Words of a program never pass as a model's.
 *
 * @returns what is wrong, one sentence each; nothing where all are right.
 * @throws {UserError} when a run cannot be read.
 */
export async function quoteFlaws(quotes: readonly StationQuote[], root: string): Promise<string[]> {
  const passages = await passagesByRun(quotes.map(({ run }) => run), root);
  return quotes.flatMap((quote) => {
    const flaw = flawOf(quote, passages.get(quote.run)!), { excerpt, run, file, line } = quote;
    return flaw === undefined ? [] : [`${short(excerpt)} (${run}, ${file} line ${line}): ${flaw}`];
  });
}

/** Checks quotations as `quoteFlaws` does. Throws a UserError with all flaws if there are any. */
export async function verifyQuotes(quotes: readonly StationQuote[], root: string): Promise<void> {
  const flaws = await quoteFlaws(quotes, root);
  if (flaws.length > 0) throw new UserError(flaws.join("\n"));
}

function flawOf(
  { excerpt, source, entity, file, line }: StationQuote,
  passages: readonly Passage[],
): string | undefined {
  const passage = passages.find((one) => one.file === file && one.line === line);
  if (passage === undefined) return "that line holds no one's words";
  if (!holds(passage, excerpt)) return "these words are not on that line";
  if (passage.entity !== entity) return `they are ${passage.entity}'s, not ${entity}'s`;
  return passage.source === source ? undefined : `they are ${passage.source}, not ${source}`;
}

async function passagesByRun(runs: readonly string[], root: string): Promise<Map<string, Passage[]>> {
  const found = new Map<string, Passage[]>();
  for (const run of new Set(runs)) {
    if (!isFolderName(run)) throw new UserError(`${JSON.stringify(run)} cannot be the name of a run`);
    found.set(run, await passagesOf(`${root}/${run}`));
  }
  return found;
}

const holds = ({ texts }: Passage, excerpt: string): boolean =>
  excerpt !== "" && texts.some((text) => text.includes(excerpt));

const short = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
