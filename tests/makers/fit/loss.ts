import {
  loadFact,
  loadIm01,
  loadPhrasings,
  loadPublishedSwitches,
  loadTwoRoutes,
  type PublishedIm01Row,
  type PublishedPhrasingRow,
  type PublishedSwitchesRow,
} from "@/lab/paper/published_deliberation.ts";
import { rowOf } from "./row_of.ts";
import type { SPLIT } from "@/lab/paper/kept_tables.ts";
import { type Role, ROLES } from "@/schema/scenario.ts";

/** A group that enters the loss of the fit. */
type FittedGroup = keyof typeof SPLIT.trained | keyof typeof SPLIT.readings;

/**
 * The unit of each fitted group's misfit, about what one published number of R = 20 runs scatters by; misfits in
 * their unit are squared and summed, every number alike.
 */
export const LOSS_UNITS: Readonly<Record<FittedGroup, number>> = {
  // Nats per round.
  "λ̂ of IM-01 and HL-01 at T = 0": 0.01,
  "λ̂ of the scenarios at T = 0": 0.01,
  "λ̂ of the models at T = 0": 0.01,
  // √(0.45 · 0.55 / 20).
  "flip rate at T = 0": 0.11,
  // Rounds beyond what rounding to a whole round hides; longer times scatter in proportion, see `majorityMisfit`.
  "time to majority at T = 0": 0.25,
  // Standard errors of Table S7's means are 0.12, 0.09 and 0.03.
  "switches: Chair, Welfare, Rights": 0.12,
  // √(1/3 · 2/3 / 6) for six wordings.
  "outcomes of IM-01": 0.19,
  // Nats per round. Both its slopes count already; their difference is what is spoken of, so it counts more sharply.
  "the Chair's fall in IM-01": 0.006,
  // Nats per round.
  "ablations of HL-01": 0.01,
  // The published standard error.
  "branching entropy Γ̂": 0.008,
  // Nats per round.
  "the Chair's ablation elsewhere": 0.01,
  // ln of a ratio of distances.
  "levels of HL-01": 0.1,
  // A distance.
  "noise of HL-01": 0.01,
  // Nats per round.
  "no run carries HL-01's ablations": 0.01,
};

/**
 * What Fig. 2A's words are taken to mean, nats per round: taking the Chair's mandate lowers λ̂ by at least `least`
 * (the interval excludes zero), and by at least `lead` more than taking any other.
 */
export const HL01_ABLATIONS = { least: 0.03, lead: 0.03 } as const;

/**
 * What the readings ask of HL-01: D(20) of roles and of mixed at least `above` times the baseline's; D(1) where agents
 * share a model at most `early`, below the 0.05 of `SPLIT` because seeds scatter; and λ̂ of an ablated committee that no
 * one of twenty runs moves by more than `carried`, nats per round.
 */
export const HL01_READINGS = { above: 1.5, early: 0.03, carried: 0.01 } as const;

/**
 * Where Fig. 2B draws a fall without the Chair's mandate, besides IM-01 and HL-01, and by how much λ̂ has to fall there,
 * nats per round: more than a sign asks, because λ̂ of twenty runs scatters by as much.
 */
export const FALLS_ELSEWHERE = { scenarios: ["CL-01", "SP-03", "AI-01"] as readonly string[], least: 0.025 } as const;

/** Option C never ended a wording of S4.3; its share counts with a narrower unit than those of A and B. */
export const UNSEEN_OUTCOME_UNIT = 0.03;

/** Base round of Γ̂; the paper gives none. */
export const GAMMA_ROUND = 5;

/** The committees whose facts stage 1 of the fit is told, all at T = 0 with k = 15; `-Chair`: without that mandate. */
export type StageOneCell = `${"IM-01" | "HL-01"} ${"roles" | "no roles" | "mixed" | "mixed roles" | `-${Role}`}`;

