import { setTimeout as delay } from "node:timers/promises";
import { money } from "../model/budget.ts";
import { progress } from "../notebook/progress.ts";
import { readText } from "../runs/files.ts";
import { Database, type DatabaseOptions } from "../runs/postgres/database.ts";
import { continuationsOf } from "../runs/postgres/continuations.ts";
import { storeUrl } from "../runs/postgres/store_url.ts";
import { missingKeys, planSweep, type SweepLedger, type SweepPlan } from "../runs/postgres/sweep_plan.ts";
import { type SweepStatus, sweepStatus } from "../runs/postgres/sweep_status.ts";
import { joinTerms, type NamedTerms, type UnknownCalls } from "../runs/postgres/sweep_terms.ts";
import { askedBefore, declareSweep } from "../runs/postgres/sweeps.ts";
import { NothingHere, work } from "../runs/postgres/worker.ts";
import type { Branch } from "../schema/experiments.ts";
import type { Wanted } from "../runs/run_plan.ts";
import { badArguments, interruptible, logsJson, say } from "./command.ts";
import { liveOptions, type LiveValues } from "./live_flags.ts";

/** Where a store is, and who enters it: flags of every command that opens one. */
export const ADDRESS_FLAGS = { store: { type: "string" }, "password-file": { type: "string" } } as const;

/** The flags of commands that work on a store. */
export const STORE_FLAGS = {
  ...ADDRESS_FLAGS,
  sweep: { type: "string" },
  unknown: { type: "string" },
  limits: { type: "boolean" },
} as const;

/** The part of a command's help that tells of the first. */
export const ADDRESS_HELP = `
  --store URL           postgres://USER@HOST:PORT/DATABASE, or postgres://USER@/DATABASE?host=/var/run/postgresql; the
                        password stands in PGPASSWORD or ~/.pgpass: deno task and ps show one that stands in the URL
  --password-file FILE  a file with the password of the database, which goes before all others`;

export const STORE_HELP = `
  With --store the runs wait in a PostgreSQL database for this machine and for every other on which deno task worker runs.
  The command watches until all are done. deno task gather then writes the ledgers. Keys stay in each machine's environment.
  Budget, prices, limits a minute and --unknown hold for every worker; a command that joins changes those that it names.
${ADDRESS_HELP.slice(1)}
  --sweep NAME          what the store calls it (default: the experiment's name, or ad-hoc)
  --budget-usd none     takes the budget of a sweep away
  --limits              replaces the sweep's limits a minute by those of scenarios/providers.json on this machine
  --unknown WHAT        whether a call was answered that was in flight when its worker died is unknown: ask-again (default)
                        asks it again, flag closes its run for that cause; its cost counts either way`;

/** @throws {UserError} (`exitCode` 2) where a flag says something of a store that nobody names. */
export function refuseStrayStoreFlags(
  { store, out, ...values }: Readonly<Record<string, unknown>>,
): void {
  const stray = Object.keys(STORE_FLAGS).find((flag) => values[flag] !== undefined);
  if (store === undefined && stray) throw badArguments(`--${stray} is for runs on a store: add --store URL`);
  if (store !== undefined && out !== undefined) {
    throw badArguments("--out is for ledgers in files; deno task gather writes those of a store");
  }
}

/** The values of these flags, and of those that say how a live council is asked. */
export interface StoreValues extends LiveValues {
  readonly unknown?: string | undefined;
  readonly limits?: boolean | undefined;
  readonly "password-file"?: string | undefined;
}

export function unknownCalls(text: string | undefined): UnknownCalls | undefined {
  if (text === undefined || text === "ask-again" || text === "flag") return text;
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
  const { map, given, budgetUsd, sendTemperature, maxTokensName, maxTokens, ...rest } = liveOptions(values);
  const { reasoningEffort, trustProviders, ...local } = rest;
  const capUsd = values["budget-usd"] === "none" ? null : budgetUsd;
  const named: NamedTerms = { unknown: unknownCalls(values.unknown), capUsd, given, ownLimits: values.limits };
  const grids = typeof wanted === "string" ? wanted : [wanted].flat();
  const plan: SweepPlan = JSON.parse(JSON.stringify({
    ...{ wanted: grids, council, replicates, seed, map, given, sendTemperature, maxTokensName, maxTokens },
    ...{ reasoningEffort, trustProviders },
    ...asked,
  }));
  const planned = await planSweep(plan, Deno.env);
  const { providers, prices } = planned;
  await interruptible(async (signal, callSignal) => {
    await using database = await openStore({ ...values, store: url }, { signal });
    const { isNew } = await joinTerms(database, sweep, planned, named);
    // What is asked once the sweep is there is paid for by its workers, out of its budget.
    if (preflight && local.preflight !== false && isNew) {
      const missing = missingKeys(planned.ledgers.flatMap(({ models }) => models), providers, Deno.env);
      if (missing.length === 0) await preflight(signal);
      else say(`no model is asked beforehand: ${missing.join(", ")} is not set here`);
    }
    const declared = { name: sweep, plan, providers, prices, asked: await askedBefore(sweepFolder(sweep), prices) };
    const options = { ...local, sweeps: [sweep], env: Deno.env, signal, callSignal, onNotice: say };
    const run = async (ledgers: readonly SweepLedger[], named: NamedTerms = {}) => {
      const { put, changes } = await declareSweep(database, { ...declared, ...named, ledgers });
      if (changes.length > 0) say(`${sweep}, for every worker from now on: ${changes.join("; ")}`);
      say(`${sweep}: ${put} runs put into the queue of ${database.shown}; other machines join with deno task worker`);
      await watched(database, sweep, signal, () => work(database, options));
    };
    await run(planned.ledgers, named);
    if (branch) await run(await continuationsOf(database, sweep, planned, branch));
    await report(database);
  }, { resumes: true, drains: true });
}

/** What this machine keeps of a sweep besides the store: what was asked before it, and its audit. */
export const sweepFolder = (sweep: string): string => `data/live/sweeps/${sweep}`;

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

/** The values of the flags that say where a store is. */
type Address = { readonly [F in keyof typeof ADDRESS_FLAGS]?: string | undefined };

/** Opens the store that a command works on. A password where others can read it is said. */
export async function openStore(
  { store: url, "password-file": file }: Address,
  options: Omit<DatabaseOptions, "onNotice"> = {},
): Promise<Database> {
  if (url === undefined) throw badArguments("--store is missing: postgres://USER@HOST:PORT/DATABASE");
  const { passwords: [typed] } = storeUrl(url);
  if (typed) {
    say("others see the password in --store (deno task, ps): use PGPASSWORD, ~/.pgpass or --password-file FILE");
  }
  const password = file === undefined ? "" : (await readText(file)).replace(/\r?\n$/, "");
  if (file !== undefined && password === "") throw badArguments(`--password-file ${file} is empty`);
  const whole = password && `${url}${url.includes("?") ? "&" : "?"}password=${encodeURIComponent(password)}`;
  return await Database.open(whole || url, { ...options, onNotice: say });
}
