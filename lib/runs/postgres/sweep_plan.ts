import { z } from "zod";
import { UserError } from "../../core/user_error.ts";
import { conditionName } from "../../deliberation/condition_name.ts";
import type { ChatModel } from "../../model/chat_model.ts";
import type { Environment } from "../../model/openai_chat.ts";
import { recording } from "../../model/replay.ts";
import type { Condition, ConditionGrid } from "../../schema/condition.ts";
import type { CouncilEntry } from "../../schema/experiments.ts";
import type { Declaration } from "../../schema/ledger_line.ts";
import { DEFAULT_PROVIDER, type Providers } from "../../schema/providers.ts";
import { modelsByRole, stationEvents } from "../../station/run_station.ts";
import { type Council, keyIn, liveIdentity, modelNamedBy, providersOf, surrogateCouncil } from "../council.ts";
import { isLiveName, pricesOf } from "../live_session.ts";
import { differences, planDifferences } from "../plan_differences.ts";
import { sealedHash } from "../registration.ts";
import { declare, runReplicate } from "../run_condition.ts";
import { recorded } from "../run_loop.ts";
import { modelsOf, planRuns } from "../run_plan.ts";
import { stationHeader } from "../run_station_folder.ts";
import { loadProviders } from "../scenarios.ts";
import {
  loadStationExperiment,
  namedSeeds,
  type PlannedStation,
  plannedStations,
  stationOptions,
  type StationPlan,
} from "../station_batch.ts";
import { mappedCouncils, stationCouncil } from "../station_council.ts";
import type { StationHeader } from "../station_files.ts";
import { headerDifferences } from "../station_store.ts";
import { type Claim, type Desk, PostgresCommitteeRun, PostgresStationRun } from "./postgres_store.ts";

const Price = z.strictObject({ input: z.number(), output: z.number() });

/** What a command asked for, from which every worker makes the same plan out of its own files. */
export const SweepPlan = z.strictObject({
  wanted: z.union([z.string(), z.array(z.record(z.string(), z.unknown()))]),
  council: z.string().optional().describe(
    "as it was named; absent: surrogates, or the councils of a station experiment",
  ),
  replicates: z.int().min(1).optional(),
  seed: z.int().optional(),
  map: z.record(z.string(), z.string()).optional(),
  given: z.strictObject({ own: z.record(z.string(), Price), others: Price.optional() }).optional().describe("prices"),
  sendTemperature: z.boolean().optional(),
  maxTokensName: z.enum(["max_tokens", "max_completion_tokens"]).optional(),
  maxTokens: z.int().min(1).optional(),
  reasoningEffort: z.string().min(1).optional(),
  trustProviders: z.boolean().optional(),
  temperature: z.number().optional().describe("of a station's council"),
  structured: z.boolean().optional().describe("of a station's council"),
});
export type SweepPlan = z.infer<typeof SweepPlan>;

export const isStationPlan = ({ wanted }: Pick<SweepPlan, "wanted">): boolean =>
  typeof wanted === "string" && wanted.startsWith("station-");

/** What it takes to work on a claimed run. */
export interface RunOptions {
  readonly desk: Desk;
  /** Of a live council: who is asked. */
  readonly live?: Council | undefined;
  readonly signal: AbortSignal;
  readonly callSignal: AbortSignal;
}

/** One ledger, or one run of the station, of a sweep. */
export interface SweepLedger {
  /** Of its file, or of its folder. */
  readonly name: string;
  /** Who is asked; none by a program. */
  readonly models: readonly string[];
  readonly declaration: Declaration | StationHeader;
  readonly runs: number;
  /** What a store's ledger of that name is otherwise, in words. */
  differences(there: Declaration | StationHeader): string[];
  /** Works on a run until it closes. Throws as `deliberate` and `runStation` do, and `Fenced`. */
  run(claim: Claim, options: RunOptions): Promise<void>;
  /** Closes a run whose record tells no more than that a call's fate is unknown. */
  flag(claim: Claim, desk: Desk, cause: string): Promise<void>;
}