/** What many simulated runs of one committee show. */
export interface CellFacts {
  /** Nats per round; undefined where the runs do not differ. */
  readonly lambda: number | undefined;
  /** D(t), [T]. */
  readonly divergence: readonly number[];
  /** `largestLeaveOneOut` of committees whose intervals count. */
  readonly carried?: number;
  /** Share of runs that do not end on the modal option. */
  readonly flip: number;
  /** Grouped median of the round of the first majority: that of rounds taken as spread evenly over t ± ½. */
  readonly majority: number;
  /** Share of runs that end on each option, [K]. */
  readonly outcomes: readonly number[];
  /** Mean switches a run, by seat. */
  readonly switches: readonly number[];
}

export interface StageOneFacts {
  readonly cells: Readonly<Partial<Record<StageOneCell, CellFacts>>>;
  /** Mean Γ̂ of IM-01 with roles at T = 0.7, continued from round 5. */
  readonly gamma: number;
}

/** One published number, sign or reading, and how far simulated facts are from it. */
export interface LossTerm {
  readonly group: FittedGroup;
  readonly name: string;
  /** Absent where the paper states a sign. */
  readonly published?: number;
  /** In the group's unit; 0 where the statement is met. */
  readonly misfit: (facts: StageOneFacts) => number;
}

/** Every number and sign that stage 1 is fitted to. */
export async function stageOneTerms(): Promise<LossTerm[]> {
  const [routes, im01, switches, phrasings, gamma] = await Promise.all([
    loadTwoRoutes(),
    loadIm01(),
    loadPublishedSwitches(),
    loadPhrasings(),
    loadFact("branching-gamma"),
  ]);
  return [
    ...routes.map(({ lineup, roles, lambda }) =>
      lambdaTerm(`HL-01 ${lineup === "mixed" ? (roles ? "mixed roles" : "mixed") : named(roles)}`, lambda!)
    ),
    ...im01.filter(atZero).flatMap(im01Terms),
    ...switches.flatMap(switchTerm),
    ...outcomeTerms(phrasings),
    ...ablationTerms(),
    ...readingTerms(),
    chairTerm(im01),
    numberTerm("branching entropy Γ̂", "IM-01 roles, T = 0.7", gamma.value!, (facts) => facts.gamma),
  ];
}

/** Σ misfit² of stage 1. */
export function stageOneLoss(terms: readonly LossTerm[], facts: StageOneFacts): number {
  return terms.reduce((sum, { misfit }) => sum + misfit(facts) ** 2, 0);
}

const named = (roles: boolean) => roles ? "roles" : "no roles";
const cell = ({ cells }: StageOneFacts, name: StageOneCell): CellFacts => cells[name]!;

/** Rows of Table S5 at T = 0. "No ablation" repeats the sweep's row at T = 0 with roles. */
const atZero = ({ experiment, temperature, ablated }: PublishedIm01Row) =>
  temperature === 0 && (experiment === "temperature" || (experiment === "ablation" && ablated !== "none"));

function im01Terms({ roles, ablated, lambda, flip_rate, ttm }: PublishedIm01Row): LossTerm[] {
  const name: StageOneCell = ablated === "none" ? `IM-01 ${named(roles)}` : `IM-01 -${ablated}`;
  return [
    lambdaTerm(name, lambda!),
    numberTerm("flip rate at T = 0", name, flip_rate!, (facts) => cell(facts, name).flip),
    {
      ...{ group: "time to majority at T = 0", name, published: ttm! },
      misfit: (facts) => majorityMisfit(cell(facts, name).majority, ttm!),
    },
  ];
}

/** Rounds off beyond what a whole round hides, in the unit for short times and in eighths of the time for long ones. */
export function majorityMisfit(grouped: number, published: number): number {
  const off = Math.max(0, Math.abs(grouped - published) - 0.4);
  return off / Math.max(LOSS_UNITS["time to majority at T = 0"], published / 8);
}

function switchTerm({ role, mean_switches }: PublishedSwitchesRow): LossTerm[] {
  if (role === "Equity" || role === "Security") return [];
  const count = (facts: StageOneFacts) => cell(facts, "IM-01 roles").switches[ROLES.indexOf(role)]!;
  return [numberTerm("switches: Chair, Welfare, Rights", role, mean_switches!, count)];
}

