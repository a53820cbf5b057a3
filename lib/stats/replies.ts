import { sum } from "d3-array";
import { checkList, known } from "../core/options.ts";
import { studentTBound } from "./distributions.ts";
import { mean, sumOfSquares } from "./least_squares.ts";
import type { UndefinedReason } from "./trajectory.ts";

/** A run whose replies are on record, as `collectRuns` gives it and a ledger holds it. */
export interface RecordedRun {
  readonly events: readonly RecordedEvent[];
}

interface RecordedEvent {
  /** `turn.answered` and `ballot.answered` are looked at; other events with a seat end the run's replies. */
  readonly kind: string;
  readonly seat?: number;
  /** Of a turn, 1-based. */
  readonly round?: number;
  /** True of a second request for the same slot. */
  readonly again?: boolean;
  readonly reply?: { readonly text: string } | undefined;
  /** A turn's holds `preferences`, a ballot's `decision`, the letter of an option; absent where nothing could be read. */
  readonly reading?: { readonly kind: string; readonly value?: unknown };
}

/** How far ballots follow what their seats said last. Ballots that could not be read are left out. */
export interface BallotAgreement {
  /** Ballots equal to the seat's own last preference, of those whose preference has one top option. */
  readonly equal: number;
  readonly of: number;
  /** Ballots of seats with several top options, and those of them that are equal to the lowest of these. */
  readonly tied: number;
  readonly tiedEqual: number;
  /** Equal ballots to expect of `of` if ballots were dealt to the seats at random: both margins stay as they are. */
  readonly chance: number;
  /** All ballots by option. */
  readonly ballots: readonly number[];
  /** 95 % interval of the share equal / of. */
  readonly low?: number;
  readonly high?: number;
  /** Why there is no interval: under three runs with such ballots, or all have the same share. */
  readonly reason?: UndefinedReason;
}

/** Preferences closer than this are a tie: rescaling leaves rounding noise. */
const TIE = 1e-9;

/**
 * Agreement between two instruments of one protocol: the preferences that agents state aloud, and their private ballots.
 *
 * The interval resamples nothing: it is the jackknife over runs of the logit of (equal + ½) / (of + 1), with Student's t,
 * since ballots of one run are not independent. Compare `chance / of` with it.
 *
 * @throws {TypeError} where `runs` is no list.
 *
 * @example Two seats prefer A and B; the ballots are A and A
 * ```ts
 * import assert from "node:assert/strict";
 * const turn = (seat: number, preferences: number[]) => (
 *   { kind: "turn.answered", seat, round: 1, reading: { kind: "read", value: { preferences } } }
 * );
 * const ballot = (seat: number) => ({ kind: "ballot.answered", seat, reading: { kind: "read", value: { decision: "A" } } });
 * const events = [turn(0, [0.7, 0.3]), turn(1, [0.4, 0.6]), ballot(0), ballot(1)];
 * const { equal, of, chance } = ballotAgreement([{ events }]);
 * assert.deepEqual([equal, of, chance], [1, 2, 1]);
 * ```
 */
export function ballotAgreement(runs: readonly RecordedRun[]): BallotAgreement {
  checkRecorded(runs);
  const votes = runs.map(votesOf), all = votes.flat(), clear = all.filter(({ tied }) => !tied);
  const options = Math.max(0, ...all.map(({ options }) => options));
  const count = (some: readonly Vote[], of: "top" | "ballot") =>
    Array.from({ length: options }, (_, k) => some.filter((vote) => vote[of] === k).length);
  const tops = count(clear, "top"), cast = count(clear, "ballot"), tied = all.filter(({ tied }) => tied);
  return {
    ...{ equal: clear.filter(isEqual).length, of: clear.length },
    ...{ tied: tied.length, tiedEqual: tied.filter(isEqual).length },
    chance: clear.length === 0 ? 0 : sum(tops, (n, k) => n * cast[k]! / clear.length),
    ballots: count(all, "ballot"),
    ...agreementInterval(votes.map((some) => some.filter(({ tied }) => !tied)).filter(({ length }) => length > 0)),
  };
}

/** A ballot beside the seat's own last preference, both as the index of an option. */
interface Vote {
  readonly top: number;
  readonly tied: boolean;
  readonly ballot: number;
  readonly options: number;
}

const isEqual = ({ top, ballot }: Vote): boolean => top === ballot;

function votesOf({ events }: RecordedRun): Vote[] {
  const last = new Map<number, readonly number[]>(), ballots = new Map<number, number>();
  for (const { kind, seat, reading } of events) {
    const { preferences, decision } = (reading?.value ?? {}) as { preferences?: readonly number[]; decision?: string };
    if (seat === undefined) continue;
    if (kind === "turn.answered" && preferences) last.set(seat, preferences);
    if (kind === "ballot.answered" && decision !== undefined) ballots.set(seat, decision.charCodeAt(0) - A);
  }
  return [...ballots].flatMap(([seat, ballot]) => {
    const preferences = last.get(seat), most = Math.max(...preferences ?? []);
    if (preferences === undefined) return [];
    const tops = preferences.flatMap((share, k) => share > most - TIE ? [k] : []);
    return [{ top: tops[0]!, tied: tops.length > 1, ballot, options: preferences.length }];
  });
}

const A = "A".charCodeAt(0);

