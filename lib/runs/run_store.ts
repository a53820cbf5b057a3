import type { Unanswered } from "../model/chat_model.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { SentTry } from "./sent_tries.ts";

/** Which run, within one condition or one seed of the station. */
export interface RunKey {
  readonly replicate: number;
  readonly attempt: number;
}

/** A call by its place: nothing else tells it from others. */
export interface CallKey extends RunKey {
  /** The slot of the run that it fills, such as `turn/3/2/false`. */
  readonly place: string;
}

/**
 * Where runs are recorded, whatever keeps them: what the run loop needs of it.
 *
 * A reply counts once it is durable. So `append` is awaited before the next call of the run is made, and after a kill at
 * any instant only calls in flight are made again.
 */
export interface RunStore<Event> {
  /** What is on record of a run, in order. */
  events(run: RunKey): readonly Event[];
  /**
   * Told before a call is sent.
   *
   * @returns the call as it is on record already, where an earlier session made it and was cut off before it used it.
   */
  begin(call: CallKey): Promise<ModelCall | undefined>;
  /** Takes down a try of a live call before it is sent; absent where whoever pays for it does so. */
  sending?(run: RunKey, sent: Pick<SentTry, "model" | "atMost">): void;
  /** Resolves when event and settlement, the outcome of a call of the event's slot, are durable. */
  append(run: RunKey, event: Event | undefined, settlement?: ModelCall): Promise<void>;
  /** Records the tries of a call that stays without an outcome. */
  giveUp(call: CallKey, why: Unanswered): Promise<void>;
  close(): void;
}
