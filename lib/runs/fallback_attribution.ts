import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { ActionTaken, StationEvent } from "../schema/station_event.ts";
import { COUNCIL, type CouncilRole } from "../schema/station_ids.ts";
import { shapley } from "../stats/shapley.ts";
import { IDLE, SILENCE } from "./ablate_station.ts";
import { beginningOf, type CollectedStation, playStation } from "./collect.ts";
import type { StationCouncil } from "../live/station_council.ts";

/** A run before its first fallback, and how many whole rounds that is. */
export function cleanPrefix(run: Pick<CollectedStation, "events" | "calls">) {
  const first = run.events.findIndex(isFallback);
  const prefix = beginningOf(run, first < 0 ? run.events.length : first);
  return { ...prefix, rounds: prefix.events.filter(({ kind }) => kind === "round.closed").length };
}

/**
 * A run again from its first fallback on, with another council in the slots that it had filled itself: a closed loop, in
 * which what follows answers to what was changed.
 *
 * @param lost what stands in the slots that the clerk had filled: the clerk, for the roles it names; nothing for other
 * roles; `"council"`: the council's own replies in all of them.
 * @throws {UserError} for a live council and a recording, which cannot answer new prompts, and for none.
 */
export async function takeover(
  from: Pick<CollectedStation, "events" | "calls">,
  council: StationCouncil,
  lost: ReadonlySet<CouncilRole> | "council",
): Promise<CollectedStation> {
  if (council.live || council.chat === "none" || council.identity.startsWith("replay:")) {
    throw new UserError(`the council ${council.label} cannot take over: name a persona, which answers any prompt`);
  }
  const opening = from.events[0];
  if (opening?.kind !== "run.opened") throw new RangeError("a run to take over must begin with run.opened");
  const { seed, ruleset, replicate = 0 } = opening;
  const slots = new Map(from.events.filter(isFallback).map(({ round, role }) => [`${round}/${role}`, role]));
  const { chat } = council;
  // Recorded, as a reply of the harness: so every slot keeps its call.
  const inPlace: ChatModel = async (request, options) => {
    const role = lost === "council" ? undefined : slots.get((options?.place ?? "").replace(/\/\d+$/, ""));
    if (role === undefined || lost === "council") return await chat(request, options);
    return { text: lost.has(role) ? SILENCE : IDLE, synthetic: true };
  };
  const taken = { ...council, chat: inPlace };
  return await playStation({ council: taken, seed, ruleset, replicate, resumeFrom: cleanPrefix(from) });
}

const isFallback = (event: StationEvent): event is ActionTaken =>
  event.kind === "action.taken" && event.origin.kind === "fallback";

/** The run without its fallbacks: nothing happens in those slots. In a closed loop, as `takeover`. */
export const maskFallbacks = (
  run: Pick<CollectedStation, "events" | "calls">,
  council: StationCouncil,
): Promise<CollectedStation> => takeover(run, council, new Set());

/**
 * The clerk's part in a run's q: rescue, cost, and the rescue by role in exact Shapley values over the roles that
 * lost slots. All runs are closed loops from the first fallback on, with the council's replies in every other slot; of a
 * run of that same council and dice, `observed` is its own q.
 *
 * @returns `cleanRounds`: whole rounds before the first fallback; q with the clerk in the lost slots (`observed`), with
 * nothing in them (`masked`) and with the council's own replies in them (`uncontaminated`); `rescue`: observed − masked, what
 * the clerk saved; `cost`: uncontaminated − observed, what the loss cost in spite of it; `shares`: the rescue by the role
 * that the clerk acted for, which sum to it; a role that lost no slot has none.
 * @throws {UserError} on a run without fallbacks, and as `takeover`.
 */
export async function fallbackAttribution(
  run: CollectedStation,
  council: StationCouncil,
) {
  const lost = run.events.filter(isFallback), roles = COUNCIL.filter((role) => lost.some((slot) => slot.role === role));
  if (roles.length === 0) {
    throw new UserError(`${run.summary.run_id}: the clerk filled no slot of it, so there is nothing to attribute`);
  }
  const values: number[] = [];
  for (let mask = 0; mask < 1 << roles.length; mask++) {
    const present = new Set(roles.filter((_, i) => mask & (1 << i)));
    values.push((await takeover(run, council, present)).summary.q);
  }
  const uncontaminated = (await takeover(run, council, "council")).summary.q;
  const [masked, observed] = [values[0]!, values.at(-1)!];
  return {
    ...{ cleanRounds: cleanPrefix(run).rounds, fallbacks: lost.length, observed, masked, uncontaminated },
    ...{ rescue: observed - masked, cost: uncontaminated - observed },
    shares: Object.fromEntries(shapley(values).map((share, i) => [roles[i]!, share])) as Shares,
  };
}

type Shares = Readonly<Partial<Record<CouncilRole, number>>>;

/**
 * A council that loses a share of its slots: there its reply is empty, and the clerk acts. Lots are drawn per slot from the
 * slot's own seed, so a larger share loses the same slots and more.
 *
 * @throws {RangeError} on a share outside [0, 1] and for a council without models.
 */
export function losingSlots(council: StationCouncil, share: number): StationCouncil {
  const { chat } = council;
  if (!(share >= 0 && share <= 1)) throw new RangeError(`the share of lost slots is ${share}: must be from 0 to 1`);
  if (chat === "none") throw new RangeError("a council without models has no slot to lose: name a persona");
  return {
    ...council,
    label: `${council.label}-lost${Math.round(100 * share)}`,
    chat: async (request, options) =>
      createRng(request.seed).fork("lost").next() < share
        ? { text: SILENCE, synthetic: true }
        : await chat(request, options),
  };
}
