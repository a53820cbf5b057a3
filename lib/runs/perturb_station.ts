import { checkOptions } from "../core/options.ts";
import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import type { ActionTaken, StationEvent } from "../schema/station_event.ts";
import { COUNCIL, type CouncilRole } from "../schema/station_ids.ts";
import { type CollectedStation, playStation } from "./collect_station.ts";
import { type Change, changedAt } from "./perturb.ts";
import type { StationCouncil } from "./station_council.ts";

/** Which turn is changed, and how. */
export interface PerturbStationOptions {
  /** The council of the run. */
  readonly council: StationCouncil;
  /** 1-based. */
  readonly round: number;
  readonly role: CouncilRole;
  readonly change: Exclude<Change, { readonly state: string }>;
}

/**
 * A run of the station again, with another reply in one turn and the run's own dice in every later call. The weather is
 * the same by its seed.
 *
 * @param run of a council of programs, as `collectStation` gives it without `ownDice`.
 * @throws {UserError} for a live council, whose dice cannot be shared, and for none, which says nothing.
 * @throws {RangeError} on a turn that is not in the run, and a word that its prompt lacks.
 */
export async function perturbStation(
  { events, calls }: Pick<CollectedStation, "events" | "calls">,
  { council, round, role, change }: PerturbStationOptions,
): Promise<CollectedStation> {
  if (council.live || council.chat === "none") {
    const why = council.live ? "a live model's dice cannot be shared" : "without a model there is no reply to change";
    throw new UserError(`${why}: twins need a council of personas`);
  }
  const at = events.findIndex((event) => isTurn(event) && event.round === round && event.role === role);
  const [opening, turn] = [events[0], events[at]];
  if (opening?.kind !== "run.opened" || turn === undefined || !isTurn(turn)) {
    throw new RangeError(`round ${round}, ${role} is not in the run: it has rounds 1 to 6 and ${COUNCIL.join(", ")}`);
  }
  const { seed, ruleset, replicate = 0 } = opening;
  const past = events.slice(0, at).reduce((sum, one) => sum + (isTurn(one) ? one.origin.calls.length : 0), 0);
  return await playStation({
    ...{ council, seed, ruleset, replicate },
    wrap: (chat) => changedAt(chat, `${round}/${role}/0`, change),
    resumeFrom: { events: events.slice(0, at), calls: calls.slice(0, past) },
  });
}

/** A run and the same run after one changed reply. */
export interface StationTwins {
  readonly role: CouncilRole;
  readonly run: CollectedStation;
  readonly twin: CollectedStation;
}

/**
 * The twin of each run: in one round the reply of one role, drawn by lot, is another, with common dice after it. Other
 * seeds are tried in turn until the role does something else; words alone do not count.
 *
 * @param options `round`: of the change, 1 by default; `seed`: master seed of lots and other seeds; `tries`: 50 by default.
 * @returns the pairs, and the names of the runs that no other seed moved.
 * @throws as `perturbStation`.
 */
export async function twinStations(
  runs: readonly CollectedStation[],
  options: {
    readonly council: StationCouncil;
    readonly round?: number | undefined;
    readonly seed: number;
    readonly tries?: number | undefined;
  },
): Promise<{ pairs: StationTwins[]; unmoved: string[] }> {
  const { council, round = 1, seed, tries = 50 } = checkOptions("twinStations", options, "council! round seed! tries");
  const pairs: StationTwins[] = [], unmoved: string[] = [];
  for (const run of runs) {
    const { run_id: name } = run.summary;
    const dice = createRng(seed).fork("twins").fork(name), role = COUNCIL[dice.int(COUNCIL.length)]!;
    let twin: CollectedStation | undefined;
    for (let k = 0; twin === undefined && k < tries; k++) {
      const tried = await perturbStation(run, { council, round, role, change: { seed: dice.fork(k).key } });
      if (deedOf(tried, round, role) !== deedOf(run, round, role)) twin = tried;
    }
    if (twin === undefined) unmoved.push(name);
    else pairs.push({ role, run, twin });
  }
  return { pairs, unmoved };
}

const isTurn = (event: StationEvent): event is ActionTaken => event.kind === "action.taken";

/** What a role did in a round, without its words. */
function deedOf({ events }: Pick<CollectedStation, "events">, round: number, role: CouncilRole): string {
  const turn = events.find((event) => isTurn(event) && event.round === round && event.role === role) as ActionTaken;
  const { action, target, support, filing } = turn;
  return JSON.stringify([action, target, support, filing?.plan?.seats, filing?.plan?.power, filing?.reading.code]);
}
