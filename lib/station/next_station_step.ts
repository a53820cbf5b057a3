import { greatest } from "d3-array";
import type { Mosaic } from "../schema/mosaic.ts";
import type { SeedCard, Shock, StationEvent } from "../schema/station_event.ts";
import type { Bot, CouncilRole } from "../schema/station_ids.ts";
import { finalPlan, gateOutcome, isStabilized } from "./executability.ts";
import type { StationProposal, StationState } from "./state.ts";

/** The progress of a run within its current round; `bots`: background roles heard at its opening. */
export const PROGRESS = {
  opened: false,
  shocks: 0,
  bots: 0,
  acted: 0,
  fallbacks: 0,
  judged: [] as readonly string[],
  roundClosed: false,
  cooled: false,
};
type Progress = Readonly<typeof PROGRESS>;

/** Progress after one event. */
export function advanceProgress(progress: Progress, event: StationEvent): Progress {
  switch (event.kind) {
    case "run.opened":
      return { ...progress, opened: true };
    case "round.opened":
      return { ...PROGRESS, opened: true };
    case "shock.struck":
      return { ...progress, shocks: progress.shocks + 1 };
    case "bot.acted":
      return progress.roundClosed ? { ...progress, cooled: true } : { ...progress, bots: progress.bots + 1 };
    case "action.taken": {
      const { acted, fallbacks } = progress;
      return { ...progress, acted: acted + 1, fallbacks: fallbacks + Number(event.origin.kind === "fallback") };
    }
    case "gate.judged":
      return { ...progress, judged: [...progress.judged, event.proposal] };
    case "round.closed":
      return { ...progress, roundClosed: true };
    case "plan.executed":
    case "run.closed":
      return progress;
  }
}

/** A background role's line at the opening of a round. */
type BotLine = Readonly<Record<"act" | "text", string>> & { readonly bot: Bot };

export type StationStep =
  | { readonly kind: "open" }
  | { readonly kind: "round"; readonly round: number }
  | { readonly kind: "shock"; readonly shock: Shock }
  | { readonly kind: "bot"; readonly line: BotLine }
  | { readonly kind: "slot"; readonly role: CouncilRole }
  | { readonly kind: "judge"; readonly proposal: string }
  | { readonly kind: "execute"; readonly proposal: string }
  | { readonly kind: "close round"; readonly degraded: boolean }
  | { readonly kind: "cool"; readonly rumor: string }
  | { readonly kind: "close run" }
  | { readonly kind: "done" };

/**
 * The order of business of a round (section 2): shocks, background roles, the six roles in the weather's order, the
 * gate over every open proposal, the close, the moderator. It depends on what happened alone, so a run that was cut off
 * continues as if it had never stopped.
 */
export function nextStationStep(
  state: StationState,
  progress: Progress,
  card: SeedCard | undefined,
  rounds: number,
): StationStep {
  if (state.closed) return { kind: "done" };
  if (!progress.opened || card === undefined) return { kind: "open" };
  if (state.round === 0) return { kind: "round", round: 1 };
  const { shocks, order } = card.rounds[state.round - 1]!;
  if (progress.shocks < shocks.length) return { kind: "shock", shock: shocks[progress.shocks]! };
  if (progress.acted === 0) {
    const line = openingLines(state)[progress.bots];
    if (line) return { kind: "bot", line };
  }
  if (progress.acted < order.length) return { kind: "slot", role: order[progress.acted]! };
  const passed = state.proposals.find(({ status }) => status === "passed");
  if (passed) return { kind: "execute", proposal: passed.id };
  if (!progress.roundClosed) {
    const unjudged = state.proposals.find(({ id, status }) => status === "open" && !progress.judged.includes(id));
    if (unjudged) return { kind: "judge", proposal: unjudged.id };
    return { kind: "close round", degraded: progress.fallbacks === order.length };
  }
  const hottest = greatest(state.rumors, ({ heat }) => heat);
  if (!progress.cooled && hottest) return { kind: "cool", rumor: hottest.id };
  return state.round < rounds ? { kind: "round", round: state.round + 1 } : { kind: "close run" };
}

/** The lines of the journalist, the audit bot and the forecast bot; they move nothing by themselves. */
function openingLines({ scandals, tokens, proposals }: StationState): BotLine[] {
  const worst = greatest(scandals, ({ load }) => load);
  const open = proposals.filter(({ status }) => status === "open").map(({ id }) => id);
  const lines: (BotLine | false)[] = [
    worst !== undefined && worst.load > 0.05 &&
    { bot: "X3_JOURNALIST", act: "report", text: `Still unanswered: ${worst.text}` },
    { bot: "X5_AUDIT", act: "account", text: `Compute tokens left: ${tokens}.` },
    open.length > 0 && { bot: "X6_FORECAST", act: "forecast", text: `Before the gate: ${open.join(", ")}.` },
  ];
  return lines.filter((line) => line !== false);
}

/**
 * A background role's line with what it tells everybody from version 2 of the prompts on: the audit bot the load of each
 * scandal, the forecast bot what each open proposal lacks at the gate.
 */
export function inFull(line: BotLine, state: StationState, rules: Mosaic): BotLine {
  const loads = state.scandals.map(({ id, load }) => `${id} ${load.toFixed(2)}`).join(", ");
  if (line.bot === "X5_AUDIT") return { ...line, text: `${line.text} Scandal load: ${loads || "none"}.` };
  if (line.bot !== "X6_FORECAST") return line;
  const open = state.proposals.filter(({ status }) => status === "open");
  const lacks = open.map((one) => `${one.id} lacks ${lacking(one, state, rules)}`);
  return { ...line, text: `${line.text} ${lacks.join("; ")}.` };
}

/** The missing conditions of a proposal at the gate, in words. */
function lacking(proposal: StationProposal, state: StationState, rules: Mosaic): string {
  const { need, margin, executability: least } = rules.gate;
  const { support, against, factionBacked, executability: e } = gateOutcome(proposal, state, rules);
  const votes = need / 4 - support, lead = margin / 4 - (support - against);
  const reached = (Math.floor(100 * e) / 100).toFixed(2);
  return [
    ...(votes > 0 ? [`${votes} votes`] : []),
    ...(lead > 0 ? [`${lead} of its lead`] : []),
    ...(factionBacked ? [] : ["a faction"]),
    ...(e < least ? [`executability (${reached} of ${least})`] : []),
  ].join(", ") || "nothing";
}

/** The first event of a run. */
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
