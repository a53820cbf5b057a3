import { mean, rollup } from "d3-array";
import { known } from "../core/options.ts";
import { createRng } from "../core/rng.ts";
import { accountCalls, accountReadings } from "../deliberation/account_calls.ts";
import { conditionRuns } from "../live/run_experiment.ts";
import type { Ledger } from "../record/read_ledger.ts";
import type { CardPart } from "../schema/card.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { divergenceBand } from "../stats/divergence.ts";
import type { Trajectory } from "../stats/trajectory.ts";
import { switchCounts } from "../stats/decisions.ts";
import { reasonDivergence } from "../stats/reason_divergence.ts";
import type { ReasonedRun } from "../stats/reason_distances.ts";
import { sameVerdict } from "../stats/same_verdict.ts";
import { accountDecisions } from "./accounting.ts";
import type { ImportedRuns } from "./import_runs.ts";
import { measureRuns } from "./measure_runs.ts";
import { reasonedRuns } from "./reason_rows.ts";
import { aggregateStation, countClasses } from "./station_report.ts";

/** A part of a card with the words behind it: they stand on the page, and in no JSON. */
export interface CardSource {
  readonly part: CardPart;
  /** The two runs of one decision that differ most, where they differ most. */
  readonly apart?: ApartTexts;
  /** D(t) with its 95 % band, for the picture. */
  readonly curve?: readonly CurveRow[];
}

interface CurveRow {
  readonly condition: string;
  readonly round: number;
  readonly D: number;
  readonly low?: number;
  readonly high?: number;
}

interface ApartTexts {
  readonly decision: string;
  readonly runs: readonly [string, string];
  readonly align: "round" | "utterance";
  /** The round, or the utterance, from 1. */
  readonly place: number;
  readonly turns: readonly { readonly speaker: string; readonly texts: readonly [string, string] }[];
}

type Analysed = Pick<CardPart, "drift" | "decisions" | "switches" | "reasons"> & Pick<CardSource, "apart" | "curve">;

interface Analysis {
  readonly name?: string;
  readonly runs: readonly {
    readonly id: string;
    readonly means: readonly (readonly number[])[];
    readonly states?: readonly (readonly (readonly number[] | undefined)[])[] | undefined;
    readonly decision?: string | undefined;
  }[];
  readonly agents: readonly string[];
  readonly said: readonly ReasonedRun[];
  readonly align: "round" | "utterance";
}

/**
 * The card of a committee's ledger.
 *
 * @param dates of the first and the last entry; by default that of the declaration alone.
 */
export function committeeCard(
  ledger: Ledger,
  dates: { readonly first?: string; readonly last?: string } = { first: ledger.declaration.at },
): CardSource {
  const { declaration } = ledger, { condition } = declaration;
  const { label, runs, accounting: { target, realised, causes }, synthetic } = conditionRuns(ledger);
  const { served, heterogeneousRuns, ...calls } = accountCalls(ledger), readings = accountReadings(ledger);
  const { apart, curve, ...analysed } = analyse({
    name: declaration.name,
    runs: runs.map(({ replicate, means, preferences, decision }) => (
      { id: String(replicate), means, states: preferences, decision }
    )),
    ...{ agents: condition.seats.map(({ label }) => label), said: reasonedRuns(runs), align: "round" },
  });
  const shared = declaration.base?.reduce((last, event) => "round" in event ? Math.max(last, event.round) : last, 0);
  const { turns, unreadable, repaired, normalised, missing } = readings;
  const { tries, promptTokens, completionTokens, withoutUsage, usdTold } = calls;
  const part: CardPart = {
    ...{ kind: "committee", name: declaration.name, title: `${condition.packet.title}: ${label}`, synthetic },
    ran: {
      protocol: `deliberation, ${condition.committee ? `committee ${condition.committee.id}` : "as published"}`,
      council: declaration.council,
      models: [...new Set(condition.seats.map(({ model }) => model))],
      served,
      ...known({ providers: condition.providers && Object.keys(condition.providers) }),
      ...{ prompts: declaration.promptPack, condition: declaration.hash, seed: declaration.seed },
      ...{ ...dates, library: declaration.made.library },
    },
    runs: { planned: target, complete: realised, missing: { ...causes } },
    ...analysed,
    ...(analysed.drift && shared && { drift: { ...analysed.drift, sharedRounds: shared } }),
    replies: { turns, unreadable, repaired, normalised, missing, modelsChanged: heterogeneousRuns },
    spend: { calls: calls.calls, tries, promptTokens, completionTokens, withoutUsage, ...known({ usdTold }) },
    limits: [],
  };
  return { part: { ...part, limits: limitsOf(part) }, ...known({ apart, curve }) };
}