/** A plan made whole from the files here. */
export interface PlannedSweep {
  readonly ledgers: readonly SweepLedger[];
  /** Settings of the providers that live councils name. */
  readonly providers: Providers;
  /** As in `LiveOptions`. */
  readonly asked: Pick<SweepPlan, "sendTemperature" | "maxTokensName" | "trustProviders">;
  readonly prices: Awaited<ReturnType<typeof pricesOf>>;
  /** The ledger that this plan has for a store's: a continuation's is that of its condition, under its base and seed. */
  ledgerOf(name: string, there: Declaration | StationHeader): SweepLedger | undefined;
}

/**
 * Makes the plan that a command asked for from the files of this machine.
 *
 * @throws {UserError} as `planRuns`, and (`exitCode` 2) on a recording, which other machines do not have.
 */
export async function planSweep(plan: SweepPlan, env: Environment): Promise<PlannedSweep> {
  if (plan.council?.startsWith("replay")) {
    throw new UserError("a recording cannot be replayed from a store: other machines do not have it", { exitCode: 2 });
  }
  const providers = await loadProviders();
  const ledgers = isStationPlan(plan)
    ? await planStations(plan, env, providers)
    : await planCommittees(plan, env, providers);
  const models = [...new Set(ledgers.flatMap((ledger) => ledger.models))];
  const { given, sendTemperature, maxTokensName, trustProviders } = plan;
  return {
    ...{
      ledgers,
      providers,
      asked: { sendTemperature, maxTokensName, trustProviders },
      prices: models.length > 0 ? await pricesOf(models, given) : {},
    },
    ledgerOf(name, there) {
      const own = ledgers.find((ledger) => ledger.name === name.replace(CONTINUED, ""));
      const isContinued = "base" in there && there.base !== undefined;
      if (!own || !isContinued) return own?.name === name ? own : undefined;
      const { at, base, seed, target } = there;
      return committeeLedger({ ...own.declaration as Declaration, at, base, seed, target }, name, own.models);
    },
  };
}

const CONTINUED = /__from\d+-t\d+$/;

async function planCommittees(plan: SweepPlan, env: Environment, providers: Providers): Promise<SweepLedger[]> {
  const { wanted, council: name = "surrogate", map, maxTokens, reasoningEffort } = plan;
  const live = isLiveName(name);
  const declared = await planRuns(wanted as string | ConditionGrid[], {
    ...(live && { model: modelNamedBy(name), map, providers, live: { maxTokens, reasoningEffort } }),
  });
  const { conditions } = declared;
  const seed = plan.seed ?? declared.plan?.seed ?? 1;
  const replicates = plan.replicates ?? declared.replicates;
  const registered = declared.plan && await sealedHash(declared, { seed, replicates });
  const models = modelsOf(conditions);
  const council = live
    ? { identity: liveIdentity(env, models, providers), synthetic: false }
    : await surrogateCouncil();
  return conditions.map((condition) => {
    const declaration = declare(condition, { council, replicates, seed, registered });
    return committeeLedger(declaration, conditionName(condition), live ? modelsOf([condition]) : []);
  });
}

/** The surrogates, once for all ledgers. */
let surrogates: Promise<Council> | undefined;

function committeeLedger(declaration: Declaration, name: string, models: readonly string[]): SweepLedger {
  const { condition, seed, base = [], target } = declaration;
  const runOf = (claim: Claim, desk: Desk) =>
    new PostgresCommitteeRun(claim, desk, { hash: declaration.hash, free: models.length === 0 });
  return {
    ...{ name, models, declaration, runs: target },
    differences: (there) => [
      ...planDifferences(there as Declaration, declaration),
      ...otherCode(there, declaration),
    ],
    async run(claim, { desk, live, ...signals }) {
      const store = runOf(claim, desk);
      const { chat } = live ?? await (surrogates ??= surrogateCouncil());
      const held = store.events();
      const resumeFrom = [...base, ...held];
      const asked = paidBy(store, live ? chat : counted(chat));
      await runReplicate(condition as Condition, { ...signals, chat: asked, store, run: claim, seed, resumeFrom });
    },
    async flag(claim, desk, cause) {
      await runOf(claim, desk).append(claim, { kind: "run.closed", outcome: "flagged", cause });
    },
  };
}

