import {
  applyEvent,
  committeeMeans,
  type DeliberationState,
  initialState,
  preferencesByRound,
  type SaidByRound,
} from "../deliberation/state.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import type { Trajectory } from "../stats/trajectory.ts";

/** What is measured of a run. */
export interface MeasuredRun {
  /** Committee-mean preferences, shape [T][K]. */
  readonly means: Trajectory;
  /** Letter of the final decision, by the ballots; undefined where none could be read. */
  readonly decision: string | undefined;
  /** Letter that the clerk reported; absent where no report could be read. */
  readonly clerk?: string;
  /** Whether any reply came from something other than a language model. */
  readonly synthetic: boolean;
}

/** One complete run, ready for analysis. */
export interface CommitteeRun extends MeasuredRun {
  readonly replicate: number;
  /** Every agent's preferences, shape [T][N][K], agents in seat order. Made when first asked for. */
  readonly preferences: readonly (readonly (readonly number[])[])[];
  /** The fold of `events`, made when it is asked for. */
  readonly state: DeliberationState;
  /** What was said, turn by turn. Of a run from a ledger they are read there when asked for. */
  readonly events: readonly DeliberationEvent[];
}

/** A run as it stands somewhere; `measured` where that was done already. */
export interface RecordedRun extends Pick<CommitteeRun, "replicate" | "events"> {
  readonly measured?: MeasuredRun | undefined;
}

/** The analysable view of a run. */
export function committeeRun(condition: Condition, run: RecordedRun): CommitteeRun {
  let preferences: CommitteeRun["preferences"] | undefined;
  return {
    ...run.measured ?? measureRun(condition, run.events),
    replicate: run.replicate,
    get preferences() {
      return preferences ??= preferencesByRound(saidIn(condition, run.events));
    },
    get events() {
      return run.events;
    },
    get state() {
      return run.events.reduce(applyEvent, initialState(condition));
    },
  };
}

/** What is measured of the run that these events make. Straight from them: the fold also keeps what was said. */
export function measureRun(condition: Condition, events: readonly DeliberationEvent[]): MeasuredRun {
  const report = events.findLast((event) => event.kind === "clerk.answered")?.reading;
  return {
    means: committeeMeans(saidIn(condition, events)),
    decision: events.findLast((event) => event.kind === "run.decided")?.decision,
    ...(report && "value" in report && { clerk: report.value.decision }),
    synthetic: events.some((event) => "reply" in event && event.reply?.synthetic === true),
  };
}

function saidIn({ seats }: Condition, events: readonly DeliberationEvent[]): SaidByRound {
  const turns = events.flatMap((event) =>
    event.kind === "turn.answered" && "value" in event.reading ? [{ seat: event.seat, state: event.reading.value }] : []
  );
  return { turns, table: seats.map(() => undefined) };
}

/** Whether some events end as those of a complete run do. */
export function endsComplete(events: readonly DeliberationEvent[]): boolean {
  const last = events.at(-1);
  return last?.kind === "run.closed" && last.outcome === "complete";
}
