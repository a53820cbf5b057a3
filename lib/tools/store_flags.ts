import { setTimeout as delay } from "node:timers/promises";
import { UserError } from "../core/user_error.ts";
import { money } from "../model/budget.ts";
import { progress } from "../notebook/progress.ts";
import { Database } from "../runs/postgres/database.ts";
import { continuationsOf } from "../runs/postgres/continuations.ts";
import {
  missingKeys,
  type PlannedSweep,
  planSweep,
  type SweepLedger,
  type SweepPlan,
} from "../runs/postgres/sweep_plan.ts";
import { type SweepStatus, sweepStatus } from "../runs/postgres/sweep_status.ts";
import { askedBefore, declareSweep, type UnknownCalls } from "../runs/postgres/sweeps.ts";
import { NothingHere, work } from "../runs/postgres/worker.ts";
import type { Branch } from "../schema/experiments.ts";
import type { Wanted } from "../runs/run_plan.ts";
import { badArguments, interruptible, logsJson, say } from "./command.ts";
import { liveOptions, type LiveValues } from "./live_flags.ts";

/** The flags of commands that work on a store. */
export const STORE_FLAGS = {
  store: { type: "string" },
  sweep: { type: "string" },
  unknown: { type: "string" },
} as const;

export const STORE_HELP = `
  --store URL           postgres://USER@HOST:PORT/DATABASE: the runs wait in a PostgreSQL database for this machine and for
                        every other on which deno task worker runs; the password stands in PGPASSWORD. The command watches
                        until all are done. deno task gather then writes the ledgers. Keys stay in each machine's environment
  --sweep NAME          what the store calls it (default: the experiment's name, or ad-hoc)
  --unknown WHAT        of a call in flight when its worker died nobody knows whether it was answered: ask-again (default)
                        asks it again, flag closes its run for that cause; its cost counts either way`;

/** @throws {UserError} (`exitCode` 2) where a flag says something of a store that nobody names. */
export function refuseStrayStoreFlags(
  { store, sweep, unknown, out }: { readonly [F in keyof typeof STORE_FLAGS | "out"]?: string | undefined },
): void {
  if (store === undefined && (sweep ?? unknown) !== undefined) {
    throw badArguments(`--${sweep === undefined ? "unknown" : "sweep"} is for runs on a store: add --store URL`);
  }
  if (store !== undefined && out !== undefined) {
    throw badArguments("--out is for ledgers in files; deno task gather writes those of a store");
  }
}

/** The values of these flags, and of those that say how a live council is asked. */
export interface StoreValues extends LiveValues {
  readonly unknown?: string | undefined;
}

export function unknownCalls(text: string | undefined): UnknownCalls {
  if (text === undefined || text === "ask-again" || text === "flag") return text ?? "ask-again";
  throw badArguments(`--unknown must be ask-again or flag, got "${text}"`);
}

