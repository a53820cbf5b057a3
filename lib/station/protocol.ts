import { z } from "zod";
import { contentHash } from "../core/json.ts";
import { createRng } from "../core/rng.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { stationPersona } from "../model/station/station_persona.ts";
import { play, type Protocol } from "../record/protocol.ts";
import type { ChatRequest } from "../schema/model_call.ts";
import { Mosaic, rulesHash } from "../schema/mosaic.ts";
import { StationEvent, Switches } from "../schema/station_event.ts";
import { COUNCIL, CouncilRole } from "../schema/station_ids.ts";
import { applyEvent } from "./apply_event.ts";
import { finalPlan } from "./executability.ts";
import { fillSlot, readSlot } from "./fill_slot.ts";
import { gateOutcome, isStabilized } from "./gate.ts";
import { LEVELS, stationLevels } from "./levels.ts";
import { advanceProgress, inFull, nextStationStep, PROGRESS, type StationStep } from "./next_station_step.ts";
import { initialState, type StationState } from "./state.ts";
import { repairPrompt } from "./station_prompt.ts";
import { rulesetName } from "./summary.ts";
import { weather } from "./weather.ts";

/** Everything that makes the runs of one council under one ruleset. */
const StationPlan = z.strictObject({
  seats: z.array(z.strictObject({ label: CouncilRole, model: z.string().min(1) })).length(COUNCIL.length),
  ruleset: Switches,
  prompts: z.union([z.literal(1), z.literal(2)]).describe("version of what background roles tell everybody"),
  temperature: z.number(),
  maxTokens: z.int().min(1),
  rules: Mosaic,
  none: z.literal(true).optional().describe("no model is asked: the clerk fills every slot"),
  structured: z.boolean().optional(),
  reasoningEffort: z.string().optional(),
});
export type StationPlan = z.infer<typeof StationPlan>;

/** A run after some of its events: the station, and how far its round has come. */
interface StationRunState {
  readonly room: StationState;
  readonly progress: ReturnType<typeof advanceProgress>;
  readonly past: readonly StationEvent[];
  /** Model calls that the events name. */
  readonly calls: number;
  readonly rules: Mosaic;
}

/** The station as a protocol: what records, runners and measures need to know of it. */
export const station: Protocol<StationPlan, StationEvent, StationRunState> = {
  name: "station",
  header({ rules, ...plan }) {
    const hash = contentHash({ ...plan, rules: rulesHash(rules) });
    const name = `Mosaic-9__${rulesetName(plan.ruleset).replaceAll(/\W+/g, "-")}__${hash.slice(0, 8)}`;
    return { name, hash, promptPack: contentHash(rules.prompts), knobs: { ruleset: rulesetName(plan.ruleset) } };
  },
  start: ({ rules }) => ({ room: initialState(rules), progress: PROGRESS, past: [], calls: 0, rules }),
  step(plan, { seed, replicate }) {
    const { ruleset, rules, prompts, seats, none, ...sampling } = plan;
    const fresh: Opening = {
      ...{ kind: "run.opened", seed, ruleset, ...(replicate > 0 && { replicate }), card: weather(seed, rules) },
      ...(prompts === 2 && { prompts }),
    };
    const dice = createRng(seed).fork("council"), rng = replicate === 0 ? dice : dice.fork(replicate);
    const models = new Map(seats.map(({ label, model }) => [label, model]));
    return ({ room, progress, past, calls }) => {
      const opening = past[0] as Opening | undefined ?? fresh;
      const step = nextStationStep(room, progress, progress.opened ? opening.card : undefined, rules.rounds);
      if (step.kind === "done") return undefined;
      if (step.kind !== "slot") return { event: eventOfStep(step, room, { opening, rules }) };
      const model = none ? undefined : models.get(step.role)!;
      return fillSlot(room, step.role, past, { ...sampling, model, ruleset: opening.ruleset, rng, rules, calls });
    };
  },
  fold: ({ room, progress, past, calls, rules }, event) => ({
    ...{
      room: applyEvent(room, event, rules),
      progress: advanceProgress(progress, event),
      past: [...past, event],
      rules,
    },
    calls: calls + (event.kind === "action.taken" ? event.origin.calls.length : 0),
  }),
  async probe(plan) {
    const asked = await stationRequests(plan);
    return asked.map(({ role, request }) => ({
      ...{ seat: role, request },
      flaw(text) {
        const { code } = readSlot(text, plan.ruleset);
        // A schema that is not shown is there to be missed: then a reply that cannot be read is a finding.
        if (code === undefined || !plan.ruleset.schemaShown) return undefined;
        const again = repairPrompt(request.messages, text, code, plan.ruleset, plan.rules);
        return { words: `its action cannot be read (${code})`, again };
      },
    }));
  },
  lineSchemas: { plan: StationPlan, event: StationEvent },
  columns({ rules }, events) {
    const rounds = stationLevels(events, rules).slice(1);
    return { names: LEVELS, agents: ["station"], rounds: rounds.map((one) => [LEVELS.map((name) => one[name])]) };
  },
};

/**
 * The calls of one run without repairs, by role. A persona plays them, so that prompts are as long as in any run.
 *
 * @param seed of the weather.
 */
export async function stationRequests(
  plan: StationPlan,
  seed = 1,
): Promise<{ role: CouncilRole; request: ChatRequest }[]> {
  const persona = stationPersona("coalition"), asked: { role: CouncilRole; request: ChatRequest }[] = [];
  const models = new Map(plan.seats.map(({ label, model }) => [label, model]));
  const chat: ChatModel = (request, options) => {
    const { model: role } = request as { model: CouncilRole };
    asked.push({ role, request: { ...request, model: models.get(role)! } });
    return persona(request, options);
  };
  const { none: _, ...played } = { ...plan, seats: COUNCIL.map((role) => ({ label: role, model: role })) };
  for await (const _ of play(station, played, { chat, seed, replicate: 0 }));
  return asked;
}

export type Opening = Extract<StationEvent, { kind: "run.opened" }>;

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
