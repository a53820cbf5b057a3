import { createHash } from "node:crypto";
import { basename } from "node:path";
import { createRng, type Rng } from "@/core/rng.ts";
import { type Plant, plantedAnswer, plantedForecasts, plantedShares } from "@/model/surrogate/plant.ts";
import { accuracy, type AnsweredRun, brierScore, calibration, questionBootstrap } from "@/stats/mod.ts";
import type { AnswerRow, FewWrongRow } from "../kept_tables.ts";

/** Studies of so many questions, each asked in so many runs of so many seats. */
export const ANSWERS = { seed: 1, ensembles: 1000, questions: 40, runs: 20, seats: 5, optionCount: 4 } as const;

/** What is planted in a cell of the study. */
type Cell = Pick<Plant, "skill"> & { readonly slope: number };

/** The cells of the study. */
export const CELLS: readonly Cell[] = [0.6, 0.8].flatMap((skill) => [1, 0.5].map((slope) => ({ skill, slope })));

/** What is measured of first answers, and the value that it has by the plant. */
interface Measure {
  readonly name: AnswerRow["measure"];
  readonly of: (runs: readonly AnsweredRun[]) => number | undefined;
  readonly truth: (cell: Cell) => number;
}

const MEASURES: readonly Measure[] = [
  { name: "seat", of: (runs) => accuracy(runs).seat, truth: ({ skill }) => skill },
  { name: "majority", of: (runs) => accuracy(runs).majority, truth: majorityTruth },
  { name: "slope", of: (runs) => calibration(runs, { round: 1 }).slope, truth: ({ slope }) => slope },
  { name: "brier", of: (runs) => brierScore(runs, { of: "confidence", round: 1 }).score, truth: brierTruth },
];

const planted = (cell: Cell): Plant => ({ ...cell, answers: {} });

