import { known } from "../core/known.ts";
import { checkList, checkOptions } from "../core/options.ts";
import { ownComponents } from "../quality/components.ts";
import { isUngoverned } from "../quality/preserved_summary.ts";
import { contributions } from "../quality/quality_of_survival.ts";
import { type OwnOptions, PUBLISHED_WEIGHTS, type Weights } from "../quality/weights.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import { componentNames, type ComponentValues, UNGOVERNED_WORDS } from "../schema/quality_names.ts";
import type { StationEvent } from "../schema/station_event.ts";
import { applyEvent } from "../station/apply_event.ts";
import { RULES } from "../station/rules.ts";
import { initialState, pressure, type StationState } from "../station/state.ts";

/** What is known of a run by name; what is not known has no key. */
interface Identity {
  readonly run_id?: string | undefined;
  readonly model?: string | undefined;
  readonly seed?: number | undefined;
  readonly ruleset?: string | undefined;
  readonly synthetic?: boolean | undefined;
  readonly classification?: string | undefined;
  readonly model_actions?: number | undefined;
}

/** What every row says of its run. A key is absent where it is not known. */
export type RunColumns = {
  readonly run?: string;
  readonly model?: string;
  readonly seed?: number;
  readonly ruleset?: string;
  readonly synthetic?: boolean;
  /** Says so, in the rows of a run whose models filled no slot; set them apart from those of councils. */
  readonly ungoverned?: string;
};

const runColumns = ({ run_id: run, model, seed, ruleset, synthetic, ...outcome }: Identity): RunColumns => ({
  ...known({ run, model, seed, ruleset, synthetic }),
  ...(isUngoverned({ synthetic, ...outcome }) && { ungoverned: UNGOVERNED_WORDS }),
});

/** The station after one round, or before the first: levels in [0, 1] unless said. */
export type StationRow = RunColumns & {
  /** 0 is the start; the others are after the round's close and the moderator. */
  readonly round: number;
  readonly order: number;
  readonly trust: number;
  readonly information: number;
  readonly authority: number;
  /** Units available, 0 to 100. */
  readonly power: number;
  /** Manipulation pressure, ≥ 0. */
  readonly manipulation: number;
  /** Mean panic of the two factions. */
  readonly panic: number;
  /** Pressure of the open market offers together, ≥ 0. */
  readonly offers: number;
  /** How many are active. */
  readonly rumors: number;
  /** Their heat together. */
  readonly heat: number;
  /** Load of the scandals together. */
  readonly scandal: number;
  /** Ties of the coalition graph. */
  readonly coalition: number;
  /** Plans that have passed up to here. */
  readonly passed: number;
  /** Turns of this round that the clerk filled. */
  readonly fallbacks: number;
};

/**
 * Runs of the station as a long table, one row a round and one for the start. A run that was cut off has rows up to its
 * last whole round.
 *
 * @param runs what `collectStation`, `runStationFolder` and `readStationFolder` give; `summary` says whose run it is.
 *
 * @example
 * ```ts ignore
 * const runs = await collectStation({ council: stationCouncil("triage", Deno.env), ruleset: "v2", seeds: [101, 102] });
 * Plot.lineY(stationRows(runs), { x: "round", y: "order", stroke: "run" });
 * ```
 */
export function stationRows(
  runs: readonly { readonly events: readonly StationEvent[]; readonly summary?: Identity | undefined }[],
  rules: Mosaic = RULES,
): StationRow[] {
  checkList("runs", runs);
  return runs.flatMap(({ events, summary }) => roundsOf(events, runColumns(summary ?? openingOf(events)), rules));
}

/** Without a summary, the seed at least stands in the run's opening. */
function openingOf(events: readonly StationEvent[]): Identity {
  const opening = events[0];
  return opening?.kind === "run.opened" ? { seed: opening.seed } : {};
}

function roundsOf(events: readonly StationEvent[], columns: RunColumns, rules: Mosaic): StationRow[] {
  let state = initialState(rules);
  let [passed, fallbacks] = [0, 0];
  const rows = [rowOf(state, { columns, passed, fallbacks })];
  for (const event of events) {
    // The moderator acts after the close, so a round ends where the next one opens.
    const ended = event.kind === "run.closed" || (event.kind === "round.opened" && event.round > 1);
    if (ended) {
      rows.push(rowOf(state, { columns, passed, fallbacks }));
      fallbacks = 0;
    }
    if (event.kind === "gate.judged" && event.passed) passed++;
    if (event.kind === "action.taken" && event.origin.kind === "fallback") fallbacks++;
    state = applyEvent(state, event, rules);
  }
  return rows;
}

function rowOf(
  state: StationState,
  { columns, passed, fallbacks }: { columns: RunColumns; passed: number; fallbacks: number },
): StationRow {
  const { round, order, trust, info, authority, power, manipulation, rumors, edges } = state;
  const { heat, scandalLoad, panic, offers } = pressure(state);
  return {
    ...{ ...columns, round, order, trust, information: info, authority, power, manipulation, panic, offers },
    ...{ rumors: rumors.length, heat, scandal: scandalLoad, coalition: edges.length, passed, fallbacks },
  };
}

/** One component of one run's score. */
export type ComponentRow = RunColumns & {
  /** One of the nine, or one's own. */
  readonly component: string;
  /** In [0, 1]; absent where it is not known, which is not 0, and where the run is ungoverned. */
  readonly value?: number;
  /** 0 where the weights do not use the component. */
  readonly weight: number;
  /** Weight times value: what the component adds to q; absent where the value is not known. */
  readonly contribution?: number;
};

/**
 * Scores as a long table: nine rows a run, one a component, in the order of `COMPONENTS`; then one for each of
 * one's own.
 *
 * @param summaries with the components that were stored, such as `loadSummaries` gives them.
 * @param options `weights`: by default the published ones; `components`: of one's own, as in `rescore`.
 * @throws {UserError} on weights for a name that is no component.
 * @throws {RangeError} on a component of one's own as `rescore`, on a weight that is negative or not finite, or when none
 * is above 0.
 *
 * @example An unknown component is a row without a value
 * ```ts
 * import assert from "node:assert/strict";
 * const rows = componentRows([{ run_id: "a", components: { trust: 0.5 } }], { weights: { trust: 0.2, coalition: 0.8 } });
 * const named = (name: string) => rows.find(({ component }) => component === name);
 * assert.deepEqual(named("trust"), { run: "a", component: "trust", weight: 0.2, value: 0.5, contribution: 0.1 });
 * assert.deepEqual(named("coalition"), { run: "a", component: "coalition", weight: 0.8 });
 * ```
 */
export function componentRows(
  summaries: readonly (Identity & { readonly components: ComponentValues })[],
  options: OwnOptions & { readonly weights?: Weights | undefined } = {},
): ComponentRow[] {
  const { components: own, ...asked } = checkOptions("componentRows", options, "weights components");
  const weights: Weights = asked.weights ?? PUBLISHED_WEIGHTS;
  checkList("summaries", summaries);
  const names = componentNames(own);
  return summaries.flatMap((summary, i) => {
    const columns = runColumns(summary);
    const found = ownComponents(summary, { components: own, name: columns.run ?? `run ${i}` });
    const components: ComponentValues = columns.ungoverned === undefined ? { ...summary.components, ...found } : {};
    const parts = contributions(components, weights, names);
    return names.map((component): ComponentRow => {
      const [value, weight] = [components[component], weights[component] ?? 0];
      if (value === undefined) return { ...columns, component, weight };
      return { ...columns, component, weight, value, contribution: parts[component] ?? 0 };
    });
  });
}
