import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { UnansweredCall } from "../schema/ledger_line.ts";
import { endsComplete, type MeasuredRun, measureRun } from "./committee_run.ts";
import type { RunKey } from "./run_store.ts";
import { triesOf } from "./sent_tries.ts";

/** One attempt at one replicate, as far as the ledger knows it. */
export interface LedgerRun {
  readonly replicate: number;
  readonly attempt: number;
  /** Of a closed run they are kept packed, and unpacked each time that they are asked for. */
  readonly events: readonly DeliberationEvent[];
  /** Absent unless the run is complete. */
  readonly measured?: MeasuredRun;
  /** Absent while the run is open or was cut off. */
  readonly closed?: Extract<DeliberationEvent, { kind: "run.closed" }>;
  /** Calls that the endpoint left without an outcome, in order. */
  readonly unanswered: readonly UnansweredCall[];
  /** Some line of it was changed since it was written: it counts for nothing. */
  readonly damaged?: true;
}

/** One attempt at one replicate while its lines are read or written. */
export class GrowingRun implements RunKey {
  readonly replicate: number;
  readonly attempt: number;
  /** The line that opened it, counted from 1. */
  readonly firstLine: number;
  /** Of its calls, as far as their outcome is on record; those of `base` are another run's. */
  tries = 0;
  readonly #unanswered: UnansweredCall[] = [];
  readonly #base: readonly DeliberationEvent[];
  /** Without those of `base`: the events, or once it is closed their JSON, packed. */
  #events: DeliberationEvent[] | Uint8Array = [];
  #closed: LedgerRun["closed"];
  #measured: MeasuredRun | undefined;

  /** @param options `base`: the events of the run that it continues. */
  constructor(
    { replicate, attempt }: RunKey,
    { base, firstLine }: { base: readonly DeliberationEvent[]; firstLine: number },
  ) {
    [this.replicate, this.attempt, this.firstLine, this.#base] = [replicate, attempt, firstLine, base];
  }

  get closed(): LedgerRun["closed"] {
    return this.#closed;
  }

  /** All of them by now, those of `base` first. */
  get events(): readonly DeliberationEvent[] {
    // Not kept: whoever walks over ten thousand runs would fill the memory with them.
    return [...this.#base, ...Array.isArray(this.#events) ? this.#events : unpacked(this.#events)];
  }

  add(event: DeliberationEvent): void {
    (this.#events as DeliberationEvent[]).push(event);
    if ("seat" in event) this.tries += triesOf(event);
    if (event.kind === "run.closed") this.#closed = event;
  }

  giveUp(call: UnansweredCall): void {
    this.#unanswered.push(call);
    this.tries += call.tries.length;
  }

  /** Packs the events of a closed run, which take some sixty times as much memory as objects, and keeps what is measured. */
  pack(condition: Condition): void {
    const { events } = this;
    if (endsComplete(events)) this.#measured = measureRun(condition, events);
    this.#events = packed(events.slice(this.#base.length));
  }

  /** The run as it stands by now. */
  recorded({ damaged }: { damaged: boolean }): LedgerRun {
    // deno-lint-ignore no-this-alias -- a getter's own `this` is the record, of which copies may be made.
    const run = this;
    const open = Array.isArray(this.#events) ? run.events : undefined;
    return {
      replicate: this.replicate,
      attempt: this.attempt,
      get events() {
        return open ?? run.events;
      },
      ...(this.#measured && { measured: this.#measured }),
      ...(this.#closed && { closed: this.#closed }),
      unanswered: [...this.#unanswered],
      ...(damaged && { damaged: true }),
    };
  }
}

/** By the quickest level: 49 kB of a run become 4. Copied, since what the packer gives is a part of a larger buffer. */
const packed = (events: readonly DeliberationEvent[]): Uint8Array =>
  new Uint8Array(zstdCompressSync(JSON.stringify(events), { params: { [constants.ZSTD_c_compressionLevel]: 1 } }));

const unpacked = (events: Uint8Array): DeliberationEvent[] =>
  JSON.parse(new TextDecoder().decode(zstdDecompressSync(events)));
