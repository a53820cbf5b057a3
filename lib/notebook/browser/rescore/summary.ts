import type { Ranking } from "./ranking.ts";
import { type ExplorerState, nameOf, rankedWeights } from "./state.ts";

/** A ranking, with how it is called and how its runs stood under the published weights and thresholds. */
export interface Told {
  readonly title: string;
  readonly labels: readonly string[];
  readonly ranking: Ranking;
  readonly baseline: Ranking;
}

/** What the reader's last move changed, in a few sentences to be read out. */
export function summaryText(state: ExplorerState, told: readonly Told[]): string {
  const { sum, divided, unit } = rankedWeights(state.weights);
  if (unit === undefined) return "All weights are 0: nothing can be ranked.";
  const name = nameOf(state.weights);
  const weights = name === undefined ? "Your own weights" : `Weights: ${name}`;
  const normalised = divided ? `, divided by their sum ${sum.toFixed(2)}` : "";
  return [`${weights}${normalised}.`, ...told.map(rankSentence)].join(" ");
}

function rankSentence({ title, labels, ranking: { runs, order }, baseline }: Told): string {
  const count = (kind: string) => runs.filter(({ change }) => change?.kind === kind).length;
  const moved: [number, string][] = [
    [count("up"), "up"],
    [count("down"), "down"],
    [count("undecided"), "undecided"],
    [runs.filter(({ q }) => q === undefined).length, "not computable"],
  ];
  const some = moved.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  const ranks = some.length === 0 ? "no rank changed" : `of ${runs.length} ranks ${some.join(", ")}`;
  const classes = runs.filter((run, i) => run.classes.join() !== baseline.runs[i]!.classes.join()).length;
  const changed = classes === 0 ? "" : `, ${classes} with another class`;
  const first = order[0];
  const leader = first === undefined ? "" : `; first is ${labels[first]}`;
  return `${title}: ${ranks}${changed}${leader}.`;
}
