import process from "node:process";
import { checkOptions } from "../core/options.ts";
import { emit, inNotebook } from "./emit.ts";

/** How far a long task has come. */
export interface Progress {
  /** Counts `steps` more as done, one by default; redraws now and then, with what is to be said besides. */
  advance(steps?: number, besides?: Besides): Promise<void>;
  /** Says where the task ended. Call it also when it ended early. */
  finish(): Promise<void>;
}

/** What else a progress shows: in words, and as the fields of a log line. */
export interface Besides {
  readonly words: string;
  readonly fields: object;
}

export interface ProgressOptions {
  /** Whether a terminal's progress is a JSON object a line. */
  readonly json?: boolean | undefined;
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
  checkOptions("progress", options, "json now write rewrite");
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
    async advance(steps = 1, besides) {
      done += steps;
      if (due()) await draw(inWords(speed(done), total, besides), true);
    },
    finish: () => draw(`${done} of ${total}`, true),
  };
}

function terminalProgress(label: string, total: number, options: ProgressOptions): Progress {
  const { now = clock, write = (text) => void process.stderr.write(text), json = false } = options;
  const rewrite = !json && (options.rewrite ?? Deno.stderr.isTerminal());
  const due = pace(now, rewrite ? INTERVAL.rewrite : INTERVAL.lines);
  const speed = speedometer(now, total);
  let done = 0;
  let told: Besides | undefined;
  let shown: { readonly done: number; readonly width: number } | undefined;
  const draw = (ending: string) => {
    const state = speed(done);
    const text = json
      ? JSON.stringify({ progress: label, ...state, of: total, ...told?.fields })
      : `${label}: ${inWords(state, total, told)}`;
    // A shorter text would leave the end of the longer one before it.
    write(`${rewrite ? `\r${text.padEnd(shown?.width ?? 0)}` : text}${ending}`);
    shown = { done, width: text.length };
  };
  return {
    advance(steps = 1, besides) {
      done += steps;
      told = besides ?? told;
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

/** How far a task has come. */
interface Pace {
  readonly done: number;
  /** Since it began; absent while nothing can be said. */
  readonly perSecond?: number;
  /** At that rate. */
  readonly secondsLeft?: number;
}

function speedometer(now: () => number, total: number): (done: number) => Pace {
  const begin = now();
  return (done) => {
    const perSecond = done / (now() - begin) * 1000;
    if (!(perSecond > 0 && perSecond < Infinity)) return { done };
    return { done, perSecond, ...(done < total && { secondsLeft: (total - done) / perSecond }) };
  };
}

function inWords({ done, perSecond, secondsLeft }: Pace, total: number, besides?: Besides): string {
  const rate = perSecond === undefined ? "" : `, ${rateInWords(perSecond)}`;
  const left = secondsLeft === undefined ? "" : `, ${duration(secondsLeft)} left`;
  return `${done} of ${total}${rate}${left}${besides === undefined ? "" : `; ${besides.words}`}`;
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
