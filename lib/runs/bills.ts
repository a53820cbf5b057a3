import { greatest } from "d3-array";
import { UserError } from "../core/user_error.ts";
import { Budget, money } from "../model/budget.ts";
import { credibleUsage, type Prices, usdOf } from "../model/cost.ts";
import type { ChatReply, ChatRequest, FailedTry, ModelCall } from "../schema/model_call.ts";
import { bookedProbes, preflightFile, readPreflight } from "./preflight.ts";
import { isBegun, type Ledger, resumeLedger } from "./read_ledger.ts";
import { missing, readStationCalls, readStationUnanswered } from "./read_station_run.ts";
import { lostTries, mayHaveLost } from "./sent_tries.ts";
import { STATION_FILES } from "./station_files.ts";
import { bookedCalls } from "./station_store.ts";

/** What one try took, or can have taken at most; neither where it was not billed. */
export interface Bill extends Pick<FailedTry, "usage" | "atMost"> {
  readonly model: string;
  /** Of a reply: one that tells neither was recorded by a version that kept no such record. */
  readonly text?: string;
  /** It was under way when its process was killed: nobody knows what came of it. */
  readonly inFlight?: true;
}

/** A reply's own bill and those of the tries before it. */
export function* billsOfReply(model: string, reply: ChatReply | undefined): Generator<Bill> {
  if (reply === undefined) return;
  yield { model, ...reply };
  for (const one of reply.failedTries ?? []) yield { model, ...one };
}

/** Every try on record of a committee's condition, failed ones included, for they may have been paid for. */
export function* billsOfLedger({ declaration: { condition: { seats }, base = [] }, runs }: Ledger): Generator<Bill> {
  for (const { events, unanswered } of runs) {
    // What runs of a continuation share was paid for once, in another ledger.
    for (const event of events.slice(base.length)) {
      if ("seat" in event) yield* billsOfReply(seats[event.seat]!.model, event.reply);
    }
    for (const { tries, place } of unanswered) {
      const seat = Number(/^(?:turn\/\d+|ballot)\/(\d+)/.exec(place)?.[1] ?? 0);
      for (const one of tries) yield { model: seats[seat]!.model, ...one };
    }
  }
}

export function* billsOfCall({ request: { model }, reply, failure }: Pick<ModelCall, "request" | "reply" | "failure">) {
  yield* billsOfReply(model, reply ?? failure?.received);
}

const callsIn = (folder: string): string => `${folder}/${STATION_FILES.calls}`;

/** What stands in the folder of a station run: every try, failed ones included. */
async function billsOfStation(folder: string, models: Readonly<Record<string, string>>): Promise<Bill[]> {
  const path = callsIn(folder);
  if (await missing(path)) return [];
  const [{ calls }, unanswered] = await Promise.all([
    readStationCalls(path),
    readStationUnanswered(`${folder}/${STATION_FILES.unanswered}`),
  ]);
  return [
    ...calls.flatMap((call) => [...billsOfCall(call)]),
    ...unanswered.flatMap(({ place, tries }) =>
      tries.map((one) => ({ model: models[place.split("/")[1]!] ?? "unknown", ...one }))
    ),
    ...billsInFlight(path, () => bookedCalls(calls, unanswered)),
  ];
}

/** What is on record of a command's earlier sessions. */
export interface Held {
  /** Ledgers of committees, those of continuations among them. */
  readonly ledgers?: readonly string[] | undefined;
  /** Folders of station runs, each with the model of every role. */
  readonly folders?: readonly { readonly folder: string; readonly models: Readonly<Record<string, string>> }[];
  /** Folders of commands: what they asked before they began. */
  readonly roots: readonly string[];
}

/** Every try that earlier sessions of a command paid for, or may have paid for. */
export async function billsOf({ ledgers = [], folders = [], roots }: Held): Promise<Bill[]> {
  const bills: Bill[] = [];
  for (const path of ledgers) {
    if (await missing(path) || !await isBegun(path)) continue;
    const { ledger, runs } = await resumeLedger(path);
    bills.push(...billsOfLedger(ledger), ...billsInFlight(path, (run) => runs.get(run)?.tries));
  }
  for (const { folder, models } of folders) bills.push(...await billsOfStation(folder, models));
  for (const root of roots) {
    const probes = await readPreflight(root);
    for (const { request, unanswered, ...call } of probes) {
      bills.push(...billsOfCall({ request, ...call }));
      for (const one of unanswered?.tries ?? []) bills.push({ model: request.model, ...one });
    }
    bills.push(...billsInFlight(preflightFile(root), bookedProbes(probes)));
  }
  return bills;
}

const billsInFlight = (...record: Parameters<typeof lostTries>): Bill[] =>
  lostTries(...record).map(({ model, atMost }) => ({ model, atMost, inFlight: true }));

