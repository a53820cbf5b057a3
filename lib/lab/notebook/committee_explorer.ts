import * as Plot from "@observablehq/plot";
import { slope } from "../../core/numbers.ts";
import { checkOptions } from "../../core/options.ts";
import { conditionName } from "../../deliberation/condition_name.ts";
import { measure, type PageRun, pageRun } from "../explorer/committee/serve.ts";
import {
  type Committee,
  type CommitteeData,
  conditionOf,
  labelOf,
  OPENING,
  PAPER_COMMITTEE,
  PRESETS,
} from "../explorer/committee/state.ts";
import type { Figure } from "../plots/figure.ts";
import { fitWindow } from "../plots/marks.ts";
import { loadCondition } from "../live/load_condition.ts";
import { plotFigure } from "../plots/plot_figure.ts";
import { listScenarios, loadLineups, loadScenario, loadSurrogateParameters } from "../live/scenarios.ts";
import type { ConditionSpec } from "../../schema/condition.ts";
import type { BootstrapSlope } from "../../stats/bootstrap_slope.ts";
import { divergence } from "../../stats/divergence.ts";
import type { Controls } from "./controls.ts";

export interface CommitteeExplorerOptions {
  /** Published λ̂, nats per round, with its condition and source; none by default. */
  readonly published?: readonly { readonly spec: ConditionSpec; readonly lambda: number; readonly source: string }[];
  /** Resamples of whole replicates, for intervals and laws; by default 500. */
  readonly resamples?: number | undefined;
}

/** The explorer for `controls`, with the data that go into the page. */
export interface CommitteeExplorer extends Controls {
  readonly data: CommitteeData;
  /**
   * Runs and measures a committee as the page does when it opens; missing fields take the paper's settings.
   */
  readonly measure: (committee: Partial<Committee>) => Promise<{ runs: readonly PageRun[]; slope: BootstrapSlope }>;
}

/**
 * The explorer of committees, for `controls`: a reader chooses, runs and compares committees of surrogates in the page.
 * It uses the library's own protocol and estimators, so a notebook gives the same numbers.
 *
 * @throws {UserError} when a scenario, the line-ups or the surrogate's parameters cannot be read.
 */
export async function committeeExplorer(options: CommitteeExplorerOptions = {}): Promise<CommitteeExplorer> {
  const { published = [], resamples = 500 } = checkOptions("committeeExplorer", options, "published resamples");
  const listed = await listScenarios();
  const data: CommitteeData = {
    ...{ resamples, presets: PRESETS },
    published: await Promise.all(published.map(async ({ spec, ...printed }) => {
      return { name: conditionName(await loadCondition(spec)), ...printed };
    })),
    packets: await Promise.all(listed.map(({ id }) => loadScenario(id))),
    prompts: (await loadCondition({ scenario: listed[0]!.id })).prompts,
    lineups: (await loadLineups()).lineups,
    parameters: await loadSurrogateParameters(),
  };
  const measured = async (committee: Partial<Committee>) => {
    const { seed, replicates, from, to } = OPENING;
    const condition = conditionOf(data, { ...PAPER_COMMITTEE, ...committee });
    const job = { condition, parameters: data.parameters, seed };
    const made = await Promise.all(Array.from({ length: replicates }, (_, replicate) => pageRun(job, replicate)));
    const runs = made.filter(({ flaw }) => flaw === undefined);
    const group = { name: conditionName(condition), means: runs.map(({ means }) => means) };
    const { slopes: [slope] } = measure([group], { seed, from, to, resamples });
    return { runs, slope: slope!.bootstrap };
  };
  const still = await committeeStill(data, measured);
  return { name: "committee-explorer", entry: ENTRY, data, measure: measured, still };
}

const ENTRY = new URL("../explorer/committee/main.ts", import.meta.url);

/** The distances between the first preset's replicates: the picture behind the explorer. */
async function committeeStill(data: CommitteeData, measure: CommitteeExplorer["measure"]): Promise<Figure> {
  const { committees, from, to } = data.presets[0]!.state;
  const shown = await Promise.all(committees.map(async (committee) => {
    const { runs, slope: { lambda } } = await measure(committee), label = labelOf(data, committee);
    const D = divergence(runs.map(({ means }) => means));
    return { label, D, words: `${label}, ${runs.length} runs, λ̂ ${slope(lambda)}` };
  }));
  const rows = shown.flatMap(({ label, D }) => D.map((distance, i) => ({ label, round: i + 1, D: distance })));
  return plotFigure({
    name: "committee-explorer-still",
    title: "How far runs of two committees drift apart",
    context: `${shown.map(({ words }) => words).join("; ")}, over the shaded rounds`,
    synthetic: true,
    y: { type: "log", label: "D(t)", grid: true },
    color: { legend: true },
    marks: [
      fitWindow({ from, to }),
      Plot.lineY(rows.filter(({ D }) => D > 0), { x: "round", y: "D", stroke: "label", marker: "circle" }),
    ],
  });
}
