import { conditionName } from "../deliberation/condition_name.ts";
import { deliberate } from "../deliberation/deliberate.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { type CostEstimate, estimateCost, estimateTokens, type PlannedCalls } from "../model/cost.ts";
import { stationPersona } from "../model/station/station_persona.ts";
import { surrogate } from "../model/surrogate/surrogate.ts";
import type { Condition } from "../schema/condition.ts";
import type { Branch } from "../schema/experiments.ts";
import type { Lineups } from "../schema/lineups.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { COUNCIL, type CouncilRole, type RoleModels } from "../schema/station_ids.ts";
import { modelsByRole, type Ruleset, runStation } from "../station/run_station.ts";
import { type PlanOptions, planRuns, type Wanted } from "./run_plan.ts";
import { loadLineups, loadSurrogateParameters } from "./scenarios.ts";

/** What running some conditions would take. */
export interface CallPlan {
  readonly conditions: readonly {
    name: string;
    replicates: number;
    calls: number;
    promptTokens: number;
    completionTokens: number;
  }[];
  readonly total: CostEstimate;
}

/**
 * Calls, tokens and cost of conditions, from one surrogate run of each: prompts are then as long as they will be, and
 * replies are taken to be as long as the limit the prompt asks for allows (110 words and a STATE line, about 180 tokens).
 *
 * Repairs and second ballots are not counted; they are rare.
 */
export async function planCalls(
  conditions: readonly Condition[],
  { replicates, branch, prices, parameters }: {
    replicates: number;
    branch?: Branch | undefined;
    prices: Lineups["prices"];
    parameters: SurrogateParameters;
  },
): Promise<CallPlan> {
  const chat = surrogate({ ...parameters, malformedShare: 0 });
  const planned: PlannedCalls[] = [];
  const rows: CallPlan["conditions"][number][] = [];
  for (const condition of conditions) {
    const calls = await callsOfOneRun(condition, chat);
    const add = (name: string, count: number, own: readonly PlannedCalls[]) => {
      planned.push(...own.map((call) => ({ ...call, count })));
      rows.push({ name, replicates: count, ...totals(own, count) });
    };
    add(conditionName(condition), replicates, calls);
    if (branch === undefined) continue;
    const shared = branch.round * condition.seats.length;
    const name = `${conditionName(condition)}, continued after round ${branch.round}`;
    add(name, replicates * branch.continuations, calls.slice(shared));
  }
  const usd = Object.fromEntries(
    Object.entries(prices).map(([model, { input, output }]) => [model, {
      promptUsdPerMillion: input,
      completionUsdPerMillion: output,
    }]),
  );
  return { conditions: rows, total: estimateCost({ calls: planned, prices: usd }) };
}

function totals(calls: readonly PlannedCalls[], count: number) {
  const sum = (pick: (call: PlannedCalls) => number) => count * calls.reduce((total, call) => total + pick(call), 0);
  return {
    calls: count * calls.length,
    promptTokens: sum((call) => call.promptTokens),
    completionTokens: sum((call) => call.completionTokens),
  };
}

/** Runs that a plan comes to, continuations among them. */
export function plannedRuns(
  { conditions, branch }: { readonly conditions: readonly unknown[]; readonly branch?: Branch | undefined },
  replicates: number,
): number {
  return conditions.length * replicates * (1 + (branch?.continuations ?? 0));
}

/** What a declared experiment or ad hoc conditions would take, at the prices on file. */
export async function planExperiment(
  wanted: Wanted,
  { replicates, branch, ...plan }: PlanOptions & {
    readonly replicates: number;
    readonly branch?: Branch | undefined;
  },
): Promise<CallPlan> {
  const [{ conditions, branch: declared }, { prices }, parameters] = await Promise.all([
    planRuns(wanted, plan),
    loadLineups(),
    loadSurrogateParameters(),
  ]);
  return await planCalls(conditions, { replicates, branch: branch ?? declared, prices, parameters });
}

/** A plan in words: one line a condition, then calls, tokens and cost in all. */
export function describePlan({ conditions, total }: CallPlan): string {
  const rows = conditions.map(({ name, replicates, calls, promptTokens, completionTokens }) =>
    `${name}: ${replicates} runs, ${calls} calls, about ${thousands(promptTokens)} prompt and ${
      thousands(completionTokens)
    } completion tokens`
  );
  return [...rows, `in all: ${describeCost(total)}`].join("\n");
}

/** Calls, tokens and cost in one line. */
export function describeCost(estimate: CostEstimate): string {
  const { usd, unpriced } = estimate;
  const cost = usd === undefined
    ? `cost unknown: no price for ${unpriced.join(", ")} in scenarios/lineups.json`
    : `about US$ ${usd.toFixed(2)} if run live, by the prices in scenarios/lineups.json`;
  return `${describeTokens(estimate)}; ${cost}`;
}

/** Calls and tokens in one line. */
export function describeTokens({ calls, promptTokens, completionTokens }: CostEstimate): string {
  return `${calls} calls, about ${thousands(promptTokens)} prompt and ${thousands(completionTokens)} completion tokens`;
}

const thousands = (n: number): string => `${Math.round(n / 1000)}k`;

/** 110 words at about 1.3 tokens a word, and a STATE line. */
const ARGUMENT_TOKENS = 180;
const BALLOT_TOKENS = 20;

async function callsOfOneRun(condition: Condition, chat: ChatModel): Promise<PlannedCalls[]> {
  const calls: PlannedCalls[] = [];
  const counting: ChatModel = async (request, options) => {
    const reply = await chat(request, options);
    const promptTokens = request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    const completionTokens = reply.text.includes("STATE:") ? ARGUMENT_TOKENS : BALLOT_TOKENS;
    calls.push({ model: request.model, promptTokens, completionTokens, count: 1 });
    return reply;
  };
  for await (const _ of deliberate(condition, { chat: counting, replicate: 0, seed: 0 }));
  return calls;
}

/** A plan and a statement in JSON, at about a token for four characters. */
const REPLY_TOKENS = 200;

/**
 * What live runs of the station would take, from one surrogate run: prompts are then as long as they will be. Repair
 * requests are not counted; at most each call has one.
 *
 * @param councils model ids asked for, each for `runs` runs.
 */
export async function planStation(
  councils: readonly RoleModels[],
  { ruleset, runs, prices }: { ruleset: Ruleset; runs: number; prices: Lineups["prices"] },
): Promise<CostEstimate> {
  const persona = stationPersona("coalition");
  const prompts: { role: CouncilRole; promptTokens: number }[] = [];
  const counting: ChatModel = (request, options) => {
    const promptTokens = request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    prompts.push({ role: request.model as CouncilRole, promptTokens });
    return persona(request, options);
  };
  const roles = Object.fromEntries(COUNCIL.map((role) => [role, role]));
  for await (const _ of runStation({ seed: 1, ruleset, council: counting, model: roles }));
  const calls: PlannedCalls[] = councils.map(modelsByRole).flatMap((models) =>
    prompts.map(({ role, promptTokens }) => (
      { model: models[role], promptTokens, completionTokens: REPLY_TOKENS, count: runs }
    ))
  );
  const usd = Object.fromEntries(
    Object.entries(prices).map(([model, { input, output }]) => [model, {
      promptUsdPerMillion: input,
      completionUsdPerMillion: output,
    }]),
  );
  return estimateCost({ calls, prices: usd });
}
