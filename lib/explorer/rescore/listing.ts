import { toCsv } from "../../core/csv.ts";
import { ownComponents } from "../../quality/components.ts";
import type { OwnComponents } from "../../schema/quality_names.ts";
import type { Entry, ExplorerData } from "./data.ts";
import { classesOf, familyMeans, type RankChange, ranker, type Ranking, type Scorer, scorerOf } from "./ranking.ts";
import { isSame, nameOf, PUBLISHED_STATE, type SetName, SETS, type State } from "./state.ts";
import { rankWords } from "./texts.ts";

/** A run as it is listed and named in the address. */
export interface ListedRun {
  readonly id: string;
  readonly set: SetName;
  readonly entry: Entry;
  /** Stands below the label, such as "v2, synthetic". */
  readonly detail: string;
  /** Label and detail. */
  readonly name: string;
}

/** Runs that are ranked among themselves, under the state that was asked for last. */
export interface Listed {
  readonly title: string;
  readonly caption: string;
  readonly runs: readonly ListedRun[];
  readonly score: Scorer;
  readonly baseline: Ranking;
  readonly ranking: Ranking;
}

/** What the explorer ranks: the runs it was given, and the reader's. */
export interface Listing {
  /** Ranked set by set, or as one; a set without runs is left out. */
  show(state: State): Listed[];
  find(id: string): ListedRun | undefined;
  readonly count: (set: SetName) => number;
  /** The reader's runs, all of them. */
  give(entries: readonly Entry[]): void;
}

const TITLES: Readonly<Record<SetName, string>> = {
  published: "Published runs",
  own: "Own preserved runs",
  yours: "Your runs",
};

const CAPTIONS: Readonly<Record<SetName, string>> = {
  published: "A bar spans every q that what was printed allows; ranks are ranges. The lines are the thresholds.",
  own: "A diamond is an exact q. Ranked apart, among themselves.",
  yours: "From your files: a diamond is an exact q. Ranked apart, among themselves.",
};
const SYNTHETIC = "Made by mechanisms, no language model took part.";

export function openListing(data: ExplorerData): Listing {
  const sets: Record<SetName, ListedRun[]> = {
    published: listed("published", data.published),
    own: listed("own", data.own),
    yours: [],
  };
  let own: OwnComponents | undefined;
  const withOwn = (run: ListedRun): ListedRun => {
    const { numbers, components } = run.entry;
    const found = ownComponents({ ...numbers, components }, { components: own, name: run.name });
    return { ...run, entry: { ...run.entry, components: { ...components, ...found } } };
  };
  let made = new Map<string, Omit<Listed, "ranking"> & { rank: ReturnType<typeof ranker> }>();
  const group = (names: readonly SetName[]) => {
    const key = names.join();
    if (!made.has(key)) {
      const runs = names.flatMap((name) => sets[name].map(withOwn)), score = scorerOf(runs.map(({ entry }) => entry));
      const rank = ranker(score);
      const synthetic = runs.filter(({ entry }) => entry.synthetic).length;
      const note = synthetic === 0
        ? ""
        : synthetic === runs.length
        ? ` ${SYNTHETIC}`
        : ` Of the synthetic ones: ${SYNTHETIC}`;
      const one = names.length === 1;
      made.set(key, {
        title: one
          ? TITLES[names[0]!] + (synthetic === runs.length ? ", synthetic" : "")
          : "All runs shown, as one ranking",
        caption: (one ? CAPTIONS[names[0]!] : "Bars are printed runs, diamonds exact ones.") + note,
        ...{ runs, score, rank, baseline: rank(PUBLISHED_STATE.weights) },
      });
    }
    return made.get(key)!;
  };
  return {
    show({ sets: shown, together, weights, components }) {
      if (JSON.stringify(components) !== JSON.stringify(own)) [own, made] = [components, new Map()];
      const names = SETS.filter((name) => shown.includes(name) && sets[name].length > 0);
      const groups = together && names.length > 1 ? [names] : names.map((name) => [name]);
      return groups.map(group).map((found) => ({ ...found, ranking: found.rank(weights) }));
    },
    find(id) {
      const [set, place] = id.split("-");
      const run = sets[set as SetName][Number(place)];
      return run && withOwn(run);
    },
    count: (set) => sets[set].length,
    give(entries) {
      sets.yours = listed("yours", entries);
      made = new Map([...made].filter(([key]) => !key.includes("yours")));
    },
  };
}

