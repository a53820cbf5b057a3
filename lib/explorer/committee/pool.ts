import { type Job, type Reply, server } from "./serve.ts";

/** Written around the bundle by `controls`: the source of the whole script, for workers. */
declare const $bundle: () => void;
declare const $controls: { readonly name: string };

export interface Pool {
  /** How many jobs are done at a time. */
  readonly size: number;
  /** Where the work is done, in words. */
  readonly where: () => string;
  send(job: Job, member?: number): void;
}

/** Workers pay for themselves up to here: the page needs a core too. */
const MOST_WORKERS = 2;

/**
 * Workers made from the script that the page already holds. Where a viewer refuses them, the page does the work itself
 * between its frames.
 */
export function openPool(onReply: (reply: Reply) => void): Pool {
  const size = Math.max(1, Math.min(MOST_WORKERS, navigator.hardwareConcurrency));
  const members = Array.from({ length: size }, () => openMember(onReply));
  return {
    size,
    where: () => members.every(({ isWorker }) => isWorker()) ? `${size} workers` : "the page itself",
    send: (job, member = 0) => members[member % size]!.send(job),
  };
}

function openMember(onReply: (reply: Reply) => void) {
  const waiting: Job[] = [];
  let send = (job: Job): void => void waiting.push(job);
  let worker: Worker | undefined, ready = false;
  const use = (sender: typeof send) => {
    send = sender;
    for (const job of waiting.splice(0)) send(job);
  };
  const here = () => {
    worker = undefined;
    use(server(onReply));
  };
  try {
    const source = `const $controls=${JSON.stringify({ name: $controls.name, worker: true })};(${$bundle})()`;
    worker = new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(source)}`);
    // A policy that forbids it is told of only here; errors of a worker that works are for the console.
    worker.onerror = (event) => {
      if (ready) return;
      event.preventDefault();
      here();
    };
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if (data.kind !== "ready") return onReply(data);
      const working = worker!;
      ready = true;
      use((job) => working.postMessage(job));
    };
  } catch {
    here();
  }
  return { send: (job: Job) => send(job), isWorker: () => worker !== undefined };
}
