import { escapeHtml } from "../../core/text.ts";
import { plot } from "../../notebook/plot.ts";
import { loadGroups } from "../../paper/groups.ts";
import { divergenceCurves } from "../../plots/marks.ts";
import { withoutTitle } from "../../plots/figure.ts";
import { divergence } from "../../stats/divergence.ts";
import { figureDrawings } from "./figures.ts";

/** Conditions of `data/groups/` that stand for ties and for leanings, and their names in the figure. */
const SHOWN: Readonly<Record<string, string>> = {
  "Llama-3-70B, ten letters": "Llama-3, ten names, a tie",
  "Claude, Q or M": "Claude, Q or M, a tie",
  "Llama-3-70B, X or Y": "Llama-3, X or Y, leans to X",
  "Llama-3-70B, Alice or Bob": "Llama-3, Alice or Bob, leans to Alice",
};
const ROUNDS = 20;
/** Smaller distances, runs that are all but equal, would stretch the axis. */
const LEAST = 0.002;

/** The figure of the landing page, made anew at each publication: distances between runs of real groups. */
export async function heroFigure(): Promise<string> {
  const all = await loadGroups({ set: "naming" });
  const groups = Object.keys(SHOWN).flatMap((name) => all.filter((group) => group.name === name));
  const rows = groups.flatMap(({ name, runs }) =>
    divergence(runs.map(({ means }) => means.slice(0, ROUNDS)))
      .map((D, i) => ({ condition: SHOWN[name], round: i + 1, D, low: D, high: D })).filter(({ D }) => D > LEAST)
  );
  const figure = plot({
    name: "real-groups",
    about: groups.map(({ about }) => about),
    title: "Groups of real models part in a tie, and agree where the model leans",
    width: 640,
    height: 330,
    fontSize: 13,
    x: { label: "round", ticks: [1, 5, 10, 15, 20], tickFormat: String },
    y: {
      type: "log",
      label: "distance between runs",
      grid: true,
      ticks: [0.003, 0.01, 0.03, 0.1, 0.3, 1],
      tickFormat: String,
    },
    marks: divergenceCurves(rows),
  });
  const svg = withoutTitle(figure.svg), narrow = figure.narrow && withoutTitle(figure.narrow);
  return `<figure data-figure="${figure.name}"><p data-title>${escapeHtml(figure.title ?? "")}</p>` +
    `${figureDrawings(svg, narrow)}<figcaption>${escapeHtml(figure.caption)}</figcaption></figure>`;
}
