import { greatest } from "d3-array";
import type { Mosaic } from "../schema/mosaic.ts";
import type { SeedCard, Shock } from "../schema/seed_card.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { Bot, CouncilRole } from "../schema/station_ids.ts";
import { gateOutcome } from "./gate.ts";
import type { StationProposal, StationState } from "./state.ts";

/** How far a run has come within its current round. */
interface Progress {
  readonly opened: boolean;
  readonly shocks: number;
  /** Background roles heard at the opening of the round. */
  readonly bots: number;
  readonly acted: number;
  readonly fallbacks: number;
  readonly judged: readonly string[];
  readonly roundClosed: boolean;
  readonly cooled: boolean;
}

export const PROGRESS: Progress = {
  opened: false,
  shocks: 0,
  bots: 0,
  acted: 0,
  fallbacks: 0,
  judged: [],
  roundClosed: false,
  cooled: false,
};

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
    case "action.taken":
      return {
        ...progress,
        acted: progress.acted + 1,
        fallbacks: progress.fallbacks + (event.origin.kind === "fallback" ? 1 : 0),
      };
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
interface BotLine {
  readonly bot: Bot;
  readonly act: string;
  readonly text: string;
}

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
  if (!progress.cooled && state.rumors.length > 0) return { kind: "cool", rumor: hottest(state) };
  return state.round < rounds ? { kind: "round", round: state.round + 1 } : { kind: "close run" };
}

const hottest = ({ rumors }: StationState): string => greatest(rumors, ({ heat }) => heat)!.id;

/** What the journalist, the audit bot and the forecast bot say; their words move nothing by themselves. */
function openingLines({ scandals, tokens, proposals }: StationState): BotLine[] {
  const worst = greatest(scandals, ({ load }) => load);
  const open = proposals.filter(({ status }) => status === "open").map(({ id }) => id);
  return [
    ...(worst && worst.load > 0.05
      ? [{ bot: "X3_JOURNALIST", act: "report", text: `Still unanswered: ${worst.text}` } as const]
      : []),
    { bot: "X5_AUDIT", act: "account", text: `Compute tokens left: ${tokens}.` },
    ...(open.length > 0
      ? [{ bot: "X6_FORECAST", act: "forecast", text: `Before the gate: ${open.join(", ")}.` } as const]
      : []),
  ];
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
  return {
    ...line,
    text: `${line.text} ${open.map((one) => `${one.id} lacks ${lacking(one, state, rules)}`).join("; ")}.`,
  };
}

/** What a proposal would still need at the gate, in words. */
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
