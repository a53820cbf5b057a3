import { greatest, mean, sum } from "d3-array";
import { conditionName } from "../deliberation/condition_name.ts";
import { deliberate } from "../deliberation/deliberate.ts";
import { money } from "../model/budget.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { type CostEstimate, estimateCost, type PlannedCalls, type Prices } from "../model/cost.ts";
import { type TokenCounter, tokenCounter } from "../model/count_tokens.ts";
import { stationPersona } from "../model/station/station_persona.ts";
import { surrogate } from "../model/surrogate/surrogate.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { Branch } from "../schema/experiments.ts";
import type { ChatReply, ChatRequest } from "../schema/model_call.ts";
import { askedOf, type Providers } from "../schema/providers.ts";
import { COUNCIL, type CouncilRole, type RoleModels } from "../schema/station_ids.ts";
import type { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { modelsByRole, type Ruleset, runStation } from "../station/run_station.ts";
import { readPreflight } from "./preflight.ts";
import { type Ledger, readLedger } from "./read_ledger.ts";
import { missing } from "./read_station_run.ts";
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

/** How long a model's replies are and how it counts: by what it said so far, else as the prompt asks for. */
interface Habits {
  /** Tokens of an argument as others are shown it, by our own count. */
  readonly argument: number;
  /** Tokens billed for a turn, thinking and STATE line among them, and for a ballot. */
  readonly turn: number;
  readonly ballot: number;
  /** Prompt tokens billed for one of our own count. */
  readonly prompt: number;
  /** Repair requests for one first reply. */
  readonly repairs: number;
}

/** Tokens of 110 words, at the 1.25 a word of our packets and mandates, and of a STATE line. */
const ARGUMENT = 138, STATE_LINE = 30;

const USUAL: Habits = { argument: ARGUMENT, turn: ARGUMENT + STATE_LINE, ballot: 14, prompt: 1, repairs: 0.01 };

interface PlanCallsOptions {
  readonly replicates: number;
  readonly branch?: Branch | undefined;
  readonly prices: Prices;
  readonly parameters: SurrogateParameters;
  /** Folder of the ledgers: what they hold is not planned again, and tells how long replies are. */
  readonly out?: string | undefined;
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
  const { replicates, branch, prices, out, parameters } = options;
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
    add(name, replicates, replicates * calls.length, callsLeft(calls, held[i], replicates));
    if (branch === undefined) continue;
    const shared = branch.round * condition.seats.length;
    const continued = Array.from({ length: replicates }, async (_, base) => {
      const ledger = await heldLedger(out && `${out}/${name}__from${base}-t${branch.round}`);
      return callsLeft(calls, ledger, branch.continuations, shared);
    });
    const total = replicates * branch.continuations;
    const left = (await Promise.all(continued)).flat();
    add(`${name}, continued after round ${branch.round}`, total, total * (calls.length - shared), left);
  }
  return { conditions: rows, total: estimateCost({ calls: planned, prices }) };
}

const heldLedger = async (stem: string | undefined): Promise<Ledger | undefined> =>
  stem === undefined || await missing(`${stem}.jsonl`) ? undefined : await readLedger(`${stem}.jsonl`);

/** Of the calls of every run that a ledger lacks, those that were not answered; `shared` were made by another run. */
function callsLeft(
  calls: readonly PlannedCalls[],
  ledger: Ledger | undefined,
  replicates: number,
  shared = 0,
): PlannedCalls[] {
  const left = runsLeft(ledger, { replicates, base: ledger?.declaration.base });
  return left.flatMap(({ resumeFrom = [] }) => calls.slice(Math.max(shared, firstReplies(resumeFrom).length)));
}

type Answered = Extract<DeliberationEvent, { kind: "turn.answered" | "ballot.answered" | "clerk.answered" }>;

/** The events of slots in order, without repair requests and second ballots. */
const firstReplies = (events: readonly DeliberationEvent[]): Answered[] =>
  events.filter((event): event is Answered => "seat" in event && !("again" in event && event.again));

/** A call as a run will make it, its prompt by our own count. */
interface ExpectedCall {
  readonly model: string;
  readonly kind: "turn" | "ballot";
  readonly prompt: number;
}

type HabitsByModel = Map<string, Habits>;

const habitsWith = (habits: HabitsByModel, model: string): Habits => habits.get(model) ?? USUAL;

function billed({ model, kind, prompt }: ExpectedCall, habits: HabitsByModel): PlannedCalls {
  const own = habitsWith(habits, model);
  const times = kind === "turn" ? 1 + own.repairs : 1;
  return {
    model,
    promptTokens: Math.round(times * prompt * own.prompt),
    completionTokens: Math.round(own[kind] + (times - 1) * STATE_LINE),
    count: 1,
  };
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
  for await (const _ of deliberate(condition, { chat: counting, replicate: 0, seed: 0 }));
  return calls;
}

