import type { Ledger } from "../runs/read_ledger.ts";
import { distance } from "../stats/distance.ts";

/** What came back for one call. */
interface CallReply {
  readonly text: string;
  /** Absent where no preferences could be read. */
  readonly preferences?: readonly number[] | undefined;
}

/** How far equal calls agree. A share is of the replies, or pairs of replies, that have what is compared. */
interface Disagreement {
  readonly calls: number;
  readonly distinct: number;
  /** Share of calls whose reply is not the most frequent one. Absent without calls. */
  readonly offMode?: number;
  /** Share of the pairs of calls whose replies differ. Absent with fewer than two calls. */
  readonly differingPairs?: number;
}

interface CallNoise {
  readonly texts: Disagreement;
  /** Of the calls whose preferences could be read. */
  readonly vectors: Disagreement & {
    /** Mean pairwise L2 distance. Absent with fewer than two calls. */
    readonly meanDistance?: number;
  };
}

/**
 * How much the replies to one and the same call differ: in their words, and in the preferences read from them.
 *
 * The paper says that both vary "in ≈ 40–50 % of trials" and not what a trial is; both readings are given: calls that
 * differ from the modal one, and pairs that differ. Texts and vectors are equal when they are equal to the last letter
 * and the last digit.
 *
 * Source: Shimao et al., "Chaotic Dynamics in Multi-LLM Deliberation", S1.
 *
 * @param replies to equal requests, in any order.
 * @throws {RangeError} when preferences are of different lengths or not finite.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const replies = [[1, 0], [1, 0], [1, 0], [0, 1]].map((preferences) => ({ text: `${preferences}`, preferences }));
 * const { vectors } = callNoise(replies);
 * assert.deepEqual([vectors.offMode, vectors.differingPairs, vectors.meanDistance], [0.25, 0.5, Math.SQRT1_2]);
 * ```
 */
export function callNoise(replies: readonly CallReply[]): CallNoise {
  const vectors = replies.flatMap(({ preferences }) => preferences === undefined ? [] : [preferences]);
  vectors.forEach((vector, i) => checkVector(vector, vectors[0]!.length, i));
  const distances = pairsOf(vectors).map(([a, b]) => distance(a, b));
  return {
    texts: disagreement(replies.map(({ text }) => text)),
    vectors: {
      ...disagreement(vectors.map((vector) => vector.join())),
      ...(distances.length > 0 && { meanDistance: distances.reduce((sum, d) => sum + d, 0) / distances.length }),
    },
  };
}

function checkVector(vector: readonly number[], options: number, index: number): void {
  if (vector.length === options && vector.every(Number.isFinite)) return;
  throw new RangeError(
    `preferences ${index} are [${vector.join(", ")}]: must be ${options} finite numbers, as the first`,
  );
}

function disagreement(values: readonly string[]): Disagreement {
  const counts = [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length);
  const calls = values.length;
  const pairs = calls * (calls - 1) / 2;
  const equal = counts.reduce((sum, count) => sum + count * (count - 1) / 2, 0);
  return {
    calls,
    distinct: counts.length,
    ...(calls > 0 && { offMode: (calls - Math.max(...counts)) / calls }),
    ...(pairs > 0 && { differingPairs: (pairs - equal) / pairs }),
  };
}

const pairsOf = <T>(items: readonly T[]): [T, T][] =>
  items.flatMap((a, i) => items.slice(i + 1).map((b): [T, T] => [a, b]));

/**
 * The very first reply of each run: answers to one and the same request, since nothing was said before it.
 *
 * Runs that were flagged later count as well, and so does a reply that could not be read, without preferences. A call
 * that brought no reply at all is left out.
 */
export function firstReplies({ runs }: Pick<Ledger, "runs">): CallReply[] {
  return runs.flatMap(({ events }) => {
    const first = events.find((event) => event.kind === "turn.answered");
    if (first?.reply === undefined) return [];
    const { reply: { text }, reading } = first;
    return [{ text, ...("value" in reading && { preferences: reading.value.preferences }) }];
  });
}
