import { setTimeout as delay } from "node:timers/promises";
// @ts-types="@types/d3-array"
import { sum } from "d3-array";
import { money } from "../../model/budget.ts";
import { progress } from "../notebook/progress.ts";
import { readText } from "../../record/files.ts";
import { type Database, type DatabaseOptions, openDatabase, watchMs } from "../sweep/database.ts";
import { reopenSweep } from "../sweep/manage.ts";
import { continuationsOf } from "../sweep/read_store.ts";
import { storeUrl } from "../sweep/store_url.ts";
import { missingKeys, planSweep, type SweepLedger, type SweepPlan } from "../sweep/sweep_plan.ts";
import { takeLooks } from "../sweep/take_looks.ts";
import { wholeRule } from "../runs/stop_rule.ts";
import { type SweepStatus, sweepStatus } from "../sweep/sweep_status.ts";
import { joinTerms, type NamedTerms } from "../sweep/sweep_terms.ts";
import { askedBefore, declareSweep } from "../sweep/sweeps.ts";
import { NothingHere, work as workOn } from "../sweep/worker.ts";
import type { Branch } from "../../schema/experiments.ts";
import type { Wanted } from "../live/run_plan.ts";
import { badArguments, count, flags, interruptible, logsJson, say, type Values, word } from "./command.ts";
import { liveOptions, type LiveValues } from "./live_flags.ts";

/** The address of a store and its password: flags of every command that opens one. */
export const ADDRESS_FLAGS = flags("string", "store", "password-file");

/** The flags of commands that work on a store. */
export const STORE_FLAGS = {
  ...ADDRESS_FLAGS,
  ...flags("string", "sweep"),
  ...flags("boolean", "limits"),
  unknown: word("ask-again", "flag"),
};

/** @throws {UserError} (`exitCode` 2) where a flag is for a store and none is named. */
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
type StoreValues = LiveValues & Partial<Values<typeof STORE_FLAGS>>;

/** A request for runs, as a store keeps it. */
export interface StoreWork
  extends Pick<SweepPlan, "council" | "replicates" | "seed" | "temperature" | "structured" | "until"> {
  readonly sweep: string;
  readonly wanted: Wanted;
  readonly branch?: Branch | undefined;
  /** Asks every model once, where this machine has all keys; `sweepFolder` keeps what was asked. */
  readonly preflight?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** Declares a sweep, works on it and watches it until it is done, and then reports it. */
export async function onStore(
  url: string,
  { sweep, wanted, branch, preflight, ...work }: StoreWork,
  values: StoreValues,
  report: (database: Database) => Promise<void>,
): Promise<void> {
  const { map, given, budgetUsd, sendTemperature, maxTokensName, maxTokens, ...rest } = liveOptions(values);
  const { reasoningEffort, trustProviders, ...local } = rest;
  const capUsd = values["budget-usd"] === "none" ? null : budgetUsd;
  const named: NamedTerms = { unknown: values.unknown, capUsd, given, ownLimits: values.limits };
  const grids = typeof wanted === "string" ? wanted : [wanted].flat();
  const asked = { map, given, sendTemperature, maxTokensName, maxTokens, reasoningEffort, trustProviders };
  const plan: SweepPlan = JSON.parse(JSON.stringify({ wanted: grids, ...work, ...asked }));
  const planned = await planSweep(plan, Deno.env);
  const { providers, prices } = planned;
  await interruptible(async (signal, callSignal) => {
    await using database = await openStore({ ...values, store: url }, { signal, watches: true });
    const { isNew } = await joinTerms(database, sweep, planned, named);
    // Once the sweep is there, its workers pay for calls, out of its budget.
    if (preflight && local.preflight !== false && isNew) {
      const missing = missingKeys(planned.ledgers.flatMap(({ models }) => models), providers, Deno.env);
      if (missing.length === 0) await preflight(signal);
      else say(`no model is asked beforehand: ${missing.join(", ")} is not set here`);
    }
    const declared = { name: sweep, plan, providers, prices, asked: await askedBefore(sweepFolder(sweep), prices) };
    const options = { ...local, sweeps: [sweep], ruleOf: wholeRule, env: Deno.env, signal, callSignal, onNotice: say };
    await reopenSweep(database, sweep);
    const run = async (ledgers: readonly SweepLedger[], named: NamedTerms = {}) => {
      const { put, changes } = await declareSweep(database, { ...declared, ...named, ledgers });
      if (changes.length > 0) say(`${sweep}, for every worker from now on: ${changes.join("; ")}`);
      say(`${sweep}: ${put} runs put into the queue of ${database.shown}; other machines join with deno task worker`);
      await watched(database, sweep, signal, () => workOn(database, options));
    };
    await run(planned.ledgers, named);
    // Where the keys are elsewhere, this machine looks, and watches again.
    while (plan.until && await takeLooks(database, { sweep, plan, planned, ruleOf: wholeRule }) > 0) {
      await watched(database, sweep, signal, () => workOn(database, options));
    }
    if (branch) await run(await continuationsOf(database, sweep, planned, branch));
    await report(database);
  }, { resumes: true, drains: true });
}

/** The folder of a sweep on this machine: its preflight and its audit. */
export const sweepFolder = (sweep: string): string => `data/live/sweeps/${sweep}`;

/** Shows how far a sweep is while this machine works on it, and further until all of it is done. */
async function watched(
  database: Database,
  sweep: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const begun = await sweepStatus(database, sweep);
  const bar = await progress(sweep, sum(Object.values(begun.runs)), { json: logsJson() });
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
      await bar.advance(now - shown, { words: statusWords(status), fields: status });
      shown = now;
      if (ended) await done;
      if (ended && status.runs.waiting + status.runs.running === 0) return;
      await delay(await watchMs(database), undefined, { signal }).catch(() => {});
      if (signal.aborted) return await done;
    }
  } finally {
    await bar.finish();
  }
}

const finished = ({ runs: { closed, open, flagged } }: SweepStatus): number => closed + open + flagged;

/** `3 workers, 412 calls, 2 unknown, US$ 0.31 of 20.00`. */
export function statusWords({ workers, calls, usd, atMost, capUsd, unpriced }: Omit<SweepStatus, "state">): string {
  const busy = workers.filter(({ running }) => running > 0).length;
  return [
    count(busy, "worker"),
    `${calls.answered} calls`,
    ...calls.unknown > 0 ? [`${calls.unknown} unknown`] : [],
    `US$ ${money(usd)}${capUsd === undefined ? "" : ` of ${money(capUsd)}`}`,
    ...atMost > 0 ? [`of it ${money(atMost)} at most for calls without a reported cost`] : [],
    ...unpriced > 0 ? [`${unpriced} calls of models without a price not in it`] : [],
  ].join(", ");
}

/** Opens the store that a command works on. A password where others can read it is said. */
export async function openStore(
  { store: url, "password-file": file }: Partial<Values<typeof ADDRESS_FLAGS>>,
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
  return await openDatabase(whole || url, { ...options, onNotice: say });
}
