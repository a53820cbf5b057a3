import type { Database, Statements } from "@/lab/sweep/database.ts";
import { sweepStatus } from "@/lab/sweep/sweep_status.ts";

/** A statement with its values. */
type Statement = readonly [text: string, values?: readonly unknown[]];

/** What some statements cost in one transaction, of which nothing is kept. */
export interface Cost {
  /** Pages of 8 KiB that they touched, those of functions and triggers included. */
  readonly pages: number;
  /** Tables of more than 50 pages that were read from one end to the other. */
  readonly scanned: readonly string[];
}

class Undone extends Error {}

/** Times that statements are said before they are measured, so that plans and catalogues are at hand as in a worker at its work. */
const WARM = 6;

/** Measures statements. */
export async function costOf(database: Database, statements: readonly Statement[]): Promise<Cost> {
  let cost: Cost | undefined;
  await database.transaction(async (tx) => {
    for (let time = 0; time < WARM; time++) {
      await tx.query("savepoint warm");
      await explained(tx, statements);
      await tx.query("rollback to warm");
    }
    const before = await scans(tx), pages = await explained(tx, statements);
    const after = await scans(tx);
    cost = { pages, scanned: [...after].filter(([table, n]) => n > (before.get(table) ?? 0)).map(([table]) => table) };
    throw new Undone();
  }).catch((error) => {
    if (!(error instanceof Undone)) throw error;
  });
  return cost!;
}

async function explained(tx: Statements, statements: readonly Statement[]): Promise<number> {
  type Plan = { "QUERY PLAN": [{ Plan: Record<"Shared Hit Blocks" | "Shared Read Blocks", number> }] };
  let pages = 0;
  for (const [text, values = []] of statements) {
    const [row] = await tx.query<Plan>(`explain (analyze, buffers, format json) ${text}`, values);
    const { Plan: plan } = row!["QUERY PLAN"][0];
    pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  }
  return pages;
}

async function scans(tx: Statements): Promise<Map<string, number>> {
  const rows = await tx.query<{ relname: string; n: string }>(
    "select relname, seq_scan as n from pg_stat_xact_user_tables where pg_relation_size(relid) > 50 * 8192",
  );
  return new Map(rows.map(({ relname, n }) => [relname, Number(n)]));
}

/** The pages that a step may touch: a call has two statements, which write four tables and their indexes. */
export const MOST_PAGES: Readonly<Record<keyof typeof STEPS, number>> = { claim: 50, call: 120, status: 50 };

/** The statements of each step on the way of a call, and of a look, on a sweep of which some runs wait. */
export const STEPS = {
  async claim(database: Database, sweep: string): Promise<Statement[]> {
    return [["select * from claim_run($1, 5, 'w')", [await waiting(database, sweep)]]];
  },
  async call(database: Database, sweep: string): Promise<Statement[]> {
    const run = await waiting(database, sweep), id = crypto.randomUUID();
    await database.query("select * from claim_run($1, 1, 'w')", [run]);
    const intent = { id, sweep, run, fence: 1, place: "p", model: "m", worker: "w", atMost: 1 };
    const lines = [{ file: "events", n: 0, text: "{}", seal: "" }];
    return [
      ["select * from begin_calls($1)", [JSON.stringify([intent])]],
      ["select * from end_calls($1)", [
        JSON.stringify([{ run, fence: 1, call: id, outcome: "answered", cost: 0.5, lines }]),
      ]],
    ];
  },
  async status(database: Database, sweep: string): Promise<Statement[]> {
    const said: Statement[] = [];
    const query: Statements["query"] = async (text, values) => {
      said.push([text, values ?? []]);
      return await database.query(text, values);
    };
    await sweepStatus({ ...database, query }, sweep);
    return said;
  },
};

async function waiting(database: Database, sweep: string): Promise<number> {
  const [row] = await database.query<{ id: string }>(
    "select max(run.id) as id from run join ledger on ledger.id = ledger where sweep = $1 and state = 'waiting'",
    [sweep],
  );
  return Number(row!.id);
}
