import { mean, median, sampleStandardDeviation } from "simple-statistics";
import type { Classification } from "../schema/quality_names.ts";
import { roundedDeviation } from "../stats/rounded_deviation.ts";
import { factValue } from "./published_facts.ts";
import type { FloorRun, LiveRun, ModelRow, SeedRow, StationTables } from "./station_tables.ts";

/** How a printed cell stands to what its rows give. */
type CellVerdict = "as printed" | "within rounding" | "not compatible";

/** One cell of a table, printed and computed again. */
export interface RecomputedCell {
  readonly table: "Table 6" | "Table 7" | "Table 8";
  /** Model family, seed or `Mean`. */
  readonly row: string;
  readonly column: string;
  readonly printed: number | string;
  readonly recomputed: number | string;
  /** What the value may be when each printed input is off by half a digit; absent where nothing was rounded. */
  readonly low?: number;
  readonly high?: number;
  readonly verdict: CellVerdict;
}

/**
 * Tables 6 and 7 of the station paper computed again from the 30 runs of Table 11, and the means of Table 8 from its
 * rows, each cell beside the printed one.
 *
 * `as printed`: the value from the printed inputs rounds to the printed cell (halves upward). `within rounding`: it does
 * not, but inputs that round to the printed ones can give it, since every q may be off by 0.0005. `not compatible`: they
 * cannot, or a count differs.
 *
 * @throws {UserError} when a fact that holds a mean of Table 8 is missing.
 */
export function recomputeTables(published: Published): RecomputedCell[] {
  return [
    ...published.models.flatMap((row) => modelCells(row, published.runs)),
    ...published.seeds.flatMap((row) => seedCells(row, published.runs)),
    ...floorCells(published),
  ];
}

type Published = Pick<StationTables, "runs" | "floor" | "models" | "seeds" | "facts">;
type Place = Pick<RecomputedCell, "table" | "row">;

const MEAN_ROW: Place = { table: "Table 8", row: "Mean" };

/** Half of the last digit of a value with three decimals. */
const HALF = 0.0005;

const stabilized = (runs: readonly { stabilized: boolean }[]): number => runs.filter((run) => run.stabilized).length;
const adequate = (runs: readonly FloorRun[]): number =>
  runs.filter(({ classification }) => classification === "BENCHMARK_ADEQUATE").length;

/** Classes with the letters of Tables 6 and 11, as Table 6 writes them: `5S + 1F`. */
const LETTERS: readonly (readonly [Classification, string])[] = [
  ["BENCHMARK_STRONG", "S"],
  ["BENCHMARK_ADEQUATE", "A"],
  ["FAILED_NO_VALID_PLAN", "F"],
];

function classesText(runs: readonly LiveRun[]): string {
  const counts = LETTERS.map(([name, letter]) => [runs.filter((run) => run.class === name).length, letter] as const);
  return counts.filter(([count]) => count > 0).map(([count, letter]) => `${count}${letter}`).join(" + ");
}

function modelCells(printed: ModelRow, runs: readonly LiveRun[]): RecomputedCell[] {
  const own = runs.filter(({ model }) => model === printed.model);
  const place = { table: "Table 6", row: printed.model } as const;
  const q = own.map(({ q }) => q);
  return [
    ...counted(place, { runs: own.length, stabilized: stabilized(own), classes: classesText(own) }, printed),
    meanCell({ ...place, column: "mean_q" }, q, printed.mean_q),
    judged({ ...place, column: "sd_q", printed: printed.sd_q }, sampleStandardDeviation(q), roundedDeviation(q, HALF)),
    judged({ ...place, column: "median_q", printed: printed.median_q }, median(q), around(median(q))),
  ];
}

function seedCells(printed: SeedRow, runs: readonly LiveRun[]): RecomputedCell[] {
  const own = runs.filter(({ seed }) => seed === printed.seed);
  const place = { table: "Table 7", row: String(printed.seed) } as const;
  return [
    ...counted(place, { models: own.length, stabilized: stabilized(own) }, printed),
    meanCell({ ...place, column: "mean_q" }, own.map(({ q }) => q), printed.mean_q),
  ];
}

function floorCells({ floor, facts }: Published): RecomputedCell[] {
  const [margins, printed] = [floor.map((run) => run.public_order_margin), (id: string) => factValue(facts, id)];
  const printedCounts = { stabilized: printed("fallback-stabilized"), adequate: printed("fallback-adequate") };
  return [
    ...counted(MEAN_ROW, { stabilized: stabilized(floor), adequate: adequate(floor) }, printedCounts),
    meanCell({ ...MEAN_ROW, column: "mean_q" }, floor.map(({ q }) => q), printed("fallback-mean-q")),
    meanCell({ ...MEAN_ROW, column: "public_order_margin" }, margins, printed("fallback-mean-public-order-margin")),
    rumorCell(floor, printed("fallback-mean-active-rumors")),
  ];
}

/** Cells that nothing rounds: they are the same or not. */
function counted<Column extends string>(
  place: Place,
  recomputed: Readonly<Record<Column, number | string>>,
  printed: Readonly<Record<NoInfer<Column>, number | string>>,
): RecomputedCell[] {
  return (Object.keys(recomputed) as Column[]).map((column) => ({
    ...{ ...place, column, printed: printed[column], recomputed: recomputed[column] },
    verdict: recomputed[column] === printed[column] ? "as printed" : "not compatible",
  }));
}

const around = (value: number) => ({ low: value - HALF, high: value + HALF });

function meanCell(
  { column, ...place }: Place & { column: string },
  values: readonly number[],
  printed: number,
): RecomputedCell {
  return judged({ ...place, column, printed }, mean([...values]), around(mean([...values])));
}

/** Rumours are counted, so their mean is as exact as its one printed decimal. */
function rumorCell(floor: readonly FloorRun[], printed: number): RecomputedCell {
  const recomputed = mean(floor.map((run) => run.active_rumors));
  const verdict = Math.round(tidy(recomputed * 10)) === Math.round(printed * 10) ? "as printed" : "not compatible";
  return { ...MEAN_ROW, column: "active_rumors", printed, recomputed, verdict };
}

function judged(
  cell: Place & { column: string; printed: number },
  recomputed: number,
  { low, high }: { low: number; high: number },
): RecomputedCell {
  return { ...cell, recomputed, low, high, verdict: judge(cell.printed, { recomputed, low, high }) };
}

function judge(
  printed: number,
  { recomputed, low, high }: { recomputed: number; low: number; high: number },
): CellVerdict {
  if (Math.round(tidy(recomputed * 1000)) === Math.round(printed * 1000)) return "as printed";
  // A printed cell stands for all values up to half a digit away from it.
  return tidy(low - HALF) <= printed && printed <= tidy(high + HALF) ? "within rounding" : "not compatible";
}

/** Sums of decimals carry binary dust, 891.4999999999999 for 891.5: twelve digits are kept. */
const tidy = (value: number): number => Number(value.toPrecision(12));