/** What is to be run, as a store keeps it. */
export interface StoreWork extends StoreValues {
  readonly sweep: string;
  readonly wanted: Wanted;
  readonly council?: string | undefined;
  readonly replicates?: number | undefined;
  readonly seed?: number | undefined;
  readonly branch?: Branch | undefined;
  /** Of a station's council. */
  readonly asked?: Pick<SweepPlan, "temperature" | "structured"> | undefined;
  /** Asks every model once, where this machine has all keys; `sweepFolder` keeps what was asked. */
  readonly preflight?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** Declares a sweep, works on it and watches it until it is done, and then lets `report` say what came of it. */
export async function onStore(
  url: string,
  { sweep, wanted, council, replicates, seed, branch, asked, preflight, ...values }: StoreWork,
  report: (database: Database) => Promise<void>,
): Promise<void> {
  const { map, given, budgetUsd: capUsd, sendTemperature, maxTokensName, maxTokens, ...rest } = liveOptions(values);
  const { reasoningEffort, trustProviders, ...local } = rest;
  const unknown = unknownCalls(values.unknown);
  const grids = typeof wanted === "string" ? wanted : [wanted].flat();
  const plan: SweepPlan = JSON.parse(JSON.stringify({
    ...{ wanted: grids, council, replicates, seed, map, given, sendTemperature, maxTokensName, maxTokens },
    ...{ reasoningEffort, trustProviders },
    ...asked,
  }));
  const planned = await planSweep(plan, Deno.env);
  const { providers, prices } = planned;
  refuseUnpriced(planned, capUsd);
  await interruptible(async (signal, callSignal) => {
    await using database = await Database.open(url, { signal, onNotice: say });
    if (preflight && local.preflight !== false) {
      const missing = missingKeys(planned.ledgers.flatMap(({ models }) => models), providers, Deno.env);
      if (missing.length === 0) await preflight(signal);
      else say(`no model is asked beforehand: ${missing.join(", ")} is not set here`);
    }
    const declared = {
      name: sweep,
      plan,
      providers,
      unknown,
      capUsd,
      asked: await askedBefore(sweepFolder(sweep), prices),
    };
    const options = { ...local, sweeps: [sweep], env: Deno.env, signal, callSignal, onNotice: say };
    const run = async (ledgers: readonly SweepLedger[]) => {
      const put = await declareSweep(database, { ...declared, ledgers });
      say(`${sweep}: ${put} runs put into the queue of ${database.shown}; other machines join with deno task worker`);
      await watched(database, sweep, signal, () => work(database, options));
    };
    await run(planned.ledgers);
    if (branch) await run(await continuationsOf(database, sweep, planned, branch));
    await report(database);
  }, { resumes: true, drains: true });
}

/** What this machine keeps of a sweep besides the store: what was asked before it, and its audit. */
export const sweepFolder = (sweep: string): string => `data/live/sweeps/${sweep}`;

/** @throws {UserError} (`exitCode` 2) where there is a cap, and a model whose calls cannot be counted. */
function refuseUnpriced({ ledgers, prices }: PlannedSweep, capUsd: number | undefined): void {
  if (capUsd === undefined) return;
  const models = new Set(ledgers.flatMap(({ models }) => models));
  const unpriced = [...models].filter((model) => !Object.hasOwn(prices, model));
  if (unpriced.length === 0) return;
  throw badArguments(
    `--budget-usd needs a price for ${unpriced.join(", ")}: add --price IN,OUT (US$ for a million tokens)`,
  );
}

/** How often the store is asked how far it is, in milliseconds. */
const LOOK_MS = 1000;

/** Shows how far a sweep is while this machine works on it, and further until all of it is done. */
async function watched(
  database: Database,
  sweep: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const begun = await sweepStatus(database, sweep);
  const bar = await progress(sweep, sum(begun.runs), { json: logsJson() });
  const working = work().catch((error: unknown) => {
    if (!(error instanceof NothingHere)) throw error;
    say(`${error.message}; watching what others do`);
  });
  let ended = false;
  const done = working.finally(() => void (ended = true));
  done.catch(() => {});
  try {
    for (let shown = 0;;) {
      const status = await sweepStatus(database, sweep);
      const now = finished(status);
      await bar.advance(now - shown, { words: wordsOf(status), fields: status });
      shown = now;
      if (ended) await done;
      if (ended && status.runs.waiting + status.runs.running === 0) return;
      await delay(LOOK_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return await done;
    }
  } finally {
    await bar.finish();
  }
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const finished = ({ runs: { closed, open, flagged } }: SweepStatus): number => closed + open + flagged;

/** `3 workers, 412 calls, 2 unknown, US$ 0.31 of 20.00`. */
export function wordsOf({ workers, calls, usd, atMost, capUsd, unpriced }: SweepStatus): string {
  const busy = workers.filter(({ running }) => running > 0).length;
  return [
    `${busy} ${busy === 1 ? "worker" : "workers"}`,
    `${calls.answered} calls`,
    ...calls.unknown > 0 ? [`${calls.unknown} unknown`] : [],
    `US$ ${money(usd)}${capUsd === undefined ? "" : ` of ${money(capUsd)}`}`,
    ...atMost > 0 ? [`of it ${money(atMost)} at most for calls whose cost nobody told`] : [],
    ...unpriced > 0 ? [`${unpriced} calls of models without a price not in it`] : [],
  ].join(", ");
}

/** The store that a command works on. */
export function storeNamed(url: string | undefined): string {
  if (url !== undefined) return url;
  throw new UserError("--store is missing: postgres://USER@HOST:PORT/DATABASE", { exitCode: 2 });
}