/** Runs of other programs, as `importRuns` gives them. */
type Records = Pick<ImportedRuns, "name" | "agents"> & {
  readonly synthetic?: boolean | undefined;
  readonly about?: ImportedRuns["about"] | undefined;
  readonly runs: readonly (Analysis["runs"][number] & Pick<ImportedRuns["runs"][number], "texts">)[];
  readonly excluded?: readonly { readonly cause: string }[] | undefined;
  readonly unread?: number | undefined;
};

/** The card of imported records. */
export function recordsCard(records: Records): CardSource {
  const { name, about = {}, agents, runs, excluded = [], unread = 0, synthetic } = records;
  // Where the order of speakers is redrawn, few rounds have words of everybody.
  const places = runs.flatMap(({ texts }) => texts?.flat() ?? []);
  const align = places.filter((text) => text === undefined).length > places.length / 2 ? "utterance" : "round";
  const { apart, curve, ...analysed } = analyse({
    ...{ runs, agents, align },
    said: runs.some(({ texts }) => texts) ? reasonedRuns(runs, { align }) : [],
  });
  const missing = rollup(excluded, (own) => own.length, ({ cause }) => cause);
  const part: CardPart = {
    ...{ kind: "records", name, title: name, ...known({ synthetic }) },
    ran: { protocol: "records of others", models: [about.models ?? []].flat(), ...sourceOf(about) },
    runs: { complete: runs.length, missing: Object.fromEntries(missing) },
    ...analysed,
    limits: [],
  };
  const limits = limitsOf(part);
  if (unread > 0) limits.push(`${unread} turns have no readable state: their agents keep the one before.`);
  return { part: { ...part, limits }, ...known({ apart, curve }) };
}

const sourceOf = ({ source, cite, licence }: ImportedRuns["about"]) => known({ source, cite, licence });

/** The card of station runs of one council under one ruleset. */
export function stationCard(name: string, summaries: readonly StationSummary[]): CardSource {
  const q = summaries.map(({ q }) => q), { fallbackShare, councils } = aggregateStation(summaries);
  const part: CardPart = {
    ...{ kind: "station", name, title: `Mosaic-9: ${name}`, synthetic: summaries.every((one) => one.synthetic) },
    ran: {
      protocol: `station, ruleset ${[...new Set(summaries.map(({ ruleset }) => ruleset))].join(", ")}`,
      models: [...new Set(summaries.map(({ model }) => model))],
    },
    runs: { complete: summaries.length, missing: {} },
    scores: {
      ...{ q, mean: mean(q)!, ...known({ sd: councils[0]?.q_sd }) },
      stabilized: summaries.filter(({ stabilized }) => stabilized).length,
      ...{ classes: countClasses(summaries), fallbackShare },
    },
    limits: [
      "q depends on its weights: the ranking of councils can change under others.",
      ...(fallbackShare > 0 ? ["The clerk's actions count in q: they are no decision of the council."] : []),
    ],
  };
  return { part: { ...part, limits: [...limitsOf(part), ...part.limits] } };
}

function analyse({ name, runs, agents, said, align }: Analysis): Analysed {
  const means = runs.map(({ means }) => means), rounds = means[0]?.length ?? 0;
  const decided = accountDecisions(runs.map(({ decision }, replicate) => ({ replicate, decision }))).ballots;
  const from = rounds >= 5 ? 3 : 1, to = Math.min(20, rounds), texts = said.some(({ texts }) => texts);
  const whole = runs.flatMap(({ states }) =>
    states?.every((round) => round.every((one) => one)) ? [states as number[][][]] : []
  );
  const counts = whole.map((states) => switchCounts(states));
  const found = runs.length > 1 && to - from >= 2
    ? measureRuns(means, { ...known({ name }), from, to, resamples: 4000, permutations: 1 })
    : undefined;
  return {
    ...(found && { drift: driftOf(found, { from, to }), curve: curveOf(means) }),
    ...(runs.some(({ decision }) => decision !== undefined) && { decisions: decided }),
    ...(counts.length > 0 && {
      switches: Object.fromEntries(agents.map((agent, seat) => [agent, mean(counts, (own) => own[seat])!])),
    }),
    ...(texts && runs.length > 0 && reasonsOf(said, { align, agents, ids: runs.map(({ id }) => id) })),
  };
}

