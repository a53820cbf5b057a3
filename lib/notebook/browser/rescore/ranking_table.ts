import type { Thresholds } from "../../../quality/classify.ts";
import { element, spoken } from "../element.ts";
import { reorder } from "../reorder.ts";
import type { Ranking } from "./ranking.ts";
import { runRow } from "./run_row.ts";

export interface RankingTableOptions {
  readonly set: "published" | "own";
  readonly title: string;
  /** What a mark means. */
  readonly caption: string;
  readonly runs: readonly { readonly label: string; readonly detail?: string | undefined }[];
}

export interface RankingTable {
  readonly element: HTMLElement;
  show(ranking: Ranking, thresholds: Thresholds): void;
}

/** Runs ranked among themselves, best first. Rows are moved, not made again. */
export function rankingTable({ set, title, caption, runs }: RankingTableOptions): RankingTable {
  const rows = runs.map(runRow);
  const body = element("div", { role: "rowgroup", class: "body" });
  const table = element(
    "div",
    { role: "table", "aria-label": title, "aria-rowcount": String(runs.length + 1) },
    element("div", { role: "rowgroup" }, headRow()),
    body,
  );
  const words = element("p", { class: "caption", style: "margin:0" }, element("strong", {}, `${title}. `), caption);
  const section = element("div", { class: `ranking ${set}` }, words, table);
  let order: readonly number[] = [];
  return {
    element: section,
    show(ranking, { strong, adequate }) {
      section.style.setProperty("--strong", `${strong * 100}%`);
      section.style.setProperty("--adequate", `${adequate * 100}%`);
      for (const [i, run] of ranking.runs.entries()) rows[i]!.show(run, ranking.runs.length);
      if (ranking.order.every((index, i) => index === order[i]) && order.length === ranking.order.length) return;
      order = ranking.order;
      reorder(body, order.map((index) => rows[index]!.element));
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
