import type { Thresholds } from "../../quality/classify.ts";
import { element, setText, spoken, visibleFirst } from "../dom.ts";
import type { ExplorerData } from "./data.ts";
import type { ListedRuns } from "./exports.ts";
import { ownRanker, publishedRanker, type RankedRun, type Ranker, type Ranking, type Told } from "./ranking.ts";
import { type ExplorerState, PUBLISHED_STATE } from "./state.ts";
import { changeTexts, classesText, COMPONENT_LABELS, intervalText, rankText, rankWords } from "./texts.ts";

/** How a run is called; the detail stands below the label, such as "v2, synthetic". */
interface RunName {
  readonly label: string;
  readonly detail?: string | undefined;
}

/**
 * One place of the table. It is made once and told which run stands there: moving the rows themselves would have the
 * browser lay each moved one out anew, which takes longer than a frame with some hundred runs.
 */
interface Place {
  readonly element: HTMLElement;
  /** @param count how many runs are ranked with it. */
  show(name: RunName, run: RankedRun, count: number): void;
}

function place(): Place {
  const [label, detail] = [document.createTextNode(""), document.createTextNode("")];
  const [rank, rankNote, sign, changeNote, q, classes] = Array.from({ length: 6 }, () => document.createTextNode(""));
  const mark = element("div", { class: "mark" });
  const change = cell("change", element("span", { "aria-hidden": "true" }, sign!), spoken(changeNote!));
  const name = element("div", { role: "rowheader", class: "name" }, label, element("span", { class: "muted" }, detail));
  const cells = [cell("rank", rank!, spoken(rankNote!)), change, name, cell("track", mark), cell("q", q!)];
  const setMark = once((style) => void (mark.style.cssText = style));
  const setKind = once((name) => void (change.className = name));
  return {
    element: element("div", { role: "row", class: "row" }, ...cells, cell("class", classes!)),
    show(name, run, count) {
      setText(label, name.label);
      setText(detail, name.detail === undefined ? "" : ` ${name.detail}`);
      setText(rank!, run.rank === undefined ? "–" : rankText(run.rank));
      setText(rankNote!, run.rank === undefined ? " no rank" : `, ${rankWords(run.rank, count)}`);
      const texts = run.change === undefined ? { sign: "", words: "no rank to compare" } : changeTexts(run.change);
      setText(sign!, texts.sign);
      setText(changeNote!, texts.words);
      setKind(`change ${run.change?.kind ?? "same"}`);
      setMark(markStyle(run));
      setText(q!, run.q === undefined ? missingText(run) : intervalText(run.q));
      setText(classes!, classesText(run.classes));
    },
  };
}

const cell = (name: string, ...children: Node[]): HTMLElement =>
  element("div", { role: "cell", class: name }, ...children);

/** Remembers what was set last: asking the page costs more than the setting does. */
function once(set: (value: string) => void): (value: string) => void {
  let last: string | undefined;
  return (value) => {
    if (value === last) return;
    last = value;
    set(value);
  };
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** Where a mark stands in its track; a point has the width of its symbol. */
function markStyle({ q }: RankedRun): string {
  if (q === undefined) return "display:none";
  return q.low === q.high ? `left:${percent(q.low)}` : `left:${percent(q.low)};width:${percent(q.high - q.low)}`;
}

const missingText = ({ missing }: RankedRun): string =>
  missing.length === 0 ? "–" : `lacks ${missing.map((name) => COMPONENT_LABELS[name]).join(", ")}`;

interface RankingTableOptions {
  readonly set: "published" | "own";
  readonly title: string;
  /** What a mark means. */
  readonly caption: string;
  readonly runs: readonly RunName[];
}

interface RankingTable {
  readonly element: HTMLElement;
  show(ranking: Ranking, thresholds: Thresholds): void;
}

/** Runs ranked among themselves, best first. */
function rankingTable({ set, title, caption, runs }: RankingTableOptions): RankingTable {
  const places = runs.map(place);
  const body = element("div", { role: "rowgroup", class: "body" }, ...places.map(({ element }) => element));
  const table = element(
    "div",
    { role: "table", "aria-label": title, "aria-rowcount": String(runs.length + 1) },
    element("div", { role: "rowgroup" }, headRow()),
    body,
  );
  const words = element("p", { class: "caption", style: "margin:0" }, element("strong", {}, `${title}. `), caption);
  const section = element("div", { class: `ranking ${set}` }, words, table);
  const write = visibleFirst(places.map(({ element }) => element));
  return {
    element: section,
    show(ranking, { strong, adequate }) {
      section.style.setProperty("--strong", `${strong * 100}%`);
      section.style.setProperty("--adequate", `${adequate * 100}%`);
      for (const [i, index] of ranking.order.entries()) {
        write(i, () => places[i]!.show(runs[index]!, ranking.runs[index]!, ranking.runs.length));
      }
    },
  };
}

const TICKS = [0, 0.25, 0.5, 0.75, 1];

function headRow(): HTMLElement {
  const head = (name: string, ...children: (Node | string)[]) =>
    element("div", { role: "columnheader", class: name }, ...children);
  const ticks = TICKS.map((at) => element("span", { class: "tick", style: `left:${at * 100}%` }, String(at)));
  return element(
    "div",
    { role: "row", class: "row head" },
    head("rank", "Rank"),
    head("change", "Change", spoken(" against the published weights")),
    head("name", "Run"),
    element("div", { role: "columnheader", class: "track", "aria-label": "q drawn from 0 to 1" }, ...ticks),
    head("q", "q"),
    head("class", "Class"),
  );
}

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