/** Shares of the six wordings that ended on each option; one run each, so they stand for one committee's runs. */
function outcomeTerms(phrasings: readonly PublishedPhrasingRow[]): LossTerm[] {
  return ["A", "B", "C"].map((letter, option) => {
    const published = phrasings.filter(({ decision }) => decision === letter).length / phrasings.length;
    const unit = published === 0 ? UNSEEN_OUTCOME_UNIT : LOSS_UNITS["outcomes of IM-01"];
    return {
      ...{ group: "outcomes of IM-01", name: letter, published },
      misfit: (facts) => (cell(facts, "IM-01 roles").outcomes[option]! - published) / unit,
    };
  });
}

/** λ̂ lost with the Chair's mandate in IM-01. */
function chairTerm(im01: readonly PublishedIm01Row[]): LossTerm {
  const fall = (facts: StageOneFacts) =>
    (cell(facts, "IM-01 roles").lambda ?? NaN) - (cell(facts, "IM-01 -Chair").lambda ?? NaN);
  const printed = (ablated: Role | "none") => rowOf(im01, { experiment: "ablation", ablated }).lambda!;
  return numberTerm("the Chair's fall in IM-01", "Chair", printed("none") - printed("Chair"), fall);
}

function ablationTerms(): LossTerm[] {
  const fall = (facts: StageOneFacts, role: Role) =>
    (cell(facts, "HL-01 roles").lambda ?? NaN) - (cell(facts, `HL-01 -${role}`).lambda ?? NaN);
  const term = (name: string, short: (facts: StageOneFacts) => number) => hinge("ablations of HL-01", name, short);
  return ROLES.map((role) =>
    role === "Chair"
      ? term("the Chair's is positive", (facts) => HL01_ABLATIONS.least - fall(facts, "Chair"))
      : term(`above ${role}'s`, (facts) => HL01_ABLATIONS.lead - (fall(facts, "Chair") - fall(facts, role)))
  );
}

function readingTerms(): LossTerm[] {
  const { above, early, carried } = HL01_READINGS;
  const D = (facts: StageOneFacts, name: StageOneCell, round: number) => cell(facts, name).divergence[round - 1]!;
  const level = (name: StageOneCell) =>
    hinge(
      "levels of HL-01",
      `D(20) of ${name}`,
      (facts) => Math.log(above * D(facts, "HL-01 no roles", 20)) - Math.log(D(facts, name, 20)),
    );
  const noise = (name: StageOneCell) =>
    hinge("noise of HL-01", `D(1) of ${name}`, (facts) => D(facts, name, 1) - early);
  return [
    level("HL-01 roles"),
    level("HL-01 mixed"),
    noise("HL-01 roles"),
    noise("HL-01 no roles"),
    ...ROLES.map((role) =>
      hinge("no run carries HL-01's ablations", role, (facts) => cell(facts, `HL-01 -${role}`).carried! - carried)
    ),
  ];
}

/** A statement that costs nothing where it holds: `short` is how far it is from holding. */
function hinge(group: FittedGroup, name: string, short: (facts: StageOneFacts) => number): LossTerm {
  return { group, name, misfit: (facts) => finite(Math.max(0, short(facts)) / LOSS_UNITS[group]) };
}

function lambdaTerm(name: StageOneCell, published: number): LossTerm {
  return numberTerm("λ̂ of IM-01 and HL-01 at T = 0", name, published, (facts) => cell(facts, name).lambda ?? NaN);
}

function numberTerm(
  group: FittedGroup,
  name: string,
  published: number,
  pick: (facts: StageOneFacts) => number,
): LossTerm {
  return { group, name, published, misfit: (facts) => finite((pick(facts) - published) / LOSS_UNITS[group]) };
}

/** Math.max passes NaN on; a search needs a number to turn away from. */
const finite = (value: number): number => Number.isNaN(value) ? Infinity : value;
