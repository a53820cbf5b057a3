import type { Thresholds } from "../../quality/classify.ts";
import { element, once, setText, spoken, visibleFirst } from "../dom.ts";
import type { Listed } from "./listing.ts";
import { classesOf, type RankedRun } from "./ranking.ts";
import { changeTexts, classesText, intervalText, missingText, rankText, rankWords } from "./texts.ts";

/** So many rows are listed; the others are ranked all the same, found by name and in the download. */
const MOST_ROWS = 400;

interface TableOptions {
  /** Called with the run's id where it is pointed at, with undefined where it no longer is. */
  readonly onPoint: (id: string | undefined) => void;
  readonly onPick: (id: string) => void;
}

export interface RankingTable {
  readonly element: HTMLElement;
  /** @param find shows runs alone whose names hold it; @param picked ids of those that are read. */
  show(listed: Listed, options: { thresholds: Thresholds; find: string; picked: readonly string[] }): void;
}

/** Runs ranked among themselves, best first, in as many places as there are runs. */
export function rankingTable({ title, caption, runs }: Listed, { onPoint, onPick }: TableOptions): RankingTable {
  const places = runs.slice(0, MOST_ROWS).map(() => place());
  const bodyOf = places.map(({ element }) => element);
  const body = element("div", { role: "rowgroup", class: "body" }, ...bodyOf);
  const idAt = ({ target }: Event) => (target as Element).closest<HTMLElement>(".row")?.dataset.run;
  body.addEventListener("click", (event) => {
    const id = idAt(event);
    if (id !== undefined) onPick(id);
  });
  for (const kind of ["pointerover", "focusin"]) body.addEventListener(kind, (event) => onPoint(idAt(event)));
  for (const kind of ["pointerleave", "focusout"]) body.addEventListener(kind, () => onPoint(undefined));
  const table = element(
    "div",
    { role: "table", "aria-label": title, "aria-rowcount": String(runs.length + 1) },
    element("div", { role: "rowgroup" }, headRow()),
    body,
  );
  const more = element("p", { class: "caption muted", hidden: true });
  const words = element("p", { class: "caption" }, element("strong", {}, `${title}. `), caption);
  const section = element("div", { class: "ranking" }, words, table, more);
  const write = visibleFirst(bodyOf);
  return {
    element: section,
    show({ runs, ranking }, { thresholds, find, picked }) {
      section.style.setProperty("--strong", `${thresholds.strong * 100}%`);
      section.style.setProperty("--adequate", `${thresholds.adequate * 100}%`);
      const wanted = find.toLowerCase();
      const order = wanted === ""
        ? ranking.order
        : ranking.order.filter((i) => runs[i]!.name.toLowerCase().includes(wanted));
      for (const [i, place] of places.entries()) {
        const index = order[i];
        place.element.hidden = index === undefined;
        if (index === undefined) continue;
        const run = runs[index]!;
        place.element.dataset.run = run.id;
        write(i, () => place.show(run, ranking.runs[index]!, { thresholds, picked, count: ranking.runs.length }));
      }
      const hidden = order.length - places.length;
      more.hidden = hidden <= 0 && order.length > 0;
      setText(
        more,
        order.length === 0
          ? `No run's name holds "${find}".`
          : `${hidden} more are ranked below: find them by name, or download them.`,
      );
    },
  };
}

/**
 * One place of the table. It is made once and told which run stands there: moving the rows themselves would have the
 * browser lay each moved one out anew, which takes longer than a frame with some hundred runs.
 */
function place() {
  const [label, detail] = [document.createTextNode(""), document.createTextNode("")];
  const [rank, rankNote, sign, changeNote, q, classes] = Array.from({ length: 6 }, () => document.createTextNode(""));
  const mark = element("div", { class: "mark" });
  const change = cell("change", element("span", { "aria-hidden": "true" }, sign!), spoken(changeNote!));
  const pick = element("button", { type: "button", class: "pick" }, element("bdi", {}, label));
  const name = element("div", { role: "rowheader", class: "name" }, pick, element("span", { class: "muted" }, detail));
  const cells = [cell("rank", rank!, spoken(rankNote!)), change, name, cell("track", mark), cell("q", q!)];
  const setMark = once((style) => void (mark.style.cssText = style));
  const setKind = once((name) => void (change.className = name));
  const setPressed = once((pressed) => pick.setAttribute("aria-pressed", pressed));
  return {
    element: element("div", { role: "row", class: "row" }, ...cells, cell("class", classes!)),
    show(
      run: Listed["runs"][number],
      found: RankedRun,
      { thresholds, picked, count }: { thresholds: Thresholds; picked: readonly string[]; count: number },
    ) {
      setText(label, run.entry.label);
      setText(detail, run.detail);
      setPressed(String(picked.includes(run.id)));
      setText(rank!, found.rank === undefined ? "–" : rankText(found.rank));
      setText(rankNote!, found.rank === undefined ? " no rank" : `, ${rankWords(found.rank, count)}`);
      const texts = found.change === undefined ? { sign: "", words: "no rank to compare" } : changeTexts(found.change);
      setText(sign!, texts.sign);
      setText(changeNote!, texts.words);
      setKind(`change ${found.change?.kind ?? "same"}`);
      setMark(markStyle(found));
      setText(q!, found.q === undefined ? missingText(found.missing) : intervalText(found.q));
      setText(classes!, classesText(classesOf(run.entry, found.q, thresholds)));
    },
  };
}

const cell = (name: string, ...children: Node[]): HTMLElement =>
  element("div", { role: "cell", class: name }, ...children);

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** Where a mark stands in its track; a point has the width of its symbol. */
function markStyle({ q }: RankedRun): string {
  if (q === undefined) return "display:none";
  if (q.low < q.high) return `left:${percent(q.low)};width:${percent(q.high - q.low)}`;
  return `left:${percent(q.low)};width:.7em;margin-left:-.35em;background:var(--exact);transform:rotate(45deg)`;
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
