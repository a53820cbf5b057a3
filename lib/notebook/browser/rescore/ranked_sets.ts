import type { ExplorerData } from "./data.ts";
import type { ListedRuns } from "./exports.ts";
import { ownRanker, publishedRanker, type Ranker, type Ranking } from "./ranking.ts";
import { rankingTable } from "./ranking_table.ts";
import { type ExplorerState, PUBLISHED_STATE } from "./state.ts";
import type { Told } from "./summary.ts";

/** Runs ranked among themselves, with their table. */
export interface RankedSet extends ListedRuns, Told {
  readonly element: HTMLElement;
  show(state: ExplorerState): void;
}

const CAPTIONS = {
  published: "A bar spans every q that what was printed allows; ranks are ranges. The lines are the thresholds.",
  own: "A diamond is an exact q. Ranked apart, among themselves.",
  synthetic:
    "A diamond is an exact q. Made by mechanisms, no language model took part: ranked apart, among themselves.",
} as const;

/** The two sets of the explorer, published runs first; one without runs is left out. */
export function rankedSets({ published, own }: ExplorerData): RankedSet[] {
  const synthetic = own.some((entry) => entry.synthetic);
  const ownTexts = synthetic
    ? { title: "Own preserved runs, synthetic", caption: CAPTIONS.synthetic }
    : { title: "Own preserved runs", caption: CAPTIONS.own };
  return [
    rankedSet("published", {
      ...{ title: "Published runs", caption: CAPTIONS.published },
      ...{ entries: published, rank: publishedRanker(published) },
    }),
    rankedSet("own", { ...ownTexts, entries: own, rank: ownRanker(own) }),
  ].filter(({ entries }) => entries.length > 0);
}

interface SetOptions {
  readonly title: string;
  readonly caption: string;
  readonly entries: ListedRuns["entries"];
  readonly rank: Ranker;
}

function rankedSet(set: ListedRuns["set"], { title, caption, entries, rank }: SetOptions): RankedSet {
  const detailed = entries.map(({ label, source, synthetic }) => ({
    label,
    detail: set === "own" ? `${source}${synthetic ? ", synthetic" : ""}` : undefined,
  }));
  const table = rankingTable({ set, title, caption, runs: detailed });
  const baseline = rank(PUBLISHED_STATE);
  let ranking: Ranking = baseline;
  return {
    ...{
      set,
      title,
      entries,
      baseline,
      element: table.element,
      labels: detailed.map(({ label, detail }) => detail === undefined ? label : `${label} (${detail})`),
    },
    get ranking() {
      return ranking;
    },
    show(state) {
      ranking = rank(state);
      table.show(ranking, state.thresholds);
    },
  };
}
