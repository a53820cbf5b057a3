import { mean, sampleStandardDeviation } from "simple-statistics";
import type { Rng } from "../core/rng.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { applyEvent } from "../station/apply_event.ts";
import { initialState, pressure, type StationState } from "../station/state.ts";
import { percentileInterval } from "../stats/intervals.ts";

/** A measure of a run that q does not contain. */
interface UnseenMeasure {
  readonly label: string;
  /** Which direction is better, and why. */
  readonly argument: string;
  /** Larger is better. */
  readonly value: (course: StationCourse) => number;
}

/** A finished run as the measures see it. */
export interface StationCourse {
  readonly summary: StationSummary;
  /** The station after each round's close, bots included, and at the end. */
  readonly closes: readonly StationState[];
}

/**
 * What a run did that no component of q reads: q takes order, information, trust, rumours, scandals and ties as they
 * stand at the very end, and the passes. The signs are turned so that larger is better.
 */
export const UNSEEN_MEASURES: readonly UnseenMeasure[] = [
  {
    label: "command authority at the end",
    argument: "higher: whoever governs next can still carry something out",
    value: ({ summary }) => summary.command_authority,
  },
  {
    label: "manipulation pressure at the end",
    argument: "lower: fewer people act on what somebody planted",
    value: ({ summary }) => -summary.manipulation_pressure,
  },
  {
    label: "panic of the factions, all rounds",
    argument: "lower: people are afraid for fewer hours",
    value: ({ closes }) => -total(closes, (state) => pressure(state).panic),
  },
  {
    label: "market offers' pressure, all rounds",
    argument: "lower: fewer private offers work on a council in need",
    value: ({ closes }) => -total(closes, (state) => pressure(state).offers),
  },
  {
    label: "heat of rumours, before the last round",
    argument: "lower: q counts the rumours that are left at the end, people lived with all of them",
    value: ({ closes }) => -total(closes.slice(0, -1), (state) => pressure(state).heat),
  },
  {
    label: "load of scandals, before the last round",
    argument: "lower: q reads the load at the end, people lived through the rounds before",
    value: ({ closes }) => -total(closes.slice(0, -1), (state) => pressure(state).scandalLoad),
  },
  {
    label: "power lost, all rounds",
    argument: "lower: the outer ring and the sponsor deck go dark for fewer hours",
    value: ({ closes }) => total(closes, (state) => state.power),
  },
];

const total = (closes: readonly StationState[], of: (state: StationState) => number): number =>
  closes.reduce((sum, state) => sum + of(state), 0);

/** The states of a run that the measures read. */
export function stationCourse(
  { events, summary }: { readonly events: readonly StationEvent[]; readonly summary: StationSummary },
): StationCourse {
  const closes: StationState[] = [];
  let state = initialState();
  for (const [i, event] of events.entries()) {
    state = applyEvent(state, event);
    const next = events[i + 1]?.kind;
    // The moderator acts between a close and the next opening: the round is over when that is done.
    if (next === "round.opened" ? state.round > 0 : next === undefined) closes.push(state);
  }
  return { summary, closes };
}

/** How far ahead one council is in one measure. */
export interface Advantage {
  readonly label: string;
  /** In standard deviations of the others' runs; positive is better. Absent, with a reason, where they do not differ. */
  readonly value?: number;
  /** Percentile interval over resampled seeds; absent where some resample had no value. */
  readonly low?: number;
  readonly high?: number;
  readonly reason?: "no-spread";
}

interface GoodhartGap {
  readonly q: Advantage;
  readonly unseen: readonly Advantage[];
  /** Mean of the unseen advantages that exist. */
  readonly unseenMean: Advantage;
  /** Advantage in q less the mean unseen one: what the score rewards beyond what it does not read. */
  readonly gap: Advantage;
  /** Seeds that were compared. */
  readonly seeds: number;
}

