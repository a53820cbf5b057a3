import { committeeMean } from "../core/numbers.ts";
import { known } from "../core/options.ts";
import { answeredOf, foldAll, type Protocol, type RunEvent } from "./protocol.ts";

/** The measures of a run that analyses rest on. */
export interface MeasuredRun {
  /** Mean over the agents after each round, shape [T][K]. */
  readonly means: readonly (readonly number[])[];
  /** The final decision; undefined where none could be read. */
  readonly decision: string | undefined;
  /** The decision that a clerk reported; absent where there is no readable report. */
  readonly clerk?: string;
  /** True if any reply came from something other than a language model. */
  readonly synthetic: boolean;
}

/** One complete run, ready for analysis. */
export interface CollectedRun<Event, State> extends MeasuredRun {
  readonly replicate: number;
  /** Every agent's values, shape [T][N][K], agents in seat order. Made when first asked for. */
  readonly preferences: readonly (readonly (readonly number[])[])[];
  /** The fold of `events`, made when it is asked for. */
  readonly state: State;
  /** The events of the run. Those of a run from a ledger are read there when asked for. */
  readonly events: readonly Event[];
}

/** Measures the run that these events make. */
export function measureRun<Plan, Event extends RunEvent>(
  protocol: Pick<Protocol<Plan, Event, unknown>, "columns">,
  plan: Plan,
  events: readonly Event[],
): MeasuredRun {
  const { rounds, decision, clerk } = protocol.columns(plan, events);
  return { means: rounds.map(committeeMean), decision, ...known({ clerk }), synthetic: isSynthetic(events) };
}

/** True if any reply in the events came from something other than a language model. */
export const isSynthetic = (events: readonly RunEvent[]): boolean =>
  events.some((event) => answeredOf(event)?.reply?.synthetic === true);

/** The analysable view of a run; `measured` where that was done already. */
export function collectedRun<Plan, Event extends RunEvent, State>(
  protocol: Protocol<Plan, Event, State>,
  plan: Plan,
  run: { readonly replicate: number; readonly events: readonly Event[]; readonly measured?: MeasuredRun | undefined },
): CollectedRun<Event, State> {
  let preferences: number[][][] | undefined;
  return {
    ...run.measured ?? measureRun(protocol, plan, run.events),
    replicate: run.replicate,
    get preferences() {
      return preferences ??= protocol.columns(plan, run.events).rounds;
    },
    get events() {
      return run.events;
    },
    get state() {
      return foldAll(protocol, plan, run.events);
    },
  };
}
