import type { Thresholds } from "../../quality/classify.ts";
import { h, once, setText, spoken, visibleFirst } from "../dom.ts";
import type { Listed, ListedRun } from "./listing.ts";
import { classesOf, type RankedRun } from "./ranking.ts";
import { changeTexts, classesText, intervalText, missingText, rankText, rankWords } from "./texts.ts";

/** At most so many rows are listed; the other runs are ranked too, found by name and included in the download. */
const MOST_ROWS = 400;

interface TableOptions {
  /** Called with the id of the run that is pointed at, with undefined when the pointer leaves. */
  readonly onPoint: (id: string | undefined) => void;
  readonly onPick: (id: string) => void;
}

interface ShowOptions {
  readonly thresholds: Thresholds;
  /** Only runs whose names contain it are shown. */
  readonly find: string;
  /** Ids of the runs that are read. */
  readonly picked: readonly string[];
}

/** Tables of all rankings; a table is made anew only when other runs are ranked. */
export function rankingTables(options: TableOptions) {
  const place = h("div");
  let made: { runs: Listed["runs"]; table: ReturnType<typeof rankingTable> }[] = [];
  return {
    element: place,
    show(all: readonly Listed[], how: ShowOptions) {
      const next = all.map((listed) =>
        made.find(({ runs }) => runs === listed.runs) ?? { runs: listed.runs, table: rankingTable(listed, options) }
      );
      if (next.length !== made.length || next.some((one, i) => one !== made[i])) {
        place.replaceChildren(...next.map(({ table }) => table.element));
      }
      made = next;
      for (const [i, listed] of all.entries()) made[i]!.table.show(listed, how);
    },
  };
}

/** Runs ranked among themselves, best first, in as many places as there are runs. */
function rankingTable({ title, caption, runs }: Listed, { onPoint, onPick }: TableOptions) {
  const places = runs.slice(0, MOST_ROWS).map(() => rowPlace());
  const rows = places.map(({ element }) => element);
  const idAt = ({ target }: Event) => (target as Element).closest<HTMLElement>(".row")?.dataset.run;
  const [point, leave] = [(event: Event) => onPoint(idAt(event)), () => onPoint(undefined)];
  const click = (event: Event) => {
    const id = idAt(event);
    if (id !== undefined) onPick(id);
  };
  const listeners = { click, pointerover: point, focusin: point, pointerleave: leave, focusout: leave };
  const more = h("p.caption.muted", { hidden: true });
  const section = h(
    "div.ranking",
    h("p.caption", h("strong", `${title}. `), caption),
    h(
      "div",
      { role: "table", "aria-label": title, "aria-rowcount": String(runs.length + 1) },
      h("div", { role: "rowgroup" }, headRow()),
      h("div.body", { role: "rowgroup" }, listeners, ...rows),
    ),
    more,
  );
  const write = visibleFirst(rows);
  return {
    element: section,
    show({ runs, ranking }: Listed, { thresholds, find, picked }: ShowOptions) {
      section.style.setProperty("--strong", `${thresholds.strong * 100}%`);
      section.style.setProperty("--adequate", `${thresholds.adequate * 100}%`);
      const wanted = find.toLowerCase();
      const order = ranking.order.filter((i) => wanted === "" || runs[i]!.name.toLowerCase().includes(wanted));
      for (const [i, place] of places.entries()) {
        const index = order[i];
        place.element.hidden = index === undefined;
        if (index === undefined) continue;
        const run = runs[index]!, isPicked = picked.includes(run.id);
        place.element.dataset.run = run.id;
        write(i, () => place.show(run, ranking.runs[index]!, { thresholds, isPicked, count: ranking.runs.length }));
      }
      const hidden = order.length - places.length;
      more.hidden = hidden <= 0 && order.length > 0;
      const rest = `${hidden} more are ranked below: find them by name, or download them.`;
      setText(more, order.length === 0 ? `No run's name contains "${find}".` : rest);
    },
  };
}

/**
 * One place of the table, made once and filled with the run that stands there: moving the rows themselves would have
 * the browser lay each moved one out anew, which takes longer than a frame with some hundred runs.
 */
function rowPlace() {
  const text = () => document.createTextNode("");
  const [label, rank, rankNote] = [text(), text(), text()];
  const [sign, changeNote, q, classes] = [text(), text(), text(), text()];
  const [mark, detail] = [h("div.mark"), h("span.muted", text())];
  const pick = h("button.pick", { type: "button" }, h("bdi", label));
  const change = cell("change", h("span", { "aria-hidden": "true" }, sign), spoken(changeNote));
  const name = h("div.name", { role: "rowheader" }, pick, detail);
  const cells = [cell("rank", rank, spoken(rankNote)), change, name, cell("track", mark), cell("q", q)];
  const setMark = once((style) => void (mark.style.cssText = style));
  const setKind = once((kind) => void (change.className = `change ${kind}`));
  const setPressed = once((pressed) => pick.setAttribute("aria-pressed", pressed));
  return {
    element: h("div.row", { role: "row" }, ...cells, cell("class", classes)),
    show(
      run: ListedRun,
      found: RankedRun,
      { thresholds, isPicked, count }: { thresholds: Thresholds; isPicked: boolean; count: number },
    ) {
      const changed = found.change ? changeTexts(found.change) : { sign: "", words: "no rank to compare" };
      setText(label, run.entry.label);
      setText(detail.firstChild!, run.detail);
      setPressed(String(isPicked));
      setText(rank, found.rank ? rankText(found.rank) : "–");
      setText(rankNote, found.rank ? `, ${rankWords(found.rank, count)}` : " no rank");
      setText(sign, changed.sign);
      setText(changeNote, changed.words);
      setKind(found.change?.kind ?? "same");
      setMark(markStyle(found));
      setText(q, found.q ? intervalText(found.q) : missingText(found.missing));
      setText(classes, classesText(classesOf(run.entry, found.q, thresholds)));
    },
  };
}

const cell = (name: string, ...children: Node[]): HTMLElement => h("div", { role: "cell", class: name }, ...children);

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** Place and width of a mark in its track; a point has the width of its symbol. */
function markStyle({ q }: RankedRun): string {
  if (q === undefined) return "display:none";
  if (q.low < q.high) return `left:${percent(q.low)};width:${percent(q.high - q.low)}`;
  return `left:${percent(q.low)};width:.7em;margin-left:-.35em;background:var(--exact);transform:rotate(45deg)`;
}

function headRow(): HTMLElement {
  const head = (name: string, ...content: (Node | string | Record<string, string>)[]) =>
    h("div", { role: "columnheader", class: name }, ...content);
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((at) => h("span.tick", { style: `left:${at * 100}%` }, String(at)));
  return h(
    "div.row.head",
    { role: "row" },
    head("rank", "Rank"),
    head("change", "Change", spoken(" against the published weights")),
    head("name", "Run"),
    head("track", { "aria-label": "q drawn from 0 to 1" }, ...ticks),
    head("q", "q"),
    head("class", "Class"),
  );
}
