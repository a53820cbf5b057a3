import { readdir } from "node:fs/promises";
import { known } from "../core/options.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import { deliberation } from "../deliberation/deliberate.ts";
import type { Budget } from "../model/budget.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { Prices } from "../model/cost.ts";
import type { Environment } from "../model/openai_chat.ts";
import { checkOut, missing } from "../record/files.ts";
import { whoWrites } from "../record/ledger_writer.ts";
import type { Protocol } from "../record/protocol.ts";
import type { Branch, CouncilEntry } from "../schema/experiments.ts";
import { readStationFolder, type StationFolder } from "../station/read_station_folder.ts";
import { heldStation } from "../station/station_record.ts";
import { station, stationPlan, switches } from "../station/run_station.ts";
import { STATION_FILES } from "../station/station_files.ts";
import { audited, type AuditRow, auditRuns } from "./audit.ts";
import {
  billsOf,
  budgetOf,
  describeInFlight,
  describeSpent,
  type Held,
  heldFolder,
  heldLedger,
  type OnCall,
  tallier,
} from "./bills.ts";
import { liveIdentity, type LiveOptions, type ModelMap, modelNamedBy, openCouncil } from "./council.ts";
import { describeCost, describePlan, describeTokens, planCalls, planStation } from "./plan_calls.ts";
import { preflight, probesOf } from "./preflight.ts";
import type { Signals } from "./run_condition.ts";
import type { ConditionRuns } from "./run_experiment.ts";
import { folderOf, modelsOf, planRuns, runFolder, type Wanted } from "./run_plan.ts";
import { holding, loadLineups, loadProviders, type ScenarioFolder } from "./scenarios.ts";
import { plannedStations, type StationRuns } from "./station_batch.ts";
import { mappedCouncils, type StationCouncil, stationCouncils } from "./station_council.ts";

/** Prices that stand in for those on file. */
export interface GivenPrices {
  /** By model. */
  readonly own: Prices;
  /** Price of every other model of the command. */
  readonly others?: Prices[string] | undefined;
}

/** The settings of a live command besides what it runs. */
export interface LiveSettings extends LiveOptions {
  readonly map?: ModelMap | undefined;
  readonly given?: GivenPrices | undefined;
  /** The most that all sessions of the command together may cost. */
  readonly budgetUsd?: number | undefined;
  /** Asks every model once before anything else; true by default. */
  readonly preflight?: boolean | undefined;
}

/** True if a council of that name asks language models. */
export const isLiveName = (council: string): boolean => council === "live" || council.startsWith("live:");

/** The known prices of some models: given ones replace those on file. */
export async function pricesOf(
  models: readonly string[],
  given: GivenPrices = { own: {} },
  from: ScenarioFolder = {},
): Promise<Prices> {
  const { prices } = await loadLineups(await holding("lineups.json", from.folder));
  const others = given.others && Object.fromEntries(models.map((model) => [model, given.others!]));
  return { ...prices, ...others, ...given.own };
}

/** The work that a command still has to do. */
export interface LivePlan {
  /** Repair requests left out. */
  readonly calls: number;
  readonly words: string;
}

/** Options for {@linkcode LiveSession.open}. */
export interface OpenOptions extends Signals {
  /** `read` leaves a record that another process is writing to that process; by default the command refuses it. */
  readonly whenBusy?: "read" | undefined;
  /** Called after every call of a live model with the running totals, and with 1 if it was a step of the plan. */
  readonly onCall?: OnCall | undefined;
}

/** The runs of a command before, while and after live models are paid for them. */
export interface LiveSession<Opened, Results> {
  /** The work that remains, by what is known now. */
  plan(): Promise<LivePlan>;
  /** Throws a UserError where a key or a needed price is missing, or a provider is not to be trusted. */
  check(): Promise<void>;
  /** Opens the councils with their keys and the rest of the budget, and asks each model once whose records are free. */
  open(options?: OpenOptions): Promise<Opened>;
  /** The cost of all sessions together; undefined where nothing was asked. */
  spent(): Promise<string | undefined>;
  /** Figures to check before believing the runs, in words; they are kept beside the runs. */
  audit(results: Results): Promise<string>;
}

/** A record that live models are asked for: the ledger of a plan, or the folder of one run. */
interface LiveRecord<Plan> {
  /** Whose first calls are the preflight's. */
  readonly plan: Plan;
  /** Index of its council among those opened. */
  readonly council: number;
  /** The file that one process at a time writes. */
  readonly path: string;
}

/** A council as a session sees it. */
type Asked = Pick<StationCouncil, "chat" | "identity" | "live">;

/** The work of a session: it differs between protocols, and between records in ledgers and in folders. */
interface Work<Plan, Opened extends Asked, Results> {
  readonly protocol: Pick<Protocol<Plan, never, unknown>, "probe">;
  readonly records: readonly LiveRecord<Plan>[];
  readonly prices: Prices;
  readonly live: LiveSettings;
  /** Folder of a council's records, in which its preflight stands. */
  rootOf(council: number): string;
  held(): Promise<Held>;
  plan(): Promise<LivePlan>;
  open(budget: Budget | undefined): Promise<readonly Opened[]>;
  /** Each row with the folder that keeps it. */
  audit(results: Results): Promise<readonly (readonly [root: string, row: AuditRow])[]>;
}

