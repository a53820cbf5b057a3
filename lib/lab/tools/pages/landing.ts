// @ts-types="@types/d3-array"
import { sort } from "d3-array";
import { escapeHtml } from "../../../core/text.ts";
import { PRESETS, toFragment } from "../../explorer/committee/state.ts";
import { FRAGMENT, PRESETS as WEIGHTS } from "../../explorer/rescore/state.ts";
import { findingHtml } from "./findings.ts";
import type { JudgedPlace } from "../../paper/places.ts";
import type { Finding } from "../../notebook/say.ts";
import { link, pageShell } from "./page_shell.ts";
import { CONTENT, groupOf } from "./site_content.ts";

/** A notebook or guide page as the landing page lists it. */
export interface Entry {
  /** Its path in the folder of notebooks, without ending. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Link from the landing page. */
  readonly href: string;
  readonly minutes: number;
}

/** A figure or table of a paper as the landing page lists it. */
export interface PlaceEntry extends JudgedPlace {
  readonly href: string;
  /** SVG, cut down to a tile. */
  readonly picture?: string | undefined;
}

export interface Landing {
  /** HTML of the figure beside the question. */
  readonly figure?: string | undefined;
  readonly entries: readonly Entry[];
  readonly findings?: readonly { readonly finding: Finding; readonly href: string }[];
  readonly places?: readonly PlaceEntry[];
  readonly guide?: readonly Pick<Entry, "title" | "description" | "href">[];
}

/** The landing page: a question, a figure, what was found, the papers figure by figure, the notebooks by question. */
export function indexPage({ figure = "", entries, findings = [], places = [], guide = [] }: Landing): string {
  const buttons = Object.entries(CONTENT.buttons).flatMap(([name, text]) =>
    entries.filter((entry) => entry.name === name).map(({ href }) => link(text, href))
  );
  return pageShell({
    title: "Chaos Lab",
    description: CONTENT.lede,
    links: [],
    headings: [],
    main: [
      `<section class="hero"><div><h1>${escapeHtml(CONTENT.question)}</h1><p class="lede">${
        escapeHtml(CONTENT.lede)
      }</p>`,
      `<p class="buttons">${buttons.join("")}</p></div>${figure}</section>`,
      section("findings", "What stands, and what does not", foundList(findings)),
      section("papers", "The papers, figure by figure", thumbnails(places)),
      section("notebooks", "Notebooks, by what you want to know", byQuestion(entries)),
      section("explorers", "Explorers: change something, and see", explorers(entries)),
      section("guide", "Guide", guideList(guide)),
    ].join("\n"),
    wide: true,
  });
}

const section = (id: string, heading: string, content: string): string =>
  content && `<section><h2 id="${id}">${escapeHtml(heading)}</h2>${content}</section>`;

const list = (look: string, items: readonly string[]): string =>
  items.length === 0 ? "" : `<ul class="${look}">${items.join("")}</ul>`;

/** Characters of numbers below a finding; its notebook has them all. */
const MOST = 130;

const foundList = (findings: NonNullable<Landing["findings"]>): string =>
  list(
    "columns",
    findings.map(({ finding, href }) => `<li class="found">${findingHtml(finding, { most: MOST, href })}</li>`),
  );

const PAPERS = { deliberation: "Paper 1", station: "Paper 2" } as const;
const MARKS = { supported: "✓", contradicted: "✗", "not-checkable": "?" } as const;
const LEGEND = "What the paper's own numbers say of the claims about each: ✓ they support it, ✗ they contradict it, " +
  "? they cannot decide.";

function thumbnails(places: readonly PlaceEntry[]): string {
  const items = places.map(({ paper, item, title, href, verdicts, picture = "" }) => {
    const counted = Object.entries(verdicts).filter(([, count]) => count > 0) as [keyof typeof MARKS, number][];
    const words = counted.map(([verdict, count]) => `${count} ${verdict.replace("-", " ")}`).join(", ");
    const marks = counted.map(([verdict, count]) => `<i class="${verdict}">${count} ${MARKS[verdict]}</i>`).join(" ");
    const judged = words === "" ? "" : ` <span class="verdicts" role="img" aria-label="${words}">${marks}</span>`;
    return `<li><a href="${escapeHtml(href)}">${picture}<b>${PAPERS[paper]}, ${escapeHtml(item)}</b>` +
      `${escapeHtml(title)}${judged}</a></li>`;
  });
  return list("thumbnails", items) + (items.length === 0 ? "" : `<p class="small">${LEGEND}</p>`);
}

/** The groups of notebooks, each notebook in one: first those that the group names, in its order. */
function byQuestion(entries: readonly Entry[]): string {
  const groups = CONTENT.groups.map((group) => {
    const own = entries.filter(({ name }) => groupOf(name) === group);
    const place = ({ name }: Entry) => group.notebooks.includes(name) ? group.notebooks.indexOf(name) : Infinity;
    return { heading: group.heading, entries: sort(own, place) };
  }).filter((group) => group.entries.length > 0);
  const items = groups.map((group, i) => {
    const lines = group.entries.map(({ title, href, minutes }) =>
      `<li>${link(title.replace(/: .*/, ""), href)}<span>${
        EXPLORER.test(href) ? "try it" : `${minutes} min`
      }</span></li>`
    );
    return `<section style="order:${i}"><h3>${escapeHtml(group.heading)}</h3><ul>${lines.join("")}</ul></section>`;
  });
  if (items.length === 0) return "";
  // Groups below one another fill a column each; on a narrow page they stand in their order.
  const columns = [0, 1, 2].map((at) => `<div>${items.filter((_, i) => i % 3 === at).join("")}</div>`);
  const button = link("What needs no surrogate", "no_surrogate.html");
  return `<p class="buttons aside">${button}</p><div class="columns list">${columns.join("")}</div>`;
}

const EXPLORER = /_explorer\.html$/;

/** Links to the notebooks that work without installing anything, each opened on settings for a newcomer. */
function explorers(entries: readonly Entry[]): string {
  const committees = PRESETS.map(({ label, state }) => [label, toFragment(state)] as const);
  const weights = WEIGHTS.map(({ label, state }) => [label, FRAGMENT.write(state)] as const);
  const lines = entries.filter(({ href }) => EXPLORER.test(href)).map(({ name, title, href }) => {
    const opened = name.startsWith("deliberation/") ? committees : weights;
    const links = [[title, ""] as const, ...opened].map(([text, fragment]) => link(text, href + fragment));
    return `<li>${links.join(" · ")}</li>`;
  });
  return list("rows explorers", lines);
}

const guideList = (pages: NonNullable<Landing["guide"]>): string =>
  list(
    "columns list",
    pages.map(({ title, description, href }) => `<li title="${escapeHtml(description)}">${link(title, href)}</li>`),
  );
