import { canonicalJson } from "../core/json.ts";
import { UserError } from "../core/user_error.ts";
import { type ChatModel, Unanswered } from "../model/chat_model.ts";
import { recordedOutcome } from "../model/replay.ts";
import type { AtMost, ModelCall } from "../schema/model_call.ts";

/** Key of a run within one condition or one seed of the station. */
export interface RunKey {
  readonly replicate: number;
  readonly attempt: number;
}

/** A call by its place: nothing else tells it from others. */
export interface CallKey extends RunKey {
  /** The slot of the run that it fills, such as `turn/3/2/false`. */
  readonly place: string;
}

/** A live try as it is sent. */
export interface SentCall {
  readonly model: string;
  readonly atMost: AtMost;
}

/** Tries that a call took: one more than those that failed before its outcome. */
export const triesOf = ({ reply, failure }: Pick<ModelCall, "reply" | "failure">): number =>
  1 + ((reply ?? failure?.received)?.failedTries?.length ?? 0);

/**
 * The record of runs as the run loop needs it, whatever keeps it.
 *
 * A reply counts once it is durable. So `append` is awaited before the next call of the run is made, and after a kill at
 * any instant only calls in flight are made again.
 */
export interface RunStore<Event> {
  /** The file that keeps it, if one does. */
  readonly path?: string;
  /** The recorded events of a run, in order. */
  events(run: RunKey): readonly Event[];
  /**
   * Called before a call is sent.
   *
   * @returns the call as it is on record already, where an earlier session made it and was cut off before it used it.
   */
  begin(call: CallKey): Promise<ModelCall | undefined>;
  /** Records a try of a live call before it is sent; absent where the payer does so. */
  sending?(run: RunKey, sent: SentCall): void;
  /** Resolves when event and settlement, the outcome of a call of the event's slot, are durable. */
  append(run: RunKey, event: Event | undefined, settlement?: ModelCall): Promise<void>;
  /** Records the tries of a call that stays without an outcome. */
  giveUp(call: CallKey, why: Unanswered): Promise<void>;
}

type CallStore = Pick<RunStore<never>, "path" | "begin" | "sending" | "giveUp">;

/**
 * A model as one run of a store asks it: a call that is on record is answered from there, and one that stays without an
 * outcome leaves its tries on record; a live try is on record before it is sent. It rejects with a UserError where a call
 * on record is of another request.
 *
 * @param options `signal` breaks off a call under way; the one that ends the run lets it come in.
 */
export function recorded(
  chat: ChatModel,
  { store, run, signal }: { readonly store: CallStore; readonly run: RunKey; readonly signal: AbortSignal | undefined },
): ChatModel {
  return async (request, options = {}) => {
    const call = { ...run, place: options.place ?? "" };
    const known = await store.begin(call);
    if (known && canonicalJson(known.request) !== canonicalJson(request)) {
      throw new UserError(
        `${store.path ?? "the store"}: the last call was recorded for another request than the run now makes: ` +
          "another version began it. Finish it with that version, or use another folder",
      );
    }
    if (known) return recordedOutcome(known);
    const onSend = (atMost: AtMost) => store.sending?.(run, { model: request.model, atMost });
    try {
      return await chat(request, { ...options, signal, ebb: options.signal, onSend });
    } catch (error) {
      if (error instanceof Unanswered) await store.giveUp(call, error);
      throw error;
    }
  };
}