async function planStations(plan: SweepPlan, env: Environment, providers: Providers): Promise<SweepLedger[]> {
  const { wanted, council, map, seed, replicates = 1, temperature, structured, maxTokens, reasoningEffort } = plan;
  const { rulesets, seeds, councils } = await loadStationExperiment(wanted as string);
  const named = council === undefined ? councils : [council];
  const entries: readonly CouncilEntry[] = map ? mappedCouncils(named, map) : named;
  const nobody: Council = { chat: unasked, identity: "", synthetic: false, live: true, concurrency: 1, providers };
  const opened = entries.map((entry) => ({ ...stationCouncil(entry, env, () => nobody), entry }));
  const chosen = typeof seeds === "string" ? namedSeeds(seeds) : seeds;
  const stations: StationPlan = {
    ...{ rulesets, replicates, temperature, maxTokens, reasoningEffort },
    seeds: seed === undefined ? chosen : [seed],
    ...(structured && { structured }),
  };
  return plannedStations(stations, { councils: opened, out: "." }).map((one) => stationLedger(stations, one));
}

const unasked: ChatModel = () => Promise.reject(new TypeError("asked before it was opened"));

function stationLedger(plan: StationPlan, one: PlannedStation): SweepLedger {
  const { council, replicate, runId, root } = one;
  const options = stationOptions(plan, one);
  const declaration = stationHeader(options);
  const runOf = (claim: Claim, desk: Desk) => new PostgresStationRun(claim, desk, { free: !council.live });
  return {
    ...{ name: `${root}/${runId}`.replace(/^\.\//, ""), declaration, runs: 1 },
    models: council.live ? [...new Set(Object.values(modelsByRole(council.model)))] : [],
    differences: (there) => [
      ...headerDifferences(there as StationHeader, declaration),
      ...differences((there as StationHeader).rules, declaration.rules, "rules", "there"),
      ...otherCode(there, declaration),
    ],
    async run(claim, { desk, live, signal, callSignal }) {
      const store = runOf(claim, desk);
      const run = { replicate, attempt: 1 };
      const chat = council.live ? live!.chat : council.chat;
      const asked = chat === "none" ? chat : recorded(
        recording(paidBy(store, council.live ? chat : counted(chat)), (call) => store.append(run, undefined, call)),
        { store, run, signal: callSignal },
      );
      const resumeFrom = [...store.events()];
      for await (const event of stationEvents({ ...options, council: asked, signal, resumeFrom })) {
        await store.append(run, event);
      }
    },
    flag: (claim, desk, cause) => runOf(claim, desk).leave("flagged", cause),
  };
}

function otherCode(
  { made: there }: Pick<Declaration, "made">,
  { made: here }: Pick<Declaration, "made">,
): string[] {
  return there.code === here.code ? [] : [`code: there ${there.code ?? "unknown"}, here ${here.code ?? "unknown"}`];
}

/** A model whose tries a run's purse pays for. */
const paidBy = (store: PostgresCommitteeRun | PostgresStationRun, chat: ChatModel): ChatModel => (request, options) =>
  chat(request, { ...options, purse: store.purse() });

/** A program's calls cost nothing, and are on record before they are made like all others. */
const counted = (chat: ChatModel): ChatModel => async (request, options) => {
  const settle = await options!.purse!.reserve(request, options);
  const reply = await chat(request, options);
  await settle({ promptTokens: 0, completionTokens: 0 }, "answered");
  return reply;
};

/**
 * The variables that hold no key here, of the providers that some models are asked from.
 *
 * @throws {UserError} naming a variable that Deno may not read.
 */
export function missingKeys(models: readonly string[], providers: Providers, env: Environment): string[] {
  if (models.length === 0) return [];
  const variables = providersOf(models, providers).map((name) =>
    name === DEFAULT_PROVIDER ? "OPENAI_API_KEY" : providers[name]?.keyVariable
  );
  return [...new Set(variables)].filter((name) => name !== undefined && !keyIn(env, name)) as string[];
}

/** The queue of a ledger's runs: those that ask the same providers wait together, for workers that have the keys. */
export const queueOf = (sweep: string, models: readonly string[], providers: Providers): string =>
  `${sweep}/${models.length === 0 ? "programs" : providersOf(models, providers).join(".")}`;
