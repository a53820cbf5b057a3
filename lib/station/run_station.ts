import { createRng } from "../core/rng.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { SeedCard } from "../schema/seed_card.ts";
import type { StationEvent, Switches } from "../schema/station_event.ts";
import { applyEvent } from "./apply_event.ts";
import { finalPlan } from "./executability.ts";
import { fillSlot, type SlotContext } from "./fill_slot.ts";
import { gateOutcome, isStabilized } from "./gate.ts";
import { advanceProgress, nextStationStep, PROGRESS, type StationStep } from "./next_station_step.ts";
import { RULES } from "./rules.ts";
import { initialState, type StationState } from "./state.ts";
import { weather } from "./weather.ts";

/** `v1`: strict parser, schema not shown. `v2`: schema shown and normaliser on. Or each switch separately. */
export type Ruleset = "v1" | "v2" | Switches;

/**
 * The two switches that a ruleset stands for.
 *
 * @throws {RangeError} on a name that is no ruleset: a cell or a file may hold anything.
 */
export function switches(ruleset: Ruleset): Switches {
  if (ruleset === "v1") return { schemaShown: false, normaliser: false };
  if (ruleset === "v2") return { schemaShown: true, normaliser: true };
  if (typeof ruleset === "string") {
    throw new RangeError(`there is no ruleset ${JSON.stringify(ruleset)}: v1, v2, or { schemaShown, normaliser }`);
  }
  return ruleset;
}

export interface RunStationOptions {
  readonly seed: number;
  readonly ruleset: Ruleset;
  /** Who fills the six roles; `"none"` leaves all to the clerk's fallback. */
  readonly council: ChatModel | "none";
  readonly signal?: AbortSignal | undefined;
  /** Events of the same seed and ruleset to resume from; only new ones are yielded. */
  readonly resumeFrom?: readonly StationEvent[] | undefined;
  /** Model id asked for. */
  readonly model?: string | undefined;
  /** The station paper gives no sampling parameters; these are ours. */
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly rules?: Mosaic | undefined;
}

/**
 * Runs the station for its six rounds and yields what happens, event by event. A run always goes all six: several plans
 * may pass, and whether the station is stable is judged at the close.
 *
 * @throws {ModelError} when the endpoint refuses every call (`auth`, `quota`), and {Unanswered} when it left a call
 * without an outcome; what was yielded is good to resume from.
 * @throws the signal's reason when aborted; what was yielded is good to resume from.
 * @throws {RangeError} when `resumeFrom` is of another seed or ruleset.
 */
export async function* runStation(options: RunStationOptions): AsyncGenerator<StationEvent> {
  const { seed, council, signal, resumeFrom = [], rules = RULES } = options;
  const { model = "council", temperature = 0.7, maxTokens = 900 } = options;
  const ruleset = switches(options.ruleset);
  const past = [...resumeFrom];
  const card = cardOf(past, seed, ruleset) ?? weather(seed, rules);
  const rng = createRng(seed).fork("council");
  let state = past.reduce((before, event) => applyEvent(before, event, rules), initialState(rules));
  let progress = past.reduce(advanceProgress, PROGRESS);
  let calls = past.reduce((sum, event) => sum + (event.kind === "action.taken" ? event.origin.calls.length : 0), 0);
  for (;;) {
    signal?.throwIfAborted();
    const step = nextStationStep(state, progress, progress.opened ? card : undefined, rules.rounds);
    if (step.kind === "done") return;
    const context = { council, model, temperature, maxTokens, ruleset, rng, rules, signal, calls };
    const event = step.kind === "slot"
      ? await fillSlot(state, step.role, past, context)
      : eventOfStep(step, state, { seed, ruleset, card, rules });
    if (event.kind === "action.taken") calls += event.origin.calls.length;
    state = applyEvent(state, event, rules);
    progress = advanceProgress(progress, event);
    past.push(event);
    yield event;
  }
}

function cardOf(past: readonly StationEvent[], seed: number, ruleset: Switches): SeedCard | undefined {
  const opening = past[0];
  if (opening === undefined) return undefined;
  if (opening.kind !== "run.opened") {
    throw new RangeError(`resumeFrom begins with ${opening.kind}: it must begin with run.opened`);
  }
  const same = opening.seed === seed && opening.ruleset.schemaShown === ruleset.schemaShown &&
    opening.ruleset.normaliser === ruleset.normaliser;
  if (!same) {
    throw new RangeError(`resumeFrom is of seed ${opening.seed} and another ruleset or seed than asked for (${seed})`);
  }
  return opening.card;
}

/** The event of a step that needs no model: what the weather, the clerk and the background roles do. */
export function eventOfStep(
  step: Exclude<StationStep, { kind: "slot" | "done" }>,
  state: StationState,
  { seed, ruleset, card, rules }: Pick<SlotContext, "ruleset" | "rules"> & { seed: number; card: SeedCard },
): StationEvent {
  const { round } = state;
  switch (step.kind) {
    case "open":
      return { kind: "run.opened", seed, ruleset, card };
    case "round":
      return { kind: "round.opened", round: step.round, order: card.rounds[step.round - 1]!.order };
    case "shock":
      return { kind: "shock.struck", round, shock: step.shock };
    case "bot":
      return { kind: "bot.acted", round, ...step.line };
    case "judge": {
      const proposal = state.proposals.find(({ id }) => id === step.proposal)!;
      return { kind: "gate.judged", round, proposal: step.proposal, ...gateOutcome(proposal, state, rules) };
    }
    case "execute":
      return { kind: "plan.executed", round, proposal: step.proposal };
    case "close round":
      return { kind: "round.closed", round, degraded: step.degraded };
    case "cool":
      return {
        kind: "bot.acted",
        round,
        bot: "X4_MODERATOR",
        act: "cool",
        target: step.rumor,
        text: `The channels around ${step.rumor} are slowed down.`,
      };
    case "close run": {
      const final = finalPlan(state, rules);
      return {
        kind: "run.closed",
        stabilized: isStabilized(state, rules),
        ...(final && { finalPlan: final.proposal.id }),
      };
    }
  }
}
