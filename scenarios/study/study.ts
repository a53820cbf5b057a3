import { createRng, divergenceRows, share, slope, slopeRows } from "@/mod.ts";
import { exportFigure, plot, runShown } from "@/notebook/mod.ts";
import { divergenceCurves } from "@/plots/mod.ts";
import { answeredRuns } from "@/runs/mod.ts";
import { accuracy } from "@/stats/mod.ts";

const replicates = 20, seed = 1, fit = { from: 2, to: 8 }, budgetUsd = 5;

const folder = import.meta.dirname!, [council = "surrogate"] = Deno.args;
const wanted = { scenario: "MY-01", committee: `${folder}/committee.json` };
const out = `${folder}/runs/${council.replaceAll(/\W+/g, "-")}`;
const runs = await runShown(wanted, { folder, council, replicates, seed, fit, live: { budgetUsd }, out });

const [row] = slopeRows(runs, { seed, ...fit });
const { decision, majority } = accuracy(answeredRuns(runs));
const rows = divergenceRows(runs, { rng: createRng(seed), band: 0.95 });
const figure = plot({
  name: "drift",
  title: "How far runs of this committee drift apart",
  about: runs,
  caption: "D(t) with pointwise 95 % bands; shaded: the rounds of the fit",
  marks: divergenceCurves(rows, { fit }),
});
const [svg] = await exportFigure(figure, `${folder}/out`);
// deno-lint-ignore no-console
console.log(`λ̂ ${slope(row?.lambda)} nats per round, 95 % ${slope(row?.low)} to ${slope(row?.high)}
decisions right: ${share(decision)}, first votes right: ${share(majority)}
picture: ${svg}`);