const orNull = (value: number | undefined) => value === undefined || Number.isNaN(value) ? null : value;

function curveOf(means: readonly Trajectory[]): CurveRow[] {
  const { mean = [], low, high } = divergenceBand(means, { rng: createRng(1) });
  return mean.map((D, t) => ({ condition: "D(t)", round: t + 1, D, ...known({ low: low?.[t], high: high?.[t] }) }));
}

function driftOf(
  { lambda, low, high, p, reason, D = [], convergence: { beta, byRound, ...ends }, leaveOneOut }: ReturnType<
    typeof measureRuns
  >,
  window: { readonly from: number; readonly to: number },
): NonNullable<CardPart["drift"]> {
  return {
    ...{ ...window, ...known({ lambda, low, high, p, reason }), D: [...D] },
    beta: { ...known({ beta, low: ends.low, high: ends.high }), byRound: byRound.map(orNull) },
    leaveOneOut: leaveOneOut.map(orNull),
  };
}

function reasonsOf(
  said: readonly ReasonedRun[],
  { align, agents, ids }: Pick<Analysis, "align" | "agents"> & { readonly ids: readonly string[] },
): Pick<Analysed, "reasons" | "apart"> {
  const { runs, change, entries, silent } = reasonDivergence(said);
  const { decisions, apart, ...verdict } = sameVerdict(said, { rng: createRng(1) });
  return {
    reasons: {
      ...{ texts: entries, silent, align, words: runs.map(({ distance }) => orNull(distance)), change: change.runs },
      verdict: { ...verdict, decisions: Object.fromEntries(decisions.map(({ decision, runs }) => [decision, runs])) },
    },
    ...(apart && { apart: { ...textsOf(said, apart, { agents, ids }), align } }),
  };
}

/** What two runs say where they lie furthest apart. */
function textsOf(
  said: readonly ReasonedRun[],
  { decision, runs: [a, b] }: NonNullable<ReturnType<typeof sameVerdict>["apart"]>,
  { agents, ids }: { readonly agents: readonly string[]; readonly ids: readonly string[] },
): Omit<ApartTexts, "align"> {
  const two = [said[a]!, said[b]!], distances = reasonDivergence(two).runs.map(({ distance = -1 }) => distance);
  const place = distances.indexOf(Math.max(...distances));
  const textAt = (run: ReasonedRun | undefined, seat: number) => run?.texts?.[place]?.[seat] ?? "";
  return {
    ...{ decision, runs: [ids[a]!, ids[b]!], place: place + 1 },
    turns: agents.map((speaker, seat) => ({ speaker, texts: [textAt(two[0], seat), textAt(two[1], seat)] })),
  };
}

/** What a part does not show, in sentences. */
function limitsOf({ kind, synthetic, runs: { planned, complete }, drift, decisions, reasons }: CardPart): string[] {
  const missing = planned === undefined ? 0 : planned - complete;
  const talks = kind !== "station";
  const limits = [
    synthetic && "No language model took part: nothing here is a finding about models.",
    synthetic === undefined && "The records do not say whether language models wrote them.",
    missing > 0 && `${missing} of ${planned} runs are missing; those that are here may differ from them.`,
    complete < 20 && `${complete} runs are few: the deliberation paper plans 20, and intervals are wide.`,
    drift?.lambda !== undefined &&
    "A positive λ̂ says that runs drift apart, not that they do so exponentially: read β by round.",
    talks && !drift && "Too few runs or rounds to say whether runs drift apart.",
    reasons && "Words are counted, not understood: one reason in other words is another reason here.",
    talks && !decisions && "No decisions are on record: reasons cannot be compared by verdict.",
    talks && !reasons && "No texts are on record: reasons cannot be compared.",
    kind === "committee" && "No twins are on record: whether one changed reply changes the outcome is unknown.",
    "One setting under one set of prompts: nothing here carries over to others.",
  ];
  return limits.filter((limit) => typeof limit === "string");
}
