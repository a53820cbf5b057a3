import { createRng } from "../../core/rng.ts";
import { deliberate, deliberation, turnPlace } from "../../deliberation/deliberate.ts";
import type { Turn } from "../../deliberation/state.ts";
import type { ChatModel } from "../../model/chat_model.ts";
import { surrogate } from "../../model/surrogate/surrogate.ts";
import { collectedRun } from "../../record/collected_run.ts";
import { closingOf, endsComplete } from "../../record/protocol.ts";
import type { Condition } from "../../schema/condition.ts";
import type { SurrogateParameters } from "../../schema/surrogate_parameters.ts";
import { bootstrapSlope } from "../../stats/bootstrap_slope.ts";
import { growthLaws } from "../../stats/growth_laws.ts";
import type { RoundWindow, Trajectory } from "../../stats/trajectory.ts";
import { slopeDifference } from "../../stats/slope_contrast.ts";

/** One run as the page keeps it. */
export interface PageRun {
  readonly replicate: number;
  /** Cause of the flag; a flagged run is shown and never compared. */
  readonly flaw?: string | undefined;
  /** Committee means, shape [T][K]. */
  readonly means: Trajectory;
  /** Turns in the order in which they were spoken. */
  readonly turns: readonly Turn[];
  /** Letter of the final decision; absent where no ballot could be read. */
  readonly decision?: string | undefined;
}

/** A turn that is asked again under another seed. */
export interface ChangedTurn {
  readonly round: number;
  readonly seat: number;
}

/** Everything that makes runs: the same plan gives the same runs as `collectRuns`. */
export interface RunPlan {
  readonly condition: Condition;
  readonly parameters: SurrogateParameters;
  /** Master seed. */
  readonly seed: number;
  /** The one turn that is asked again; all others keep their seeds. */
  readonly changed?: ChangedTurn | undefined;
}

/** The complete runs of a condition. */
export interface Group {
  /** Name of the ledger: the resampling's random stream is forked from it. */
  readonly name: string;
  /** Shape [R][T][K], R ≥ 2. */
  readonly means: readonly Trajectory[];
}

interface MeasureOptions extends RoundWindow {
  /** Master seed. */
  readonly seed: number;
  readonly resamples: number;
  /** Runs of the reader's own, which are compared with nothing. */
  readonly beside?: Group | undefined;
}

export type Measures = ReturnType<typeof measure>;

/** Work for a server; `key` comes back with the reply. */
export type Job =
  | { readonly kind: "run"; readonly key: string; readonly plan: RunPlan; readonly replicate: number }
  | { readonly kind: "measure"; readonly key: string; readonly work: Parameters<typeof measure> };

/** A server that is `ready` takes the next job. */
export type Reply =
  | { readonly kind: "ready" }
  | { readonly kind: "run"; readonly key: string; readonly run: PageRun; readonly changed?: ChangedTurn | undefined }
  | { readonly kind: "measures"; readonly key: string; readonly measures: Measures };

/** Does a job and posts its result: the same in a worker and, where there is none, between the frames of the page. */
export function server(post: (reply: Reply) => void): (job: Job) => Promise<void> {
  return async (job) => {
    const { kind, key } = job;
    try {
      await breathe();
      if (kind === "measure") post({ kind: "measures", key, measures: measure(...job.work) });
      else post({ kind, key, run: await pageRun(job.plan, job.replicate, breathe), changed: job.plan.changed });
    } catch (error) {
      reportError(error);
    }
    post({ kind: "ready" });
  };
}

/** No slice of work is longer, so that the reader's moves are answered meanwhile. */
const SLICE_MS = 12;

let sliceBegin = 0;

/** Lets everything else that waits have its turn, once a slice is over; a timer would wait for milliseconds. */
async function breathe(): Promise<void> {
  if (performance.now() - sliceBegin <= SLICE_MS) return;
  const { port1, port2 } = new MessageChannel();
  port2.postMessage(null);
  await new Promise((resolve) => port1.onmessage = resolve);
  port1.close();
  sliceBegin = performance.now();
}

/**
 * One run by the library's own protocol.
 *
 * @param breathe called before every call of the surrogate.
 */
