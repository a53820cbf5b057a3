import { element, setText, spoken } from "../element.ts";
import type { RankedRun } from "./ranking.ts";
import { changeTexts, classesText, COMPONENT_LABELS, intervalText, rankText, rankWords } from "./texts.ts";

/** One run of the table; it is made once and changed in place. */
export interface RunRow {
  readonly element: HTMLElement;
  /** @param count how many runs are ranked with it. */
  show(run: RankedRun, count: number): void;
}

/** @param detail stands below the label, such as "v2, synthetic". */
export function runRow({ label, detail }: { label: string; detail?: string | undefined }): RunRow {
  const [rank, rankNote, sign, changeNote, q, classes] = Array.from({ length: 6 }, () => document.createTextNode(""));
  const mark = element("div", { class: "mark" });
  const change = cell("change", element("span", { "aria-hidden": "true" }, sign!), spoken(changeNote!));
  const name = element("div", { role: "rowheader", class: "name" }, label);
  if (detail !== undefined) name.append(" ", element("span", { class: "muted" }, detail));
  const cells = [cell("rank", rank!, spoken(rankNote!)), change, name, cell("track", mark), cell("q", q!)];
  const setMark = once((style) => void (mark.style.cssText = style));
  const setKind = once((name) => void (change.className = name));
  return {
    element: element("div", { role: "row", class: "row" }, ...cells, cell("class", classes!)),
    show(run, count) {
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
