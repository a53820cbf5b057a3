import { csvText } from "../../core/csv.ts";
import type { RankedRun, Ranking } from "./ranking.ts";
import { type FullWeights, rankedWeights } from "./state.ts";
import { rankWords } from "./texts.ts";

/** A set of runs as the table lists it. */
export interface ListedRuns {
  readonly set: "published" | "own";
  readonly entries: readonly { readonly label: string; readonly source: string; readonly synthetic?: boolean }[];
  readonly ranking: Ranking;
}

const HEADER = [
  ...["set", "run", "source", "synthetic", "q_low", "q_high", "rank_best", "rank_worst", "rank_statement"],
  ...["change", "change_least", "change_most", "classes", "missing"],
];

/**
 * The runs as listed, best first, one line a run. Unknown is an empty cell; an upward change is positive. A text that a
 * spreadsheet would run as a formula gets an apostrophe in front.
 */
export function rankingCsv(listed: readonly ListedRuns[]): string {
  const lines = listed.flatMap(({ set, entries, ranking: { runs, order } }) =>
    order.map((i) => {
      const { label, source, synthetic = false } = entries[i]!;
      return [set, label, source, synthetic, ...runCells(runs[i]!, runs.length)];
    })
  );
  return csvText([HEADER, ...lines]);
}

type Cell = string | number | undefined;

function runCells({ q, rank, change, classes, missing }: RankedRun, count: number): Cell[] {
  const [least, most] = changeRange(change);
  return [
    ...[q?.low, q?.high, rank?.best, rank?.worst, rank && rankWords(rank, count)],
    ...[change?.kind, least, most, classes.join(" or "), missing.join(" ")],
  ];
}

function changeRange(change: RankedRun["change"]): [number | undefined, number | undefined] {
  switch (change?.kind) {
    case undefined:
      return [undefined, undefined];
    case "same":
      return [0, 0];
    case "up":
      return [change.least, change.most];
    case "down":
      return [-change.most, -change.least];
    case "undecided":
      return [0 - change.down, change.up];
  }
}

/** The weights that the ranking used, which sum to 1, as a weights file; the weights as set when all are 0. */
export function weightsJson(weights: FullWeights): string {
  return `${JSON.stringify(rankedWeights(weights).unit ?? weights, null, 2)}\n`;
}
