import * as Plot from "@observablehq/plot";
import { slope } from "../core/numbers.ts";
import { conditionName } from "../deliberation/condition_name.ts";
import type { CommitteeData, ConditionEntry, RunEntry, TurnEntry } from "../explorer/committee/data.ts";
import { LEAST_ROUNDS, openingState, roundsOf } from "../explorer/committee/state.ts";
import type { Figure } from "../plots/figure.ts";
import { fitWindow } from "../plots/marks.ts";
import { COLOURS } from "../plots/palette.ts";
import { plotFigure } from "../plots/plot_figure.ts";
import type { RunAccounting } from "../runs/accounting.ts";
import type { CommitteeRun } from "../runs/collect_runs.ts";
import { conditionWords } from "../runs/label_conditions.ts";
import type { Condition } from "../schema/condition.ts";
import { OPTION_LETTERS } from "../schema/scenario.ts";
import { divergence } from "../stats/divergence.ts";
import { lyapunovSlope } from "../stats/lyapunov_slope.ts";
import type { Controls } from "./controls.ts";

/** A condition with its complete runs: what `collectRuns` and `runShown` give, with the condition beside. */
export interface ExploredCondition {
  readonly condition: Condition;
  readonly runs: readonly CommitteeRun[];
  readonly accounting: Pick<RunAccounting, "target">;
}

export interface CommitteeExplorerOptions {
  /** The first one is shown first. */
  readonly conditions: readonly ExploredCondition[];
  /** Runs to read through, with every word: each takes some 35 kB of the output. */
  readonly read?: readonly { readonly condition: Condition; readonly run: CommitteeRun }[] | undefined;
  /** Of the resampling; by default 1, as in `measureRuns`. */
  readonly seed?: number | undefined;
  /** By default 500. */
  readonly resamples?: number | undefined;
}

/** What `controls` shows, with the data that go into the page. */
export interface CommitteeExplorer extends Controls {
  readonly data: CommitteeData;
}

/**
 * The explorer of committees, for `controls`: how the replicates of a condition part under any window and number of
 * replicates, and a run to read round by round.
 *
 * Means are rounded to four decimals, which is what keeps the output small; where agents write two decimals, as the
 * protocol asks, five of them have a mean of three, and nothing is lost.
 *
 * @throws {RangeError} on a condition with fewer than two complete runs or three rounds, naming it.
 */
export function committeeExplorer(
  { conditions, read = [], seed = 1, resamples = 500 }: CommitteeExplorerOptions,
): CommitteeExplorer {
  if (conditions.length === 0) throw new RangeError("conditions is empty: the explorer needs one to show");
  const data: CommitteeData = {
    ...{ seed, resamples },
    conditions: conditions.map(conditionEntry),
    runs: read.map(({ condition, run }) => runEntry(condition, run)),
  };
  return { name: "committee-explorer", entry: ENTRY, data, still: committeeStill(data.conditions[0]!) };
}

const ENTRY = new URL("../explorer/committee/main.ts", import.meta.url);

function conditionEntry({ condition, runs, accounting: { target } }: ExploredCondition): ConditionEntry {
  const label = conditionWords(condition);
  const means = runs.map((run) => run.means.map((shares) => shares.map(fourDecimals)));
  const name = conditionName(condition);
  const entry = { label, name, target, means, synthetic: runs.some(({ state }) => state.synthetic) };
  if (means.length < 2) throw new RangeError(`${label}: ${means.length} complete runs, a distance needs at least 2`);
  if (roundsOf(entry) >= LEAST_ROUNDS) return entry;
  throw new RangeError(`${label}: ${roundsOf(entry)} rounds, a slope needs at least ${LEAST_ROUNDS}`);
}

const fourDecimals = (share: number): number => Math.round(share * 1e4) / 1e4;

function runEntry(condition: Condition, { replicate, decision, state }: CommitteeRun): RunEntry {
  return {
    label: `${conditionWords(condition)}, replicate ${replicate}`,
    synthetic: state.synthetic,
    options: condition.packet.options.map(({ label }, k) => `${OPTION_LETTERS[k]}: ${label}`),
    seats: condition.seats.map(({ label }) => label),
    ...(decision !== undefined && { decision }),
    turns: state.turns.map(turnEntry),
  };
}

function turnEntry({ round, seat, argument, repaired, state }: CommitteeRun["state"]["turns"][number]): TurnEntry {
  const { preferences, confidence, tags, writtenSum } = state;
  return {
    ...{ round, seat, argument, preferences, confidence, tags },
    ...(repaired && { repaired }),
    ...(writtenSum !== undefined && { writtenSum }),
  };
}

/** How the first condition's replicates part, as the explorer opens: the picture behind it. */
export function committeeStill(condition: ConditionEntry): Figure {
  const { from, to, replicates } = openingState(condition);
  const D = divergence(condition.means);
  const { lambda } = lyapunovSlope(D, { from, to });
  const rows = D.map((distance, i) => ({ round: i + 1, D: distance })).filter(({ D }) => D > 0);
  return plotFigure({
    name: "committee-explorer-still",
    context: `${condition.label}, ${replicates} runs, λ̂ ${slope(lambda)} over the shaded rounds`,
    synthetic: condition.synthetic,
    y: { type: "log", label: "D(t)", grid: true },
    marks: [fitWindow({ from, to }), Plot.lineY(rows, { x: "round", y: "D", stroke: COLOURS[0], marker: "circle" })],
  });
}
