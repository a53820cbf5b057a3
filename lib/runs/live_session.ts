import { known } from "../core/known.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import type { Prices } from "../model/cost.ts";
import type { Environment } from "../model/openai_chat.ts";
import type { Condition } from "../schema/condition.ts";
import type { Branch } from "../schema/experiments.ts";
import { audited, auditLedger } from "./audit.ts";
import { billsOf, budgetOf, describeInFlight, describeSpent, type Held } from "./bills.ts";
import { type Council, liveIdentity, type LiveOptions, type ModelMap, modelNamedBy, openCouncil } from "./council.ts";
import { describePlan } from "./describe_plan.ts";
import { checkOut } from "./files.ts";
import { whoWrites } from "./ledger_writer.ts";
import { planExperiment } from "./plan_calls.ts";
import { committeeProbes, preflight } from "./preflight.ts";
import { missing } from "./read_station_run.ts";
import type { ConditionRuns } from "./run_experiment.ts";
import { folderOf, modelsOf, planRuns, runFolder, type Wanted } from "./run_plan.ts";
import { holding, loadLineups, loadProviders, type ScenarioFolder } from "./scenarios.ts";
import { type OnCall, tallier } from "./tally.ts";

/** Prices that stand in for those on file. */
export interface GivenPrices {
  /** By model. */
  readonly own: Prices;
  /** Of every other model of the command. */
  readonly others?: Prices[string] | undefined;
}

/** What is asked of a live command besides what it runs. */
export interface LiveSettings extends LiveOptions {
  readonly map?: ModelMap | undefined;
  readonly given?: GivenPrices | undefined;
  /** The most that all sessions of the command together may cost. */
  readonly budgetUsd?: number | undefined;
  /** Whether every model is asked once before anything else is; true by default. */
  readonly preflight?: boolean | undefined;
}

/** Whether a council of that name asks language models. */
export const isLiveName = (council: string): boolean => council === "live" || council.startsWith("live:");

/** The prices of some models, as far as they are known: those given go before those on file. */
export async function pricesOf(
  models: readonly string[],
  given: GivenPrices = { own: {} },
  from: ScenarioFolder = {},
): Promise<Prices> {
  const { prices } = await loadLineups(await holding("lineups.json", from.folder));
  const others = given.others && Object.fromEntries(models.map((model) => [model, given.others!]));
  return { ...prices, ...others, ...given.own };
}

/** Options for {@linkcode liveSession}. */
interface LiveSessionOptions extends ScenarioFolder {
  /** `live` or `live:MODEL`. */
  readonly council: string;
  readonly env: Environment;
  readonly replicates?: number | undefined;
  readonly branch?: Branch | undefined;
  /** Folder of the ledgers; by default below `data/`, the folder of experiment and council. */
  readonly out?: string | undefined;
  readonly data: string;
  /** As for `runCondition`. */
  readonly reopen?: boolean | undefined;
  readonly live: LiveSettings;
}

/** What a live command still has to do. */
export interface LivePlan {
  /** Repair requests left out. */
  readonly calls: number;
  readonly words: string;
}

/** Options for {@linkcode LiveSession.open}. */
export interface OpenOptions {
  /** Aborted when no further call is to be begun. */
  readonly signal?: AbortSignal | undefined;
  /** Breaks off calls under way; by default `signal` does. */
  readonly callSignal?: AbortSignal | undefined;
  /** Where another process writes ledgers: `read` leaves those to it, instead of refusing before anything is asked. */
  readonly whenBusy?: "read" | undefined;
  /** Told after every call what all of them came to, and how many steps of the plan it was. */
  readonly onCall?: OnCall | undefined;
}

/** A live run of committees before its first call: what it will take, and what it takes to begin. */
export interface LiveSession {
  readonly out: string;
  readonly conditions: readonly Condition[];
  /** What remains, by what is known now. */
  plan(): Promise<LivePlan>;
  /** Throws a UserError where a key or a price that is needed is missing, or a provider is not to be trusted. */
  check(): Promise<void>;
  /** Opens the providers with their keys, and asks every model of the ledgers that nobody else writes once. */
  open(options?: OpenOptions): Promise<Council>;
  /** What all sessions together have cost; undefined where nothing was asked. */
  spent(): Promise<string | undefined>;
  /** What is to be looked at before the runs are believed, in words, and kept beside them. */
  audit(results: readonly ConditionRuns[]): Promise<string>;
}

