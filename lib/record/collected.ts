import type { ChatModel } from "../model/chat_model.ts";
import { recording } from "../model/replay.ts";
import type { ModelCall } from "../schema/model_call.ts";
import { accountRuns, causesOf, isComplete, type RunAccounting } from "./accounting.ts";
import { type CollectedRun, collectedRun, isSynthetic } from "./collected_run.ts";
import {
  closingOf,
  endsComplete,
  type Header,
  play,
  type PlayOptions,
  type Protocol,
  type Recorded,
  type RunEvent,
} from "./protocol.ts";
import type { Ledger } from "./read_ledger.ts";

/** A condition after it was run: the complete runs, and an account of the missing ones. */
export interface Collected<Plan, Event, State> {
  /** As its ledger is named. */
  readonly name: string;
  readonly condition: Plan;
  /** The condition's settings, which become columns of tidy rows. */
  readonly knobs: Header["knobs"];
  /** Names of the measured values, K of them. */
  readonly names: readonly string[];
  readonly accounting: RunAccounting;
  /** Runs in order of replicate. */
  readonly runs: readonly CollectedRun<Event, State>[];
  /** True if any reply came from something other than a language model. */
  readonly synthetic: boolean;
  /** Master seed. */
  readonly seed: number;
}

/** A run in memory: its events, and the calls that they name by their places, where they do not hold them. */
export interface PlayedRun<Event> {
  readonly events: readonly Event[];
  readonly calls: readonly ModelCall[];
}

/**
 * Plays one run in memory, from its beginning or that of another one.
 *
 * @param options `wrap`: changes what is asked, before it is recorded.
 */
export async function playRun<Plan, Event extends RunEvent, State>(
  protocol: Protocol<Plan, Event, State>,
  plan: Plan,
  { chat, wrap = (kept) => kept, resumeFrom: past = { events: [], calls: [] }, ...options }:
    & Omit<PlayOptions<Event>, "resumeFrom">
    & {
      readonly wrap?: ((chat: ChatModel) => ChatModel) | undefined;
      readonly resumeFrom?: PlayedRun<Event> | undefined;
    },
): Promise<PlayedRun<Event>> {
  const calls = [...past.calls];
  const kept = protocol.callsUsed ? recording(chat, (call) => void calls.push(call)) : chat;
  const rest = play(protocol, plan, { ...options, chat: wrap(kept), resumeFrom: past.events });
  return { events: [...past.events, ...await Array.fromAsync(rest)], calls };
}

/** Runs a plan in memory, without a ledger. */
export async function collect<Plan, Event extends RunEvent, State>(
  protocol: Protocol<Plan, Event, State>,
  plan: Plan,
  { replicates, ...options }: Omit<PlayOptions<Event>, "replicate" | "resumeFrom"> & { readonly replicates: number },
): Promise<Collected<Plan, Event, State>> {
  const runs: CollectedRun<Event, State>[] = [];
  const ends: (string | undefined)[] = [];
  let synthetic = false;
  for (let replicate = 0; replicate < replicates; replicate++) {
    const { events } = await playRun(protocol, plan, { ...options, replicate });
    const run = collectedRun(protocol, plan, { replicate, events }), isDone = endsComplete(events);
    synthetic ||= run.synthetic;
    if (isDone) runs.push(run);
    ends.push(isDone ? undefined : closingOf(events.at(-1))?.cause ?? "unknown");
  }
  const about = aboutPlan(protocol, plan);
  return { ...about, accounting: causesOf(about.name, ends), runs, synthetic, seed: options.seed };
}

/** The runs of a ledger, ready for analysis. Flagged and unfinished ones are left out, never patched. */
export function collected<Plan, Event extends RunEvent, State>(
  protocol: Protocol<Plan, Event, State>,
  ledger: Ledger<Plan, Event>,
): Collected<Plan, Event, State> & { readonly ledger: Ledger<Plan, Event> } {
  const { condition, seed, synthetic } = ledger.declaration;
  const complete = ledger.runs.filter(isComplete);
  const runs = complete.map((run) => collectedRun(protocol, condition, run)).sort((a, b) => a.replicate - b.replicate);
  // A live endpoint may turn out to be a program, also where no run is complete yet.
  const isProgram = synthetic || runs.some((run) => run.synthetic) ||
    ledger.runs.some((run) => !isComplete(run) && isSynthetic(run.events));
  const about = aboutPlan(protocol, condition);
  return { ...about, ledger, accounting: accountRuns(ledger), runs, synthetic: isProgram, seed };
}

function aboutPlan<Plan, Event extends RunEvent>(protocol: Recorded<Plan, Event>, condition: Plan) {
  const { name, knobs } = protocol.header(condition);
  return { name, condition, knobs, names: protocol.columns(condition, []).names };
}
