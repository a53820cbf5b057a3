import { UserError } from "../core/user_error.ts";
import { sealedText } from "../record/seal.ts";
import type { Statements } from "./database.ts";
import { type Chain, chainFlaw, type StoredLine } from "./line_seals.ts";
import { DECLARED, EVENTS, FILES } from "./postgres_store.ts";
import { ledgerSeal, type StoredLedger } from "./sweeps.ts";

/** A run's lines, by the files that they belong to. */
export interface StoredRun {
  readonly replicate: number;
  readonly lines: Readonly<Record<string, readonly string[]>>;
}

/** Runs that are looked up together at most, and lines of theirs that are read together unless one run has more. */
const PAGE = { runs: 1000, lines: 5000 };

/** Reads with all statements seeing the store as it was at one moment. */
export async function inOneMoment(tx: Statements): Promise<void> {
  await tx.query("set transaction isolation level repeatable read, read only");
}

/**
 * The runs of a ledger in order, each checked against its checksums; `tx` sees one moment.
 *
 * @throws {UserError} naming the ledger, the run and the line where they are not as they were written, or never declared.
 */
export async function* storedRuns(tx: Statements, ledger: StoredLedger): AsyncGenerator<StoredRun> {
  const { id, name, wanted, seal } = ledger;
  if (seal !== null && seal !== ledgerSeal(ledger)) {
    throw damaged(`${name}: its name or its declaration was changed since it was declared`);
  }
  type Found = { run: string; replicate: number; lines: number; chains: Record<string, Chain> };
  for (let last = -1;;) {
    const found = await tx.query<Found>(
      `select run.id as run, replicate, coalesce(sum(lines), 0)::int as lines,
         coalesce(jsonb_object_agg(file, to_jsonb(chain)) filter (where file is not null), '{}') as chains
       from (select id, replicate from run where ledger = $1 and replicate > $2 order by replicate limit ${PAGE.runs}) run
       left join chain on chain.run = run.id group by run.id, replicate order by replicate`,
      [id, last],
    );
    if (found.length === 0) return;
    while (found.length > 0) {
      const page = found.splice(0, 1);
      for (let sum = page[0]!.lines; found.length > 0 && (sum += found[0]!.lines) <= PAGE.lines;) {
        page.push(found.shift()!);
      }
      const lines = await linesOf(tx, page.map(({ run }) => run));
      for (const { run, replicate, chains } of page) {
        const own = lines.get(run) ?? new Map<string, StoredLine[]>();
        const where = `${name}: run ${replicate}`;
        if (replicate >= wanted) throw damaged(`${where} was never declared`);
        for (const file of new Set([...own.keys(), ...Object.keys(chains)])) {
          const flaw = FILES.has(file) ? chainFlaw(own.get(file) ?? [], chains[file]) : "is no file of a run";
          if (flaw) throw damaged(`${where}, ${file}: ${flaw}`);
        }
        yield {
          replicate,
          lines: Object.fromEntries([...own].map(([file, all]) => [file, all.map(({ text }) => text)])),
        };
        last = replicate;
      }
    }
  }
}

const damaged = (words: string): UserError =>
  new UserError(`${words}; the store is damaged: restore it from a backup, nothing of it was sealed anew`);

async function linesOf(tx: Statements, runs: readonly string[]): Promise<Map<string, Map<string, StoredLine[]>>> {
  const rows = await tx.query<StoredLine & { run: string; file: string }>(
    "select run, file, n, text, seal from line where run = any($1)",
    [runs],
  );
  const lines = new Map<string, Map<string, StoredLine[]>>();
  for (const row of rows) {
    const files = lines.get(row.run) ?? new Map<string, StoredLine[]>();
    lines.set(row.run, files);
    const own = files.get(row.file);
    if (own) own.push(row);
    else files.set(row.file, [row]);
  }
  for (const files of lines.values()) for (const own of files.values()) own.sort((a, b) => a.n - b.n);
  return lines;
}

/** A line of a ledger's file: as it was declared or appended, and with its number and checksum. */
export interface LedgerText {
  readonly body: string;
  readonly text: string;
}

/** The lines of a ledger's file, as one machine alone would write them that makes its runs one after the other; run by run. */
export async function* ledgerLines(tx: Statements, ledger: StoredLedger): AsyncGenerator<LedgerText[]> {
  let n = 0;
  /** A chain of checksums is begun for the lines about no run, and for each run. */
  const chained = (bodies: readonly string[]): LedgerText[] => {
    let before: string | undefined;
    return bodies.map((body) => {
      const { text, check } = sealedText(`${body.slice(0, -1)},"n":${++n}`, before);
      before = check;
      return { body, text };
    });
  };
  let opened = false;
  for await (const { lines } of storedRuns(tx, ledger)) {
    if (!opened) yield chained(opening(lines[DECLARED] ?? [], ledger));
    opened = true;
    yield chained(lines[EVENTS] ?? []);
  }
  if (!opened) yield chained(opening([], ledger));
}

/** The lines about no run: declarations of earlier code, the declaration, and looks. */
function opening(others: readonly string[], { declaration }: StoredLedger): string[] {
  const isLook = (line: string): boolean => JSON.parse(line).kind === "look";
  return [...others.filter((line) => !isLook(line)), JSON.stringify(declaration), ...others.filter(isLook)];
}
