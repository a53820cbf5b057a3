import { checkOptions } from "../core/options.ts";
import { createRng } from "../core/rng.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent, Switches } from "../schema/station_event.ts";
import { COUNCIL, type CouncilRole, type RoleModels } from "../schema/station_ids.ts";
import { applyEvent } from "./apply_event.ts";
import { finalPlan } from "./executability.ts";
import { fillSlot } from "./fill_slot.ts";
import { gateOutcome, isStabilized } from "./gate.ts";
import { advanceProgress, inFull, nextStationStep, PROGRESS, type StationStep } from "./next_station_step.ts";
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

/** How a council is asked. */
export interface Sampling {
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** How much models may think; sent with every request. */
  readonly reasoningEffort?: string | undefined;
  /** Whether replies are asked for with their JSON schema. */
  readonly structured?: boolean | undefined;
}

export interface RunStationOptions extends Sampling {
  readonly seed: number;
  readonly ruleset: Ruleset;
  /** Who fills the six roles; `"none"` leaves all to the clerk's fallback. */
  readonly council: ChatModel | "none" | { readonly chat: ChatModel | "none" };
  /** Which run of the council on this seed, from 0: the council's dice differ, the weather does not. */
  readonly replicate?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Events of the same seed, ruleset and replicate to resume from; only new ones are yielded. */
  readonly resumeFrom?: readonly StationEvent[] | undefined;
  /** Model id asked for, or ids by role. */
  readonly model?: RoleModels | undefined;
  /** Version of what background roles tell everybody; 2 by default. A run that is resumed keeps its own. */
  readonly prompts?: 1 | 2 | undefined;
  readonly rules?: Mosaic | undefined;
}

/** How a council is asked unless told otherwise. The station paper gives no sampling parameters; these are ours. */
export const ASKED = { model: "council", temperature: 0.7, maxTokens: 900 } as const;

/** The model id of each role. Throws a RangeError where a role has none. */
export function modelsByRole(models: RoleModels): Record<CouncilRole, string> {
  return Object.fromEntries(COUNCIL.map((role) => {
    const model = typeof models === "string" ? models : models[role] ?? models.default;
    if (model === undefined) throw new RangeError(`no model for ${role}: name one for it, or a default`);
    return [role, model];
  })) as Record<CouncilRole, string>;
}

/**
 * Runs the station for its six rounds and yields what happens, event by event. A run always goes all six: several plans
 * may pass, and whether the station is stable is judged at the close.
 *
 * @throws {ModelError} when the endpoint refuses every call (`auth`, `quota`), and {Unanswered} when it left a call
 * without an outcome; what was yielded is good to resume from.
 * @throws the signal's reason when aborted; what was yielded is good to resume from.
 * @throws {RangeError} when `resumeFrom` is of another seed, ruleset or replicate, or a role has no model.
 */
export function runStation(options: RunStationOptions): AsyncGenerator<StationEvent> {
  const names = "seed! ruleset! council! replicate signal resumeFrom model temperature maxTokens structured rules";
  return stationEvents(checkOptions("runStation", options, names, "reasoningEffort prompts"));
}

/** As `runStation`, whatever else the options hold. */
export async function* stationEvents(options: RunStationOptions): AsyncGenerator<StationEvent> {
  const { seed, replicate = 0, signal, resumeFrom = [], rules = RULES } = options;
  const council = typeof options.council === "object" ? options.council.chat : options.council;
  const { temperature = ASKED.temperature, maxTokens = ASKED.maxTokens, structured, reasoningEffort, prompts = 2 } =
    options;
  const models = modelsByRole(options.model ?? ASKED.model);
  const past = [...resumeFrom];
  const plan = { seed, ruleset: switches(options.ruleset), ...(replicate > 0 && { replicate }) };
  const fresh = { kind: "run.opened", ...plan, card: weather(seed, rules), ...(prompts === 2 && { prompts }) } as const;
  const opening: Opening = openingOf(past, plan) ?? fresh;
  const { ruleset, card } = opening;
  const dice = createRng(seed).fork("council");
  const rng = replicate === 0 ? dice : dice.fork(replicate);
  let state = past.reduce((before, event) => applyEvent(before, event, rules), initialState(rules));
  let progress = past.reduce(advanceProgress, PROGRESS);
  let calls = past.reduce((sum, event) => sum + (event.kind === "action.taken" ? event.origin.calls.length : 0), 0);
  for (;;) {
    signal?.throwIfAborted();
    const step = nextStationStep(state, progress, progress.opened ? card : undefined, rules.rounds);
    if (step.kind === "done") return;
    const sampling = { temperature, maxTokens, structured, reasoningEffort };
    const context = { council, ...sampling, ruleset, rng, rules, signal, calls };
    const event = step.kind === "slot"
      ? await fillSlot(state, step.role, past, { ...context, model: models[step.role] })
      : eventOfStep(step, state, { opening, rules });
    if (event.kind === "action.taken") calls += event.origin.calls.length;
    state = applyEvent(state, event, rules);
    progress = advanceProgress(progress, event);
    past.push(event);
    yield event;
  }
}

type Opening = Extract<StationEvent, { kind: "run.opened" }>;
type Plan = Pick<Opening, "seed" | "ruleset" | "replicate">;

/** Whether an opening is that of the run that is meant. */
export const opens = (opening: Plan, { seed, ruleset, replicate }: Plan): boolean =>
  opening.seed === seed && opening.replicate === replicate &&
  opening.ruleset.schemaShown === ruleset.schemaShown && opening.ruleset.normaliser === ruleset.normaliser;

function openingOf(past: readonly StationEvent[], plan: Plan): Opening | undefined {
  const opening = past[0];
  if (opening === undefined) return undefined;
  if (opening.kind !== "run.opened") {
    throw new RangeError(`resumeFrom begins with ${opening.kind}: it must begin with run.opened`);
  }
  if (opens(opening, plan)) return opening;
  throw new RangeError(
    `resumeFrom is of seed ${opening.seed} and another ruleset, replicate or seed than asked for (${plan.seed})`,
  );
}

/** The event of a step that needs no model: what the weather, the clerk and the background roles do. */
export function eventOfStep(
  step: Exclude<StationStep, { kind: "slot" | "done" }>,
  state: StationState,
  { opening, rules }: { readonly opening: Opening; readonly rules: Mosaic },
): StationEvent {
  const { round } = state;
  switch (step.kind) {
    case "open":
      return opening;
    case "round":
      return { kind: "round.opened", round: step.round, order: opening.card.rounds[step.round - 1]!.order };
    case "shock":
      return { kind: "shock.struck", round, shock: step.shock };
    case "bot":
      return { kind: "bot.acted", round, ...(opening.prompts ? inFull(step.line, state, rules) : step.line) };
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
