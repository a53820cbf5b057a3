import { createRng } from "../../core/rng.ts";
import { deliberate, turnPlace } from "../../deliberation/deliberate.ts";
import { applyEvent, committeeMeans, type DeliberationState, initialState } from "../../deliberation/state.ts";
import type { ChatModel } from "../../model/chat_model.ts";
import { surrogate } from "../../model/surrogate/surrogate.ts";
import type { Condition } from "../../schema/condition.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import type { PageRun } from "./data.ts";
import { type Group, measure, type MeasureOptions, type Measures } from "./measures.ts";

/** Runs to be made; of several jobs the last one counts. */
export interface RunJob {
  readonly kind: "run";
  readonly job: number;
  readonly condition: Condition;
  readonly parameters: SurrogateParameters;
  /** Master seed. */
  readonly seed: number;
  readonly replicates: readonly number[];
  /** One turn that is asked again under another seed; all others keep theirs. */
  readonly changed?: ChangedTurn | undefined;
}

export interface ChangedTurn {
  readonly round: number;
  readonly seat: number;
}

export type Job =
  | RunJob
  | { readonly kind: "measure"; readonly job: number; readonly groups: readonly Group[] } & {
    readonly options: MeasureOptions;
  }
  | { readonly kind: "stop"; readonly before: number };

export type Reply =
  | { readonly kind: "ready" }
  | { readonly kind: "run"; readonly job: number; readonly run: PageRun }
  | { readonly kind: "measures"; readonly job: number; readonly measures: Measures };

/** No slice of work is longer, so that what the reader does meanwhile is answered. */
const SLICE_MS = 12;

/**
 * Does jobs one after the other and posts what comes of them: the same in a worker and, where there is none, between the
 * frames of the page.
 *
 * @returns takes jobs; a `stop` drops what is waiting or under way of earlier jobs.
 */
export function server(post: (reply: Reply) => void): (job: Job) => void {
  let stopped = 0, last: Promise<void> = Promise.resolve(), begin = 0;
  const dropped = async (job: number) => {
    if (performance.now() - begin > SLICE_MS) {
      await turn();
      begin = performance.now();
    }
    return job < stopped;
  };
  const work = async (job: Exclude<Job, { kind: "stop" }>) => {
    if (await dropped(job.job)) return;
    if (job.kind === "measure") {
      post({ kind: "measures", job: job.job, measures: measure(job.groups, job.options) });
      return;
    }
    for (const replicate of job.replicates) {
      const run = await pageRun(job, replicate, () => dropped(job.job));
      if (run === undefined) return;
      post({ kind: "run", job: job.job, run });
    }
  };
  return (job) => {
    if (job.kind === "stop") stopped = job.before;
    else last = last.then(() => work(job)).catch(reportError); // The next job is done all the same.
  };
}

/** Lets everything else that waits have its turn; a timer would wait for milliseconds. */
function turn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
  return promise;
}

/** One run by the library's own protocol; undefined when it was given up. */
export async function pageRun(
  { condition, parameters, seed, changed }: Pick<RunJob, "condition" | "parameters" | "seed" | "changed">,
  replicate: number,
  dropped: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<PageRun | undefined> {
  const whole = surrogate(parameters), council = changed === undefined ? whole : askedAgain(whole, changed);
  let state = initialState(condition);
  for await (const event of deliberate(condition, { council, replicate, seed })) {
    state = applyEvent(state, event);
    if (await dropped()) return undefined;
  }
  return toPage(state, replicate);
}

/** As `perturb` of the library changes a turn: the same request under another seed. */
function askedAgain(chat: ChatModel, { round, seat }: ChangedTurn): ChatModel {
  const place = turnPlace(round, seat, false);
  return (request, options) =>
    chat(
      options?.place === place ? { ...request, seed: createRng(request.seed).fork("asked again").key } : request,
      options,
    );
}

function toPage(state: DeliberationState, replicate: number): PageRun {
  const { turns, closed, flaw, decided } = state;
  const flagged = closed?.outcome === "complete" ? undefined : flaw ?? "unknown";
  return {
    ...{ replicate, flaw: flagged, decision: decided?.decision },
    means: flagged === undefined ? committeeMeans(state) : [],
    turns: turns.map(({ round, seat, argument, repaired, state: { preferences, confidence, tags } }) => ({
      ...{ round, seat, argument, repaired, preferences, confidence, tags },
    })),
  };
}