/**
 * Prepares a live run of committees: nothing is asked and no key is needed before `open`.
 *
 * @throws {UserError} as `planRuns`, and where a model names an unknown provider.
 */
export async function liveSession(wanted: Wanted, options: LiveSessionOptions): Promise<LiveSession> {
  const { council: name, env, branch, folder, reopen, live } = options;
  checkOut(options.out);
  const { map, given, budgetUsd, preflight: asksFirst = true, maxTokens, reasoningEffort, ...asked } = live;
  const providers = await loadProviders(await holding("providers.json", folder));
  const seating = { ...known({ model: modelNamedBy(name), map }), providers };
  const models = modelsOf((await planRuns(wanted, { folder, ...seating })).conditions);
  const identity = liveIdentity(env, models, providers);
  const below = runFolder(folderOf(wanted), { live: true, identity, ...seating });
  const out = (options.out ?? `${options.data}/${below}`).replace(/\/$/, "");
  const form = { maxTokens, reasoningEffort, ledgers: out };
  const { conditions, ...declared } = await planRuns(wanted, { folder, ...seating, live: form });
  const replicates = options.replicates ?? declared.replicates;
  const prices = await pricesOf(models, given, { folder });
  const probes = committeeProbes(conditions);
  const held = (): Promise<Held> => heldBy(out, conditions.map(conditionName));
  const begin = async () => {
    const budget = await budgetOf({ prices, budgetUsd }, probes.map(({ request }) => request), await held());
    const settings = { ...asked, providers, foreign: folder !== undefined, models, budget };
    return { ...await openCouncil(name, env, settings), map, form };
  };
  return {
    ...{ out, conditions },
    async plan() {
      const seats = { ...seating, live: form };
      const plan = await planExperiment(wanted, { replicates, branch, folder, ...seats, prices, out, reopen });
      const words = describePlan(plan, providers) + await describeInFlight(await held(), prices);
      return { words, calls: plan.total.calls };
    },
    check: async () => void await begin(),
    async open({ signal, callSignal, whenBusy, onCall } = {}) {
      const writers = conditions.map((condition) => whoWrites(`${out}/${conditionName(condition)}.jsonl`));
      const refused = whenBusy === "read" ? undefined : writers.find((one) => one !== undefined);
      if (refused) throw refused;
      const opened = await begin();
      const council = onCall ? { ...opened, chat: tallier(prices, onCall)(opened.chat) } : opened;
      if (asksFirst) {
        const { chat } = council;
        const own = committeeProbes(conditions.filter((_, i) => writers[i] === undefined));
        await preflight(own, { chat, identity, root: out, signal, callSignal, onNotice: asked.onNotice });
      }
      return council;
    },
    audit: (results) =>
      audited(out, results.flatMap((one) => [one, ...one.branches ?? []]).map(({ ledger }) => auditLedger(ledger))),
    spent: async () => describeSpent(await billsOf(await held()), prices),
  };
}

/** The ledgers of some conditions in a folder, those of continuations among them. */
async function heldBy(root: string, names: readonly string[]): Promise<Held> {
  const files = await missing(root) ? [] : await Array.fromAsync(Deno.readDir(root), ({ name }) => name);
  const ledgers = [...new Set(files.map((file) => file.replace(/\.rescued$/, "")))].filter((file) =>
    file.endsWith(".jsonl") && names.some((name) => file === `${name}.jsonl` || file.startsWith(`${name}__from`))
  );
  // What a lost ledger held stands beside it.
  const held = (file: string) => files.includes(`${file}.rescued`) ? `${file}.rescued` : file;
  return { ledgers: ledgers.map((file) => `${root}/${held(file)}`), roots: [root] };
}