/** A reply with its argument as long as expected. */
function lengthened(text: string, { argument }: Habits, counter: TokenCounter): string {
  const at = text.indexOf("STATE:");
  const words = text.slice(0, at).trim();
  const tokens = counter.text(words);
  const fitting = tokens < argument
    ? words + " more".repeat(Math.round(argument - tokens))
    : words.slice(0, Math.round(words.length * argument / tokens));
  return `${fitting}\n${text.slice(at)}`;
}

/** Arguments that are counted of a model: their mean does not change much with more. */
const COUNTED = 200;

/** How models were in the ledgers; in the preflight, where those hold nothing of them. */
async function habitsOf(
  held: readonly (Ledger | undefined)[],
  out: string | undefined,
  counter: TokenCounter,
): Promise<HabitsByModel> {
  const seen = new Map<string, { turns: ChatReply[]; ballots: ChatReply[]; repairs: number }>();
  for (const { declaration: { condition }, runs } of held.flatMap((ledger) => ledger ?? [])) {
    for (const event of runs.flatMap(({ events }) => events)) {
      if (!("seat" in event) || !event.reply || event.reading.kind === "missing") continue;
      const { model } = condition.seats[event.seat]!;
      const own = seen.get(model) ?? { turns: [], ballots: [], repairs: 0 };
      seen.set(model, own);
      if (event.kind !== "turn.answered") own.ballots.push(event.reply);
      else if (event.again) own.repairs++;
      else own.turns.push(event.reply);
    }
  }
  const habits: HabitsByModel = new Map();
  for (const { request: { model, messages }, reply } of out === undefined ? [] : await readPreflight(out)) {
    if (!reply || isRepair(messages)) continue;
    const { promptTokens = counter.prompt(messages) } = reply.usage ?? {};
    const prompt = promptTokens / counter.prompt(messages);
    habits.set(model, { ...USUAL, ...turnHabits([reply], counter), prompt });
  }
  for (const [model, { turns, ballots, repairs }] of seen) {
    habits.set(model, {
      ...habitsWith(habits, model),
      ...(turns.length > 0 && { ...turnHabits(turns, counter), repairs: repairs / turns.length }),
      ...(ballots.length > 0 && { ballot: mean(ballots, (reply) => completionOf(reply, counter))! }),
    });
  }
  return habits;
}

/** A reply to a repair request is no measure of others. */
const isRepair = (messages: ChatRequest["messages"]): boolean => messages.some(({ role }) => role === "assistant");

function turnHabits(turns: readonly ChatReply[], counter: TokenCounter): Pick<Habits, "argument" | "turn"> {
  const argument = mean(turns.slice(0, COUNTED), ({ text }) => counter.text(text.replace(/^STATE:.*$/m, "").trim()))!;
  return { argument, turn: mean(turns, (reply) => completionOf(reply, counter))! };
}

const completionOf = ({ usage, text }: ChatReply, counter: TokenCounter): number =>
  usage?.completionTokens ?? counter.text(text);

/** Learns from ledgers how many prompt tokens were billed for one that was expected. */
function correctPrompts(
  habits: HabitsByModel,
  held: readonly (Ledger | undefined)[],
  expected: readonly (readonly ExpectedCall[])[],
): void {
  const told = held.flatMap((ledger, i) =>
    (ledger?.runs ?? []).flatMap(({ events }) =>
      firstReplies(events).flatMap(({ reply }, slot) => {
        const call = expected[i]![slot];
        return call && reply?.usage ? [{ ...call, told: reply.usage.promptTokens }] : [];
      })
    )
  );
  for (const [model, own] of Map.groupBy(told, (call) => call.model)) {
    habits.set(model, {
      ...habitsWith(habits, model),
      prompt: sum(own, (one) => one.told) / sum(own, (one) => one.prompt),
    });
  }
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
  { replicates, branch, prices, out, ...plan }: PlanOptions & {
    readonly replicates: number;
    readonly branch?: Branch | undefined;
    readonly prices?: Prices | undefined;
    readonly out?: string | undefined;
  },
): Promise<CallPlan> {
  const [{ conditions, branch: declared }, lineups, parameters] = await Promise.all([
    planRuns(wanted, plan),
    loadLineups(),
    loadSurrogateParameters(),
  ]);
  const options = { replicates, branch: branch ?? declared, prices: prices ?? lineups.prices, parameters, out };
  return await planCalls(conditions, options);
}