/** The forecasts of one question of each of the twenty levels of ease, which a question drawn by chance has equally often. */
function byEase(cell: Cell): ReturnType<typeof plantedForecasts>[] {
  const plant = planted(cell);
  const all = Array.from({ length: 400 }, (_, i) => plantedForecasts(plant, `${i}`));
  const levels = [...Map.groupBy(all, (forecasts) => JSON.stringify(forecasts)).values()].map(([one]) => one!);
  if (levels.length !== 20) throw new Error(`found ${levels.length} levels of ease: must be 20`);
  return levels;
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function majorityTruth(cell: Cell): number {
  return average(
    byEase(cell).map((forecasts) => plurality(forecasts.reduce((sum, { chance, right }) => sum + chance * right, 0))),
  );
}

/**
 * The chance that the option with most of the votes is right, where each seat is right with chance p and else votes for any
 * wrong option: the sum over all votes that can be cast. The right option's place is any, so that it wins a tie of m with 1/m.
 */
export function plurality(p: number, { seats, optionCount }: { seats: number; optionCount: number } = ANSWERS): number {
  let sum = 0;
  for (let votes = 0; votes < optionCount ** seats; votes++) {
    const counts = Array.from({ length: optionCount }, () => 0);
    for (let seat = 0, rest = votes; seat < seats; seat++, rest = Math.floor(rest / optionCount)) {
      counts[rest % optionCount]!++;
    }
    const right = counts[0]!, most = Math.max(...counts);
    if (right < most) continue;
    const chance = p ** right * ((1 - p) / (optionCount - 1)) ** (seats - right);
    sum += chance / counts.filter((count) => count === most).length;
  }
  return sum;
}

function brierTruth(cell: Cell): number {
  return plantedForecasts(planted(cell)).reduce((sum, { confidence, chance, right }) => {
    const p = confidence / 100;
    return sum + chance * (right * (1 - p) ** 2 + (1 - right) * p ** 2);
  }, 0);
}

/** The first answers of one study: new questions, and each one's runs. */
function drawn(cell: Cell, rng: Rng): AnsweredRun[] {
  const { questions, runs, seats, optionCount } = ANSWERS;
  const asked = Array.from({ length: questions }, () => ({ id: String(rng.next()), answer: rng.int(optionCount) }));
  const plant = { ...cell, answers: Object.fromEntries(asked.map(({ id, answer }) => [id, "ABCD"[answer]!])) };
  return asked.flatMap(({ id, answer }) =>
    Array.from({ length: runs }, () => {
      const first = Array.from({ length: seats }, () => plantedAnswer(plant, id, { optionCount, rng })!);
      const shares = first.map((one) => plantedShares(one, optionCount).map((hundredths) => hundredths / 100));
      return { question: id, answer, agents: [shares], confidence: [first.map(({ confidence }) => confidence)] };
    })
  );
}

/** Estimate, low and high of each measure in one study; empty where there is no interval. */
export type StudySeen = readonly (readonly number[])[];

/** Some studies of a cell. Each depends on the seed, the cell and its own number alone. */
export function answersIn(cell: number, from: number, to: number): StudySeen[] {
  const { skill, slope } = CELLS[cell]!, root = createRng(ANSWERS.seed).fork(`${skill}/${slope}`);
  return Array.from({ length: to - from }, (_, i) => {
    const rng = root.fork(from + i), runs = drawn(CELLS[cell]!, rng);
    return MEASURES.map(({ of }) => {
      // One resample: the interval reported needs none.
      const { estimate, low, high } = questionBootstrap(runs, of, { rng, resamples: 1 });
      return low === undefined ? [] : [estimate!, low, high!];
    });
  });
}

/** A row for each measure of a cell, from what was seen in some studies. */
export function answerRowsOf(cell: number, studies: readonly StudySeen[]): AnswerRow[] {
  const planted = CELLS[cell]!, digits = (value: number) => Number(value.toFixed(6));
  return MEASURES.map(({ name, truth: truthOf }, i) => {
    const truth = truthOf(planted), found = studies.map((one) => one[i]!).filter((one) => one.length > 0);
    const mean = average(found.map(([estimate]) => estimate!));
    return {
      ...{ ...planted, measure: name, truth: digits(truth), ensembles: studies.length, given: found.length },
      below: found.filter(([, , high]) => high! < truth).length,
      above: found.filter(([, low]) => low! > truth).length,
      bias: digits(mean - truth),
      scatter: digits(Math.sqrt(average(found.map(([estimate]) => (estimate! - mean) ** 2)))),
      width: digits(average(found.map(([, low, high]) => high! - low!))),
    };
  });
}

/** Studies of few questions, each in one run and so often right on average. */
export const FEW_WRONG = [[9, 10], [10, 12], [18, 20], [38, 40]] as const;

/** A row for each, over so many studies. */
export function fewWrongRows(ensembles = 5000): FewWrongRow[] {
  return FEW_WRONG.map(([right, questions]) => {
    const rng = createRng(ANSWERS.seed).fork(`${right}/${questions}`), truth = right / questions;
    const intervals = Array.from({ length: ensembles }, () => {
      const runs = Array.from({ length: questions }, (_, q) => ({
        ...{ question: `${q}`, answer: 0, agents: [[[1, 0]]], decision: Number(rng.next() >= truth) },
      }));
      return questionBootstrap(runs, (some) => accuracy(some).decision, { rng, resamples: 1 });
    }).filter(({ low }) => low !== undefined);
    return {
      ...{ right, questions, ensembles, given: intervals.length },
      below: intervals.filter(({ high }) => high! < truth).length,
      above: intervals.filter(({ low }) => low! > truth).length,
      width: Number(average(intervals.map(({ low, high }) => high! - low!)).toFixed(6)),
    };
  });
}

/** The code that decides what the table holds, besides what the study shares with all of the project. */
const CODE = [
  ...["../../../lib/stats/answers.ts", "../../../lib/stats/forecasts.ts", "../../../lib/stats/distributions.ts"],
  ...["../../../lib/model/surrogate/plant.ts", "../../../lib/core/rng.ts", "./answers.ts"],
];

/** A hash of that code without comments. */
export async function answersHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const path of CODE) {
    const source = await Deno.readTextFile(new URL(path, import.meta.url));
    hash.update(basename(path)).update(source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "").replace(/\s+/g, " "));
  }
  return hash.digest("hex").slice(0, 12);
}