export async function pageRun(
  { condition, parameters, seed, changed }: RunPlan,
  replicate: number,
  breathe?: () => Promise<void>,
): Promise<PageRun> {
  const whole = surrogate(parameters), model = changed === undefined ? whole : askedAgain(whole, changed);
  const chat: ChatModel = async (request, options) => {
    await breathe?.();
    return await model(request, options);
  };
  const events = await Array.fromAsync(deliberate(condition, { chat, replicate, seed }));
  const { means, decision, state: { turns } } = collectedRun(deliberation, condition, { replicate, events });
  const flaw = endsComplete(events) ? undefined : closingOf(events.at(-1))?.cause ?? "unknown";
  return { replicate, flaw, means: flaw === undefined ? means : [], turns, decision };
}

/** Changes a turn as `perturb` of the library does: the same request under another seed. */
function askedAgain(chat: ChatModel, { round, seat }: ChangedTurn): ChatModel {
  const changed = turnPlace(round, seat, false);
  return (request, options) => {
    const again = options?.place === changed;
    return chat(again ? { ...request, seed: createRng(request.seed).fork("asked again").key } : request, options);
  };
}

/** The measures that take resampling, by the same random streams as in the notebooks. */
export function measure(groups: readonly Group[], { seed, resamples, from, to, beside }: MeasureOptions) {
  const options = (fork: string) => ({ rng: createRng(seed).fork(fork), resamples, from, to });
  const [first, second] = groups;
  return {
    /** Slopes in the order of the groups, the reader's own last. */
    slopes: [...groups, ...(beside ? [beside] : [])].map(({ name, means }) => {
      const { draws: _, ...bootstrap } = bootstrapSlope(means, options(name));
      return { bootstrap: { ...bootstrap, draws: [] }, laws: growthLaws(means, options(name)) };
    }),
    /** λ̂ of the first less that of the second; absent where there is one condition. */
    ...(second && { difference: slopeDifference(first!.means, second.means, options("difference")) }),
  };
}

/** Written around the bundle by `controls`: the source of the whole script, for workers. */
declare const $bundle: () => void;
declare const $controls: { readonly name: string };

/** More workers would take the core that the page needs. */
const MOST_WORKERS = 2;

/**
 * Workers made from the script that the page already holds. Where a viewer refuses them, the page does the work itself
 * between its frames.
 */
export function openPool(onReply: (reply: Reply) => void) {
  const jobs: Job[] = [];
  const size = Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency));
  const members = Array.from({ length: size }, () => openMember(() => jobs.shift(), onReply));
  return {
    /** The place of the work, in words. */
    where: () => members.every(({ isWorker }) => isWorker()) ? `${size} workers` : "the page itself",
    give(job: Job) {
      jobs.push(job);
      for (const { next } of members) next();
    },
    /** Forgets the jobs that nobody has begun. */
    drop: () => void (jobs.length = 0),
  };
}

/** @param take gives the job that has waited longest. */
function openMember(take: () => Job | undefined, onReply: (reply: Reply) => void) {
  let worker: Worker | undefined, ask: (job: Job) => void, isFree = false;
  const next = () => {
    const job = isFree ? take() : undefined;
    if (job === undefined) return;
    isFree = false;
    ask(job);
  };
  const receive = (reply: Reply) => {
    if (reply.kind !== "ready") return onReply(reply);
    isFree = true;
    next();
  };
  const here = () => {
    worker = undefined;
    ask = server(receive);
    receive({ kind: "ready" });
  };
  try {
    const source = `const $controls=${JSON.stringify({ name: $controls.name, worker: true })};(${$bundle})()`;
    const made = worker = new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`);
    ask = (job) => made.postMessage(job);
    // A policy that forbids workers is reported only here; errors of a worker that works are for the console.
    made.onerror = (event) => {
      event.preventDefault();
      here();
    };
    made.onmessage = ({ data }: MessageEvent<Reply>) => {
      made.onerror = null;
      receive(data);
    };
  } catch {
    here();
  }
  return { next, isWorker: () => worker !== undefined };
}