function listed(set: SetName, entries: readonly Entry[]): ListedRun[] {
  return entries.map((entry, i) => {
    const detail = set === "published" ? "" : ` ${entry.source}${entry.synthetic ? ", synthetic" : ""}`;
    return { id: `${set}-${i}`, set, entry, detail, name: entry.label + detail };
  });
}

/** Means of every model or council of a ranking, with the mean of what was printed, where all of it was. */
export function familyRows({ runs, ranking }: Listed) {
  const families = familyMeans(runs.map(({ entry }) => entry), ranking.runs);
  return families.map((family) => {
    const printed = runs.filter(({ entry }) => entry.family === family.name).map(({ entry }) => entry.row?.q);
    const known = printed.filter((q) => q !== undefined);
    const published = known.reduce((sum, q) => sum + q, 0) / known.length;
    return { ...family, ...(known.length === printed.length && { published }) };
  });
}

/**
 * The runs as listed, best first, one line a run. Unknown is an empty cell; an upward change is positive. A text that a
 * spreadsheet would run as a formula gets an apostrophe in front.
 */
export function rankingCsv(all: readonly Listed[], { thresholds }: Pick<State, "thresholds">): string {
  return toCsv(all.flatMap(({ runs, ranking }) =>
    ranking.order.map((i) => {
      const { set, entry } = runs[i]!, { q, rank, change, missing } = ranking.runs[i]!;
      const [change_least, change_most] = changeRange(change);
      return {
        ...{ set, run: entry.label, source: entry.source, synthetic: entry.synthetic, q_low: q?.low, q_high: q?.high },
        ...{ rank_best: rank?.best, rank_worst: rank?.worst, rank_statement: rank && rankWords(rank, runs.length) },
        ...{ change: change?.kind, change_least, change_most },
        ...{ classes: classesOf(entry, q, thresholds).join(" or "), missing: missing.join(" ") },
      };
    })
  ));
}

function changeRange(change: RankChange | undefined): [number | undefined, number | undefined] {
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

/** What the reader's last move changed, in a few sentences to be read out. */
export function summaryText(state: State, all: readonly Listed[]): string {
  const name = nameOf(state.weights);
  const weights = name === undefined ? "Your own weights" : `Weights: ${name}`;
  return [`${weights}.`, ...all.map((listed) => rankSentence(listed, state))].join(" ");
}

function rankSentence(
  { title, runs: listed, ranking: { runs, order }, baseline }: Listed,
  { thresholds, weights }: State,
): string {
  const count = (kind: string) => runs.filter(({ change }) => change?.kind === kind).length;
  const moved: [number, string][] = [
    [count("up"), "up"],
    [count("down"), "down"],
    [count("undecided"), "undecided"],
    [runs.filter(({ q }) => q === undefined).length, "not computable"],
  ];
  const some = moved.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  const ranks = some.length === 0 ? "no rank changed" : `of ${runs.length} ranks ${some.join(", ")}`;
  const classOf = (i: number, ranking: Pick<Ranking, "runs">, at = thresholds) =>
    classesOf(listed[i]!.entry, ranking.runs[i]!.q, at).join();
  const classes = isSame(weights, PUBLISHED_STATE.weights) && thresholds === PUBLISHED_STATE.thresholds
    ? 0
    : runs.filter((_, i) => classOf(i, { runs }) !== classOf(i, baseline, PUBLISHED_STATE.thresholds)).length;
  const changed = classes === 0 ? "" : `, ${classes} with another class`;
  const first = order[0];
  const leader = first === undefined ? "" : `; first is ${listed[first]!.name}`;
  return `${title}: ${ranks}${changed}${leader}.`;
}