/** The session of any protocol's work; nothing is asked and no key is needed before `check` and `open`. */
function sessionOf<Plan, Opened extends Asked, Results>(
  { protocol, records, prices, live, ...work }: Work<Plan, Opened, Results>,
): LiveSession<readonly Opened[], Results> {
  const probesIn = (some: typeof records) => probesOf(protocol, [...new Set(some.map(({ plan }) => plan))]);
  const begin = async () => {
    const councils = Map.groupBy(records, ({ council }) => council).values();
    const probes = (await Promise.all([...councils].map(probesIn))).flat();
    const budget = { prices, budgetUsd: live.budgetUsd };
    return await work.open(await budgetOf(budget, probes.map(({ request }) => request), await work.held()));
  };
  return {
    async plan() {
      const { words, calls } = await work.plan();
      return { words: words + await describeInFlight(await work.held(), prices), calls };
    },
    check: async () => void await begin(),
    async open({ whenBusy, onCall, ...signals } = {}) {
      const busy = records.map(({ path }) => whoWrites(path));
      const refused = whenBusy === "read" ? undefined : busy.find((one) => one !== undefined);
      if (refused) throw refused;
      const count = onCall ? tallier(prices, onCall) : (chat: ChatModel) => chat;
      const councils = (await begin()).map((council) =>
        council.live && council.chat !== "none" ? { ...council, chat: count(council.chat) } : council
      );
      if (live.preflight === false) return councils;
      const free = records.filter((_, i) => busy[i] === undefined);
      for (const [i, own] of Map.groupBy(free, ({ council }) => council)) {
        const { chat, identity } = councils[i]!;
        const settings = { ...signals, identity, root: work.rootOf(i), onNotice: live.onNotice };
        if (chat !== "none") await preflight(await probesIn(own), { ...settings, chat });
      }
      return councils;
    },
    spent: async () => describeSpent(await billsOf(await work.held()), prices),
    async audit(results) {
      const byRoot = Map.groupBy(await work.audit(results), ([root]) => root);
      const words = [...byRoot].map(([root, own]) => audited(root, own.map(([, row]) => row)));
      return (await Promise.all(words)).join("\n");
    },
  };
}

/** Options for {@linkcode liveSession}. */
interface LiveSessionOptions extends ScenarioFolder {
  /** `live` or `live:MODEL`. */
  readonly council: string;
  readonly env: Environment;
  readonly replicates?: number | undefined;
  /** As for `planCalls`. */
  readonly mayStop?: boolean | undefined;
  readonly branch?: Branch | undefined;
  /** Folder of the ledgers; by default below `data/`, the folder of experiment and council. */
  readonly out?: string | undefined;
  readonly data: string;
  /** As for `runCondition`. */
  readonly reopen?: boolean | undefined;
  readonly live: LiveSettings;
}

/** A session of committees, in whose folder `out` the ledgers stand. */
export type CommitteeSession = Awaited<ReturnType<typeof liveSession>>;

/**
 * Prepares a live run of committees.
 *
 * @throws {UserError} as `planRuns`, and where a model names an unknown provider.
 */
export async function liveSession(wanted: Wanted, options: LiveSessionOptions) {
  const { council: name, env, folder, reopen, mayStop, live } = options;
  checkOut(options.out);
  const { map, given, budgetUsd: _, preflight: __, maxTokens, reasoningEffort, ...asked } = live;
  const providers = await loadProviders(await holding("providers.json", folder));
  const seating = { ...known({ model: modelNamedBy(name), map }), providers };
  const models = modelsOf((await planRuns(wanted, { folder, ...seating })).conditions);
  const below = runFolder(folderOf(wanted), { live: true, identity: liveIdentity(env, models, providers), ...seating });
  const out = (options.out ?? `${options.data}/${below}`).replace(/\/$/, "");
  const form = { maxTokens, reasoningEffort, ledgers: out };
  const { conditions, ...declared } = await planRuns(wanted, { folder, ...seating, live: form });
  const { replicates = declared.replicates, branch = declared.branch } = options;
  const prices = await pricesOf(models, given, { folder });
  const { open, ...session } = sessionOf({
    ...{ protocol: deliberation, prices, live, rootOf: () => out },
    records: conditions.map((plan) => ({ plan, council: 0, path: `${out}/${conditionName(plan)}.jsonl` })),
    held: () => ledgersIn(out, conditions.map(conditionName)),
    async plan() {
      const calls = await planCalls(conditions, { replicates, branch, prices, out, reopen, mayStop });
      return { words: describePlan(calls, providers), calls: calls.total.calls };
    },
    async open(budget) {
      const settings = { ...asked, providers, foreign: folder !== undefined, models, budget };
      return [{ ...await openCouncil(name, env, settings), map, form }];
    },
    audit: (results: readonly ConditionRuns[]) => {
      const all = results.flatMap((one) => [one, ...one.branches ?? []]);
      return Promise.resolve(all.map(({ name, ledger }) => [out, auditRuns(name, ledger.runs)] as const));
    },
  });
  return { ...session, out, conditions, prices, open: async (settings?: OpenOptions) => (await open(settings))[0]! };
}

