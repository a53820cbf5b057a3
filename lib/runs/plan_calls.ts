import { conditionName } from "../deliberation/condition_name.ts";
import { deliberate } from "../deliberation/deliberate.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { type CostEstimate, estimateCost, type PlannedCalls, type Prices } from "../model/cost.ts";
import { type TokenCounter, tokenCounter } from "../model/count_tokens.ts";
import { surrogate } from "../model/surrogate/surrogate.ts";
import type { Condition } from "../schema/condition.ts";
import type { Branch } from "../schema/experiments.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { type Ledger, readLedgerIfBegun } from "./read_ledger.ts";
import { missing } from "./read_station_run.ts";
import {
  billed,
  correctPrompts,
  type ExpectedCall,
  firstReplies,
  type HabitsByModel,
  habitsOf,
  habitsWith,
  lengthened,
} from "./reply_habits.ts";
import { runsLeft } from "./run_condition.ts";
import { type PlanOptions, planRuns, type Wanted } from "./run_plan.ts";
import { loadLineups, loadSurrogateParameters } from "./scenarios.ts";

/** What running some conditions would still take. */
export interface CallPlan {
  readonly conditions: readonly {
    name: string;
    replicates: number;
    /** Those that remain, and how many there were before any was made. */
    calls: number;
    of: number;
    promptTokens: number;
    completionTokens: number;
  }[];
  readonly total: CostEstimate;
}

interface PlanCallsOptions {
  readonly replicates: number;
  readonly branch?: Branch | undefined;
  readonly prices: Prices;
  readonly parameters: SurrogateParameters;
  /** Folder of the ledgers: what they hold is not planned again, and tells how long replies are. */
  readonly out?: string | undefined;
  /** As for `runCondition`. */
  readonly reopen?: boolean | undefined;
}

/**
 * Calls, tokens and cost of what conditions still lack, by one run of each that a surrogate plays with arguments of the
 * expected length: prompts then grow as they will, round by round, until the window is full.
 *
 * An argument is taken to be as long as the prompt allows, or as long as the model's were on average in the ledgers, or in
 * the preflight. Prompts are counted by a tokenizer, and corrected by what the model was billed for. Repair requests are in
 * the tokens, one for a hundred turns or as the ledgers tell, and not in the calls; second ballots are in neither.
 */
export async function planCalls(conditions: readonly Condition[], options: PlanCallsOptions): Promise<CallPlan> {
  const { replicates, branch, prices, out, parameters, reopen } = options;
  const chat = surrogate({ ...parameters, malformedShare: 0 });
  const counter = await tokenCounter();
  const held = await Promise.all(
    conditions.map((condition) => heldLedger(out && `${out}/${conditionName(condition)}`)),
  );
  const habits = await habitsOf(held, out, counter);
  const runs = await Promise.all(conditions.map((condition) => callsOfOneRun(condition, { chat, counter, habits })));
  correctPrompts(habits, held, runs);
  const planned: PlannedCalls[] = [];
  const rows: CallPlan["conditions"][number][] = [];
  const add = (name: string, replicates: number, of: number, left: readonly PlannedCalls[]) => {
    for (const call of left) planned.push(call);
    const { calls, promptTokens, completionTokens } = estimateCost({ calls: left, prices });
    rows.push({ name, replicates, of, calls, promptTokens, completionTokens });
  };
  for (const [i, condition] of conditions.entries()) {
    const calls = runs[i]!.map((call) => billed(call, habits));
    const name = conditionName(condition);
    add(name, replicates, replicates * calls.length, callsLeft(calls, held[i], { replicates, reopen }));
    if (branch === undefined) continue;
    const shared = branch.round * condition.seats.length;
    const continued = Array.from({ length: replicates }, async (_, base) => {
      const ledger = await heldLedger(out && `${out}/${name}__from${base}-t${branch.round}`);
      return callsLeft(calls, ledger, { replicates: branch.continuations, reopen, shared });
    });
    const total = replicates * branch.continuations;
    const left = (await Promise.all(continued)).flat();
    add(`${name}, continued after round ${branch.round}`, total, total * (calls.length - shared), left);
  }
  return { conditions: rows, total: estimateCost({ calls: planned, prices }) };
}

const heldLedger = async (stem: string | undefined): Promise<Ledger | undefined> =>
  stem === undefined || await missing(`${stem}.jsonl`) ? undefined : await readLedgerIfBegun(`${stem}.jsonl`);

/** Of the calls of every run that a ledger lacks, those that were not answered; `shared` were made by another run. */
function callsLeft(
  calls: readonly PlannedCalls[],
  ledger: Ledger | undefined,
  { shared = 0, ...wanted }: { replicates: number; reopen: boolean | undefined; shared?: number },
): PlannedCalls[] {
  const left = runsLeft(ledger, { ...wanted, base: ledger?.declaration.base });
  return left.flatMap(({ resumeFrom = [] }) => calls.slice(Math.max(shared, firstReplies(resumeFrom).length)));
}

async function callsOfOneRun(
  condition: Condition,
  { chat, counter, habits }: { chat: ChatModel; counter: TokenCounter; habits: HabitsByModel },
): Promise<ExpectedCall[]> {
  const calls: ExpectedCall[] = [];
  const counting: ChatModel = async (request, options) => {
    const { model } = request;
    const reply = await chat(request, options);
    const kind = reply.text.includes("STATE:") ? "turn" : "ballot";
    calls.push({ model, kind, prompt: counter.prompt(request.messages) });
    return kind === "ballot" ? reply : { ...reply, text: lengthened(reply.text, habitsWith(habits, model), counter) };
  };
  for await (const _ of deliberate(condition, { council: counting, replicate: 0, seed: 0 }));
  return calls;
}

/** Runs that a plan comes to, continuations among them. */
export function plannedRuns(
  { conditions, branch }: { readonly conditions: readonly unknown[]; readonly branch?: Branch | undefined },
  replicates: number,
): number {
  return conditions.length * replicates * (1 + (branch?.continuations ?? 0));
}

/** What a declared experiment or ad hoc conditions would still take, by default at the prices on file. */
export async function planExperiment(
  wanted: Wanted,
  { replicates, branch, prices, out, reopen, ...plan }: PlanOptions & {
    readonly replicates: number;
    readonly branch?: Branch | undefined;
    readonly prices?: Prices | undefined;
    readonly out?: string | undefined;
    readonly reopen?: boolean | undefined;
  },
): Promise<CallPlan> {
  const [{ conditions, branch: declared }, lineups, parameters] = await Promise.all([
    planRuns(wanted, plan),
    loadLineups(),
    loadSurrogateParameters(),
  ]);
  const options = { replicates, branch: branch ?? declared, prices: prices ?? lineups.prices, parameters, out, reopen };
  return await planCalls(conditions, options);
}