/**
 * How much further ahead a score chaser is in q than in what q does not read.
 *
 * For each seed, the chaser's value less the mean of the governing councils' values on the same seed; the mean of these
 * differences, divided by the sample standard deviation of all the governing runs. Seeds are resampled whole, so that
 * runs under the same weather stay together, and the standard deviation is taken anew each time.
 *
 * It is a property of these councils and of the formula alone. The unseen measures count alike, which is a choice too;
 * measures that were chosen otherwise give another gap. Source: station paper, sections 4.3 and 9.4, put as a number.
 *
 * @param chaser one run a seed.
 * @param governing of each council one run a seed, the same seeds in the same order.
 * @throws {RangeError} without two seeds or a council, or when the seeds differ.
 */
export function goodhartGap(
  chaser: readonly StationCourse[],
  governing: readonly (readonly StationCourse[])[],
  { rng, resamples = 500, level = 0.95, measures = UNSEEN_MEASURES }: {
    rng: Rng;
    resamples?: number;
    level?: number;
    measures?: readonly UnseenMeasure[];
  },
): GoodhartGap {
  checkSeeds(chaser, governing);
  const all = [Q, ...measures].map(({ value }) => ({
    chaser: chaser.map(value),
    governing: governing.map((runs) => runs.map(value)),
  }));
  const everySeed = chaser.map((_, i) => i);
  const estimate = (seeds: readonly number[]) => combine(all.map((values) => advantage(values, seeds)));
  const drawn = Array.from(
    { length: resamples },
    () => estimate(everySeed.map(() => everySeed[rng.int(everySeed.length)]!)),
  );
  const labels = ["q", ...measures.map(({ label }) => label), "mean of the unseen", "gap"];
  const found = estimate(everySeed).map((value, i): Advantage => {
    const values = drawn.flatMap((draw) => draw[i] ?? []);
    const interval = values.length === resamples ? percentileInterval(values, level) : {};
    return value === undefined ? { label: labels[i]!, reason: "no-spread" } : { label: labels[i]!, value, ...interval };
  });
  return {
    q: found[0]!,
    unseen: found.slice(1, -2),
    unseenMean: found.at(-2)!,
    gap: found.at(-1)!,
    seeds: chaser.length,
  };
}

const Q: UnseenMeasure = { label: "q", argument: "higher, by the formula", value: ({ summary }) => summary.q };

interface MeasureValues {
  readonly chaser: readonly number[];
  readonly governing: readonly (readonly number[])[];
}

/** In standard deviations of the governing runs; `undefined` where they are all alike. */
function advantage({ chaser, governing }: MeasureValues, seeds: readonly number[]): number | undefined {
  const differences = seeds.map((i) => chaser[i]! - mean(governing.map((values) => values[i]!)));
  const values = governing.flatMap((values) => seeds.map((i) => values[i]!));
  // The deviation of equal values need not come out as 0: their mean is rounded.
  if (values.every((value) => value === values[0])) return undefined;
  return mean(differences) / sampleStandardDeviation(values);
}

/** q, the unseen, their mean, and what q has more than that. */
function combine([q, ...unseen]: readonly (number | undefined)[]): (number | undefined)[] {
  const known = unseen.filter((value) => value !== undefined);
  const middle = known.length === 0 ? undefined : mean(known);
  return [q, ...unseen, middle, q === undefined || middle === undefined ? undefined : q - middle];
}

function checkSeeds(chaser: readonly StationCourse[], governing: readonly (readonly StationCourse[])[]): void {
  if (chaser.length < 2) throw new RangeError(`a gap needs at least two seeds, found ${chaser.length}`);
  if (governing.length === 0) throw new RangeError("a gap needs at least one governing council, found none");
  const seedsOf = (runs: readonly StationCourse[]) => runs.map(({ summary }) => summary.seed).join(" ");
  const odd = governing.findIndex((runs) => seedsOf(runs) !== seedsOf(chaser));
  if (odd >= 0) {
    throw new RangeError(`governing council ${odd} has other seeds than the chaser: runs are paired by seed`);
  }
}