/** The ledgers of some conditions in a folder, those of continuations among them. */
async function ledgersIn(root: string, names: readonly string[]): Promise<Held> {
  const files = await missing(root) ? [] : await readdir(root);
  const ledgers = [...new Set(files.map((file) => file.replace(/\.rescued$/, "")))].filter((file) =>
    file.endsWith(".jsonl") && names.some((name) => file === `${name}.jsonl` || file.startsWith(`${name}__from`))
  );
  // The content of a lost ledger stands beside it.
  const found = (file: string) => files.includes(`${file}.rescued`) ? `${file}.rescued` : file;
  return { records: ledgers.map((file) => heldLedger(deliberation, `${root}/${found(file)}`)), roots: [root] };
}

/** Options for {@linkcode stationSession}. */
interface StationSessionOptions {
  /** Name of the experiment. */
  readonly name: string;
  readonly councils: readonly CouncilEntry[];
  readonly env: Environment;
  /** Folder of the batch, for each council. */
  readonly out: (council: StationCouncil) => string;
  readonly live: LiveSettings;
}

/** A run of the station with its calls, or in a folder that holds them. */
type AuditedRun =
  & Pick<StationFolder, "header" | "events">
  & { readonly folder?: string; readonly calls?: StationFolder["calls"] };

/**
 * Prepares a batch of station runs, of programs too.
 *
 * @throws {UserError} as `stationCouncils`, but for keys that are missing.
 */
export async function stationSession(plan: StationRuns, options: StationSessionOptions) {
  const { name, env, out, live } = options;
  const { map, given, budgetUsd: _, preflight: __, maxTokens: ___, reasoningEffort: ____, ...settings } = live;
  const providers = await loadProviders(), asked = { ...settings, providers };
  const entries = map ? mappedCouncils(options.councils, map) : options.councils;
  const councils = await stationCouncils(entries, withoutKeys(env), asked);
  const { rulesets } = plan;
  // A schema that is not shown is there to be missed: then a reply that cannot be read is a finding.
  const ruleset = rulesets.find((one) => switches(one).schemaShown) ?? rulesets[0]!;
  const paid = councils.filter(({ live }) => live);
  const plans = new Map(paid.map((council) => {
    const { chat, model } = council;
    return [council, stationPlan({ ...known(plan), council: chat, ruleset, model })];
  }));
  const planned = plannedStations(plan, { councils, out });
  const records = planned.filter(({ council }) => council.live).map(({ council, folder }) => ({
    ...{ council: councils.indexOf(council), plan: plans.get(council)!, folder },
    path: `${folder}/${STATION_FILES.events}`,
  }));
  const held = records.map(({ folder }) => heldFolder(folder));
  const roots = [...new Set(paid.map(out))];
  const prices = await pricesOf([...plans.values()].flatMap(({ seats }) => seats.map(({ model }) => model)), given);
  return {
    ...{ runs: planned.length, live: paid.length > 0 },
    ...sessionOf({
      ...{ protocol: station, prices, live, records, rootOf: (i) => out(councils[i]!) },
      held: () => Promise.resolve({ records: held, roots }),
      async plan() {
        const asked = planned.filter(({ council }) => council.chat !== "none");
        const runs = asked.map(async ({ council: { live, model }, folder }) => ({
          model,
          filled: live ? await slotsFilled(folder) : 0,
        }));
        const cost = await planStation(await Promise.all(runs), { ruleset: rulesets[0]!, prices });
        const what = `${name}: ${planned.length} runs of ${councils.map(({ label }) => label).join(", ")}`;
        const words = paid.length > 0 ? describeCost(cost, providers) : describeTokens(cost);
        return { words: `${what}; ${words}; repairs not counted`, calls: cost.calls };
      },
      open: async (budget) => paid.length > 0 ? await stationCouncils(entries, env, { ...asked, budget }) : councils,
      audit: async (runs: readonly AuditedRun[]) =>
        (await Promise.all(paid.map(async (council) => {
          const { label, identity } = council;
          const own = runs.filter(({ header }) => header.council === label && header.identity === identity);
          const whole = await Promise.all(own.map(async ({ folder = "", calls, events }) =>
            calls ? { calls, events } : await readStationFolder(folder)
          ));
          return own.length === 0 ? [] : [[out(council), auditRuns(label, whole)] as const];
        }))).flat(),
    }),
  };
}

/** The environment for a plan, which calls no model and needs no key. */
const withoutKeys = (env: Environment): Environment => ({
  get: (name) => name.endsWith("_API_KEY") ? "never-sent" : env.get(name),
});

/** Turns of a run that are on record. */
async function slotsFilled(folder: string): Promise<number> {
  const held = await heldStation(folder);
  return held?.events.filter(({ kind }) => kind === "action.taken").length ?? 0;
}