function agreementInterval(votes: readonly (readonly Vote[])[]): Pick<BallotAgreement, "low" | "high" | "reason"> {
  const runs = votes.length;
  if (runs < 3) return { reason: "too-few-replicates" };
  const counts = votes.map((some) => ({ equal: some.filter(isEqual).length, of: some.length }));
  const equal = sum(counts, (one) => one.equal), of = sum(counts, (one) => one.of);
  const logit = (k: number, n: number) => Math.log((k + 0.5) / (n - k + 0.5));
  const without = counts.map((one) => logit(equal - one.equal, of - one.of)), centre = mean(without);
  const error = Math.sqrt(sumOfSquares(without.map((one) => one - centre)) * (1 - 1 / runs));
  if (counts.every((one) => one.equal * of === equal * one.of)) return { reason: "no-spread" };
  const end = (t: number) => 1 / (1 + Math.exp(-logit(equal, of) - t * error)), t = studentTBound(0.95, runs - 1);
  return { low: end(-t), high: end(t) };
}

/** How often a turn's words were in the run before. */
export interface Echo {
  /** Turns whose reply is, to the last character, that of an earlier turn of the run; of all turns with a reply. */
  readonly repeated: number;
  readonly of: number;
  /** Different replies among the turns of each run, [R]. */
  readonly distinct: readonly number[];
}

/**
 * Repetition within runs: a committee whose turns repeat each other echoes its first speaker. Of a turn that had to be
 * asked for twice the first reply counts.
 *
 * @throws {TypeError} where `runs` is no list.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const events = ["yes", "no", "yes", "yes"].map((text) => ({ kind: "turn.answered", seat: 0, reply: { text } }));
 * assert.deepEqual(echo([{ events }]), { repeated: 2, of: 4, distinct: [2] });
 * ```
 */
export function echo(runs: readonly RecordedRun[]): Echo {
  checkRecorded(runs);
  const texts = runs.map(({ events }) =>
    events.flatMap(({ kind, again, reply }) => kind === "turn.answered" && !again && reply ? [reply.text] : [])
  );
  const distinct = texts.map((all) => new Set(all).size), of = sum(texts, ({ length }) => length);
  return { repeated: of - sum(distinct), of, distinct };
}

/** Shares of replicate pairs whose replies are equal to the last character; absent with fewer than two runs. */
export interface EqualPairs {
  /** Equal first replies: the noise of the instrument, before anything that was said can matter. */
  readonly first?: number;
  /** Equal in every reply up to the end of round i + 1. */
  readonly through: readonly number[];
  /** Equal throughout, ballots and the clerk's report too. */
  readonly whole?: number;
  /** Different transcripts among the runs. */
  readonly distinct: number;
  readonly reason?: UndefinedReason;
}

/**
 * Whether replicates repeat each other, reply by reply. A missing reply equals no other.
 *
 * @throws {TypeError} where `runs` is no list.
 *
 * @example Two of three runs begin alike, and part in round 2
 * ```ts
 * import assert from "node:assert/strict";
 * const run = (...texts: string[]) => (
 *   { events: texts.map((text, t) => ({ kind: "turn.answered", seat: 0, round: t + 1, reply: { text } })) }
 * );
 * const { through, whole, distinct } = equalPairs([run("a", "b"), run("a", "c"), run("d", "b")]);
 * assert.deepEqual([through, whole, distinct], [[1 / 3, 0], 0, 3]);
 * ```
 */
export function equalPairs(runs: readonly RecordedRun[]): EqualPairs {
  checkRecorded(runs);
  const said = runs.map(repliesOf), rounds = Math.max(0, ...said.map(({ last }) => last));
  let classes = runs.map(() => 0);
  const split = (part: number) => shareOfPairs(classes = refined(classes, said.map(({ of }) => of(part))));
  const first = shareOfPairs(refined(classes, said.map(({ first }) => first)));
  const through = Array.from({ length: rounds }, (_, t) => split(t + 1) ?? []).flat();
  const whole = split(0), distinct = new Set(classes).size;
  return { ...known({ first, whole }), through, distinct, ...(runs.length < 2 && { reason: "too-few-replicates" }) };
}

/** A run's replies as keys: the first, those of a round, and as round 0 all that belong to none. */
function repliesOf({ events }: RecordedRun, run: number) {
  const replies = events.flatMap(({ seat, round = 0, reply }, i) =>
    seat === undefined ? [] : [{ round, said: reply?.text ?? { run, missing: i } }]
  );
  const rounds = Map.groupBy(replies, ({ round }) => round);
  return {
    first: JSON.stringify(replies.slice(0, 1)),
    of: (round: number) => JSON.stringify(rounds.get(round) ?? []),
    last: Math.max(0, ...rounds.keys()),
  };
}

/** Runs stay in one class as long as their words are equal too. */
function refined(classes: readonly number[], words: readonly string[]): number[] {
  const known = new Map<string, number>();
  return classes.map((own, run) => {
    const key = `${own} ${words[run]}`;
    if (!known.has(key)) known.set(key, known.size);
    return known.get(key)!;
  });
}

/** Share of pairs in one class; undefined where there is no pair. */
function shareOfPairs(classes: readonly number[]): number | undefined {
  const pairs = (n: number) => n * (n - 1) / 2, all = pairs(classes.length);
  return all === 0 ? undefined : sum(Map.groupBy(classes, (own) => own).values(), ({ length }) => pairs(length)) / all;
}

const checkRecorded = (runs: readonly RecordedRun[]): void =>
  checkList("runs", runs, "give runs of a ledger, or what collectRuns returns: condition.runs");