/** What tries in flight at a kill can have cost, to stand behind a sum; empty where there are none. */
export async function describeInFlight(held: Held, prices: Prices): Promise<string> {
  const { ledgers = [], folders = [], roots } = held;
  const records = [...ledgers, ...folders.map(({ folder }) => callsIn(folder)), ...roots.map(preflightFile)];
  // The bills of long ledgers are not read for nothing.
  return records.some(mayHaveLost) ? inFlightWords(spentOn(await billsOf(held), prices)) : "";
}

const inFlightWords = ({ inFlight }: Spent): string =>
  inFlight > 0 ? `, and up to US$ ${money(inFlight)} in flight at a kill` : "";

/** What tries come to. */
export interface Spent {
  /** US dollars; of tries whose tokens nobody told, the most that they can have cost. */
  readonly usd: number;
  /** How much of that is for such tries, and how many they are. */
  readonly atMost: number;
  readonly untold: number;
  /** The most that tries in flight at a kill can have cost, which is not in the sum. */
  readonly inFlight: number;
  /** Replies of which nothing is known: they are not in the sum. */
  readonly lost: number;
  /** Models without a price: theirs are not in the sum. */
  readonly unpriced: readonly string[];
}

export function spentOn(bills: Iterable<Bill>, prices: Prices): Spent {
  let [usd, atMost, untold, lost, inFlight] = [0, 0, 0, 0, 0];
  const unpriced = new Set<string>();
  for (const { model, text, ...bill } of bills) {
    const usage = credibleUsage({ ...bill, text });
    const took = usage ?? bill.atMost;
    if (took === undefined) {
      if (text) lost++;
      continue;
    }
    if (!usage && !bill.inFlight) untold++;
    const price = Object.hasOwn(prices, model) ? prices[model]! : undefined;
    if (!price && !usage?.usd) {
      unpriced.add(model);
      continue;
    }
    const cost = usdOf(took, price ?? { input: 0, output: 0 });
    if (bill.inFlight) inFlight += cost;
    else usd += cost;
    if (!usage && !bill.inFlight) atMost += cost;
  }
  return { usd, atMost, untold, lost, inFlight, unpriced: [...unpriced] };
}

/** What was spent, in one line; undefined where nothing was asked. */
export function describeSpent(bills: readonly Bill[], prices: Prices): string | undefined {
  if (bills.length === 0) return undefined;
  const spent = spentOn(bills, prices);
  const { usd, atMost, untold, lost, unpriced } = spent;
  const unknown = [
    ...unpriced.map((model) => `${model}, which has no price`),
    ...lost > 0 ? [`${lost} replies that tell no tokens`] : [],
  ];
  const sum = `${unknown.length > 0 ? "unknown, at least " : ""}US$ ${money(usd)}`;
  const doubt = untold === 0 ? "" : `, of it US$ ${money(atMost)} at most for ${untold} tries whose tokens nobody told`;
  return sum + doubt + inFlightWords(spent) + (unknown.length === 0 ? "" : `; not in it: ${unknown.join(", ")}`);
}

/** What a command may cost, and by which prices. */
export interface Purse {
  /** Of every model of which a price is known. */
  readonly prices: Prices;
  /** The most that all its sessions together may cost, in US dollars; without limit by default. */
  readonly budgetUsd?: number | undefined;
}

/**
 * The budget of a command, with what its earlier sessions spent taken off; undefined where there is no limit.
 *
 * @param first the first call of every model.
 * @throws {UserError} (`exitCode` 2) naming the models without a price, and where the budget pays for no call at all.
 */
export async function budgetOf(
  { prices, budgetUsd: usd }: Purse,
  first: readonly ChatRequest[],
  held: Held,
): Promise<Budget | undefined> {
  if (usd === undefined) return undefined;
  const models = [...new Set(first.map(({ model }) => model))];
  const unpriced = models.filter((model) => !Object.hasOwn(prices, model));
  if (unpriced.length > 0) {
    const ways = "add --price IN,OUT (in code, prices; US$ for a million tokens), or a price in scenarios/lineups.json";
    throw new UserError(`--budget-usd needs a price for ${unpriced.join(", ")}: ${ways}`, { exitCode: 2 });
  }
  const spent = spentOn(await billsOf(held), prices);
  const budget = new Budget({ usd, prices, spent: spent.usd + spent.inFlight });
  for (const { request, reply } of (await Promise.all(held.roots.map(readPreflight))).flat()) {
    if (reply?.usage && models.includes(request.model)) budget.learn(request, reply.usage);
  }
  const dearest = greatest(first, (request) => budget.costAtMost(request));
  if (dearest && budget.costAtMost(dearest) > usd) {
    const most = money(budget.costAtMost(dearest));
    throw new UserError(`--budget-usd ${usd} pays for no call: one of ${dearest.model} can cost US$ ${most}`, {
      exitCode: 2,
    });
  }
  return budget;
}
