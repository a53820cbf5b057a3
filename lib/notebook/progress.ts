import process from "node:process";
import { emit, inNotebook } from "./emit.ts";

/** How far a long task has come. */
export interface Progress {
  /** Counts `steps` more as done, one by default; redraws now and then. */
  advance(steps?: number): Promise<void>;
  /** Says where the task ended. Call it also when it ended early. */
  finish(): Promise<void>;
}

export interface ProgressOptions {
  /** Milliseconds since some moment; default the process's clock. */
  readonly now?: (() => number) | undefined;
  /** Where a terminal's progress goes; default standard error. */
  readonly write?: ((text: string) => void) | undefined;
  /** Whether a line can be rewritten there; default whether standard error is a terminal. */
  readonly rewrite?: boolean | undefined;
}

/** Nothing moves before this many milliseconds, nor more often than the second number. */
const PATIENCE = 1000;
const INTERVAL = { rewrite: 200, lines: 5000 };

let count = 0;

/**
 * Shows how far a task has come, and when it will be done: `Notebooks run: 8 of 18, 0.4/s, 25 s left`.
 *
 * In a notebook there is one output, at the place where this was called; it moves while the task takes longer than a
 * second, and ends as `label: done of total`, whatever the time it took: stored outputs can be compared. In a terminal
 * the same words go to standard error, and only if the task takes longer than a second.
 *
 * @param total the number of steps, at least 0.
 *
 * @example
 * ```ts
 * const bar = await progress("Resampling", 500);
 * for (let draw = 0; draw < 500; draw++) await bar.advance();
 * await bar.finish();
 * ```
 */
export async function progress(label: string, total: number, options: ProgressOptions = {}): Promise<Progress> {
  if (!Number.isSafeInteger(total) || total < 0) {
    throw new RangeError(`total must be a whole number, 0 or more, got ${total}`);
  }
  return await (inNotebook() ? notebookProgress(label, total, options) : terminalProgress(label, total, options));
}

async function notebookProgress(label: string, total: number, { now = clock }: ProgressOptions): Promise<Progress> {
  const id = `progress-${++count}`;
  const draw = (text: string, update: boolean) => emit({ "text/plain": `${label}: ${text}` }, { id, update });
  const due = pace(now, INTERVAL.rewrite);
  const speed = speedometer(now, total);
  let done = 0;
  await draw(`0 of ${total}`, false);
  return {
    async advance(steps = 1) {
      done += steps;
      if (due()) await draw(speed(done), true);
    },
    finish: () => draw(`${done} of ${total}`, true),
  };
}

function terminalProgress(label: string, total: number, options: ProgressOptions): Progress {
  const { now = clock, write = (text) => void process.stderr.write(text), rewrite = Deno.stderr.isTerminal() } =
    options;
  const due = pace(now, rewrite ? INTERVAL.rewrite : INTERVAL.lines);
  const speed = speedometer(now, total);
  let done = 0;
  let shown: { readonly done: number; readonly width: number } | undefined;
  const draw = (ending: string) => {
    const text = `${label}: ${speed(done)}`;
    // A shorter text would leave the end of the longer one before it.
    write(`${rewrite ? `\r${text.padEnd(shown?.width ?? 0)}` : text}${ending}`);
    shown = { done, width: text.length };
  };
  return {
    advance(steps = 1) {
      done += steps;
      if (due()) draw(rewrite ? "" : "\n");
      return Promise.resolve();
    },
    finish() {
      // Where lines stay, the last one may say it already.
      if (shown !== undefined && (rewrite || shown.done !== done)) draw("\n");
      return Promise.resolve();
    },
  };
}

/** Says how much is done, at which rate since this was called, and how long the rest takes at that rate. */
function speedometer(now: () => number, total: number): (done: number) => string {
  const begin = now();
  return (done) => {
    const count = `${done} of ${total}`;
    const perSecond = done / (now() - begin) * 1000;
    if (!(perSecond > 0 && perSecond < Infinity)) return count;
    const left = done < total ? `, ${duration((total - done) / perSecond)} left` : "";
    return `${count}, ${rateInWords(perSecond)}${left}`;
  };
}

function rateInWords(perSecond: number): string {
  const [unit, rate] = perSecond >= 0.1
    ? ["s", perSecond]
    : perSecond * 60 >= 0.1
    ? ["min", perSecond * 60]
    : ["h", perSecond * 3600];
  return `${rate < 9.95 ? rate.toFixed(1) : Math.round(rate)}/${unit}`;
}

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

const clock = () => performance.now();

/** True once the patience is over, then once an interval. */
function pace(now: () => number, interval: number): () => boolean {
  let next = now() + PATIENCE;
  return () => {
    if (now() < next) return false;
    next = now() + interval;
    return true;
  };
}