/** A plan in words: one line a condition, then calls, tokens, cost and time in all. */
export function describePlan({ conditions, total }: CallPlan, providers: Providers = {}): string {
  const rows = conditions.map(({ name, replicates, calls, of, promptTokens, completionTokens }) =>
    `${name}: ${replicates} runs, ${calls === of ? calls : `${calls} of ${of}`} calls${
      calls === of ? "" : " remain"
    }, ` +
    `about ${thousands(promptTokens)} prompt and ${thousands(completionTokens)} completion tokens`
  );
  return [...rows, `in all: ${describeCost(total, providers)}`].join("\n");
}

/** Calls, tokens, cost and time in one line. */
export function describeCost(estimate: CostEstimate, providers: Providers = {}): string {
  const { usd, unpriced } = estimate;
  const cost = usd === undefined
    ? `cost unknown: no price for ${unpriced.join(", ")} in scenarios/lineups.json`
    : `about US$ ${money(usd)} if run live, by the prices in scenarios/lineups.json`;
  return `${describeTokens(estimate)}; ${cost}${describeTime(estimate, providers)}`;
}

/** Calls and tokens in one line. */
export function describeTokens({ calls, promptTokens, completionTokens }: CostEstimate): string {
  return `${calls} calls, about ${thousands(promptTokens)} prompt and ${thousands(completionTokens)} completion tokens`;
}

const thousands = (n: number): string => `${Math.round(n / 1000)}k`;

/** The time that the slowest provider's limits leave, where any limits are on file. */
function describeTime({ models }: CostEstimate, providers: Providers): string {
  const times = [...Map.groupBy(models, ({ model }) => askedOf(model, providers).provider)].map(([name, own]) => {
    const { requestsPerMinute = Infinity, tokensPerMinute = Infinity } = providers[name]?.limits ?? {};
    const tokens = sum(own, (one) => one.promptTokens + one.completionTokens);
    return { name, hours: Math.max(sum(own, ({ calls }) => calls) / requestsPerMinute, tokens / tokensPerMinute) / 60 };
  });
  const slowest = greatest(times, ({ hours }) => hours);
  return slowest?.hours
    ? `; at least ${Number(slowest.hours.toPrecision(2))} hours at the limits of ${slowest.name}`
    : "";
}

/** A plan and a statement in JSON, at about a token for four characters. */
const REPLY_TOKENS = 200;

/** What a council of six is asked in one run without repairs, by role, as a persona's run of the same length goes. */
export async function stationRequests(
  options: {
    readonly ruleset: Ruleset;
    readonly temperature?: number | undefined;
    readonly maxTokens?: number | undefined;
  },
): Promise<{ role: CouncilRole; request: ChatRequest }[]> {
  const persona = stationPersona("coalition");
  const asked: { role: CouncilRole; request: ChatRequest }[] = [];
  const noting: ChatModel = (request, callOptions) => {
    asked.push({ role: request.model as CouncilRole, request });
    return persona(request, callOptions);
  };
  const roles = Object.fromEntries(COUNCIL.map((role) => [role, role]));
  for await (const _ of runStation({ ...options, seed: 1, council: noting, model: roles }));
  return asked;
}

/**
 * What live runs of the station would still take, from one surrogate run: prompts are then as long as they will be. Repair
 * requests are not counted; at most each call has one.
 *
 * @param councils model ids asked for, each for `runs` runs.
 * @param options `filled`: of each council, how many slots its runs have filled that are there.
 */
export async function planStation(
  councils: readonly RoleModels[],
  { ruleset, runs, prices, filled = [], out }: {
    ruleset: Ruleset;
    runs: number;
    prices: Prices;
    filled?: readonly (readonly number[])[] | undefined;
    /** Folders of the command, in which its preflight tells how models count. */
    out?: readonly string[] | undefined;
  },
): Promise<CostEstimate> {
  const counter = await tokenCounter();
  const asked = await stationRequests({ ruleset });
  const prompts = asked.map(({ role, request }) => ({ role, tokens: counter.prompt(request.messages) }));
  const told = new Map<string, { prompt: number; reply: number }>();
  for (const { request: { model, messages }, reply } of (await Promise.all((out ?? []).map(readPreflight))).flat()) {
    if (!reply?.usage || isRepair(messages)) continue;
    const { promptTokens, completionTokens } = reply.usage;
    told.set(model, { prompt: promptTokens / counter.prompt(messages), reply: completionTokens });
  }
  const calls = councils.flatMap((council, i) => {
    const models = modelsByRole(council);
    const done = filled[i] ?? [];
    return prompts.map(({ role, tokens }, slot): PlannedCalls => {
      const { prompt, reply } = told.get(models[role]) ?? { prompt: 1, reply: REPLY_TOKENS };
      const count = runs - done.filter((slots) => slots > slot).length;
      const promptTokens = Math.round(tokens * prompt);
      return { model: models[role], promptTokens, completionTokens: reply, count };
    });
  });
  return estimateCost({ calls, prices });
}
