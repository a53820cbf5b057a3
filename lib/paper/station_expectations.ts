import { mean } from "simple-statistics";
import { collectStation, stationCouncil } from "../runs/collect_station.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import type { Ruleset } from "../station/run_station.ts";

/** Runs on one set of seeds, by what filled the council. */
export interface StationBatches {
  readonly floor: readonly StationSummary[];
  /** Of the five governing personas. */
  readonly personas: Readonly<Record<string, readonly StationSummary[]>>;
  /** One council in another JSON dialect, by ruleset. */
  readonly dialect: { readonly v1: readonly StationSummary[]; readonly v2: readonly StationSummary[] };
}

/** A statement made before the panel was run, and whether the panel met it. */
export interface StationExpectation {
  readonly statement: string;
  readonly measured: string;
  readonly met: boolean;
}

const q = (runs: readonly StationSummary[]): number => mean(runs.map((run) => run.q));
const stable = (runs: readonly StationSummary[]): number => runs.filter(({ stabilized }) => stabilized).length;
const between = (value: number, low: number, high: number): boolean => value >= low && value <= high;
const three = (value: number): string => value.toFixed(3);

/** An orderly failure: no plan ever passed, and public order is well above the threshold. */
export const isOrderlyFailure = ({ classification, public_order }: StationSummary): boolean =>
  classification === "FAILED_NO_VALID_PLAN" && public_order >= 0.6;

/** What the surrogates and the clerk were expected to show on the panel of six seeds, judged. */
export function panelExpectations({ floor, personas, dialect }: StationBatches): StationExpectation[] {
  const governed = Object.values(personas).flat();
  const margin = mean(floor.map(({ public_order }) => public_order - 0.35));
  const rumors = mean(floor.map(({ active_rumors }) => active_rumors));
  const classes = new Set(floor.map(({ classification }) => classification));
  const failures = governed.filter(isOrderlyFailure);
  return [
    judged(
      "no model: 36 fallbacks in every run",
      `${floor.map((run) => run.fallback_actions).join(", ")}`,
      floor.every((run) => run.fallback_actions === 36),
    ),
    judged("no model: all six stabilise", `${stable(floor)} of ${floor.length}`, stable(floor) === floor.length),
    judged("no model: mean q in 0.68-0.75", three(q(floor)), between(q(floor), 0.68, 0.75)),
    judged(
      "no model: Adequate and Brittle both occur",
      [...classes].join(", "),
      classes.has("BENCHMARK_ADEQUATE") && classes.has("BENCHMARK_BRITTLE"),
    ),
    judged("no model: mean order margin in 0.10-0.25", three(margin), between(margin, 0.1, 0.25)),
    judged("no model: mean active rumours in 1.5-3.5", rumors.toFixed(2), between(rumors, 1.5, 3.5)),
    judged(
      "personas: at least 28 of 30 stabilise",
      `${stable(governed)} of ${governed.length}`,
      stable(governed) >= 28,
    ),
    ...Object.entries(personas).map(([name, runs]) =>
      judged(
        `${name}: mean q in 0.79-0.93 and at least 0.05 above no model`,
        three(q(runs)),
        between(q(runs), 0.79, 0.93) && q(runs) - q(floor) >= 0.05,
      )
    ),
    judged("personas: some run fails in good order without a passed plan", `${failures.length}`, failures.length > 0),
    ...dialectExpectations(dialect),
    pressure(floor, governed),
  ];
}

/** The same on other seeds, in the weaker form in which it was expected there. */
export function heldOutExpectations(
  { floor, personas, dialect }: StationBatches,
  panelFloor: readonly StationSummary[],
): StationExpectation[] {
  const share = stable(floor) / floor.length;
  return [
    judged("no model: at least 95 % stabilise", three(share), share >= 0.95),
    judged("no model: mean q within 0.05 of the panel's", three(q(floor)), Math.abs(q(floor) - q(panelFloor)) <= 0.05),
    ...Object.entries(personas).map(([name, runs]) =>
      judged(
        `${name}: mean q at least 0.05 above no model`,
        `${three(q(runs))}, ${stable(runs)} of ${runs.length} stabilise`,
        q(runs) - q(floor) >= 0.05,
      )
    ),
    ...dialectExpectations(dialect),
    pressure(floor, Object.values(personas).flat()),
  ];
}

function dialectExpectations({ v1, v2 }: StationBatches["dialect"]): StationExpectation[] {
  return [
    judged(
      "dialect, strict and hidden: none stabilises",
      `${stable(v1)} of ${v1.length}`,
      stable(v1) === 0,
    ),
    judged(
      "dialect, shown and normalised: all stabilise",
      `${stable(v2)} of ${v2.length}`,
      stable(v2) === v2.length,
    ),
  ];
}

function pressure(floor: readonly StationSummary[], governed: readonly StationSummary[]): StationExpectation {
  const of = (runs: readonly StationSummary[]) => mean(runs.map((run) => run.manipulation_pressure));
  const ratio = of(floor) / of(governed);
  return judged(
    "manipulation pressure without a model at least twice that under the personas",
    `${ratio.toFixed(1)} times`,
    ratio >= 2,
  );
}

const judged = (statement: string, measured: string, met: boolean): StationExpectation => ({
  statement,
  measured,
  met,
});

/**
 * The batches that the station notebooks compare, in memory: no model, each persona, and the dialect council under the
 * strict and the repaired interface. Surrogates only.
 *
 * @param options `onBatch` is told after each batch; there are personas + 3 of them.
 */
export async function stationBatches(
  seeds: readonly number[],
  { personas, dialect, onBatch }: {
    personas: readonly string[];
    dialect: string;
    onBatch?: () => void | Promise<void>;
  },
): Promise<StationBatches> {
  const none = new Map<string, string>();
  const batch = async (name: string, ruleset: Ruleset): Promise<StationSummary[]> => {
    const runs = await collectStation({ council: stationCouncil(name, none), ruleset, seeds });
    await onBatch?.();
    return runs.map(({ summary }) => summary);
  };
  const governed: Record<string, StationSummary[]> = {};
  for (const persona of personas) governed[persona] = await batch(persona, "v2");
  return {
    floor: await batch("none", "v2"),
    personas: governed,
    dialect: { v1: await batch(dialect, "v1"), v2: await batch(dialect, "v2") },
  };
}
