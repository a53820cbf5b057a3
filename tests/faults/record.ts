import { FailedTry } from "@/schema/model_call.ts";
import { FAULTS } from "./faults.ts";
import { promptTokens, type Seen } from "./server.ts";

/**
 * What a folder of runs has on record of the requests that were made, read from its lines of JSON alone: whatever the
 * files are called and however their lines are wrapped.
 */
export interface OnRecord {
  /** Requests that brought a usable reply. */
  readonly replies: number;
  /** Requests that did not, by code. */
  readonly failures: Readonly<Record<string, number>>;
  /** Prompt tokens of all of them, as far as they were told: with {@linkcode faultServer}, the numbers of the requests. */
  readonly promptTokens: readonly number[];
}

/** Reads every line of JSON below a folder. A torn last line is left out. */
export async function onRecord(folder: string): Promise<OnRecord> {
  const record = { replies: 0, failures: {} as Record<string, number>, promptTokens: [] as number[] };
  const failed = (code: string) => record.failures[code] = (record.failures[code] ?? 0) + 1;
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isTry(value)) failed(value.code);
    if ("usage" in value) record.promptTokens.push((value.usage as { promptTokens: number }).promptTokens);
    for (const part of Object.values(value)) visit(part);
  };
  for (const line of await linesBelow(folder)) {
    visit(line);
    const { reply, reading, failure } = callOf(line);
    if (failure) failed(failure.code);
    else if (reading?.kind === "missing") failed(reading.code!);
    else if (reply) record.replies++;
  }
  return record;
}

const isTry = (value: object): value is FailedTry => FailedTry.safeParse(value).success;

interface Call {
  readonly reply?: object;
  readonly reading?: { readonly kind: string; readonly code?: string };
  readonly failure?: { readonly code: string };
}

/** The call that a line is about: a committee's event, or a line of a station's calls. */
const callOf = (line: object): Call => ("event" in line ? line.event : "request" in line ? line : {}) as Call;

async function linesBelow(folder: string): Promise<object[]> {
  const paths = (await filesBelow(folder)).filter((path) => path.endsWith(".jsonl"));
  return (await Promise.all(paths.map(async (path) => linesOf(await Deno.readTextFile(path))))).flat();
}

/** Every file below a folder, by its path, in order. */
export async function filesBelow(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    paths.push(...isDirectory ? await filesBelow(path) : [path]);
  }
  return paths.sort();
}

/** The lines of JSON in a text; what follows the last line end is left out. */
export function linesOf(text: string): object[] {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** The requests that an endpoint got, counted as a record should count them. */
export function asked(seen: readonly Seen[]): OnRecord {
  const failures: Record<string, number> = {};
  let replies = 0;
  for (const { fault } of seen) {
    const code = fault === undefined ? "reply" : FAULTS[fault].recorded;
    if (code === "reply") replies++;
    else failures[code] = (failures[code] ?? 0) + 1;
  }
  const billed = seen.filter(({ fault }) => fault === undefined || FAULTS[fault].bills).map(({ number }) =>
    promptTokens(number)
  );
  return { replies, failures, promptTokens: billed };
}

/** The same with its parts in order, so that two can be compared. */
export const inOrder = ({ replies, failures, promptTokens }: OnRecord): OnRecord => ({
  replies,
  failures: Object.fromEntries(Object.entries(failures).sort(([a], [b]) => (a < b ? -1 : 1))),
  promptTokens: promptTokens.toSorted((a, b) => a - b),
});
