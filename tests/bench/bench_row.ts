import process from "node:process";

/** One measured figure of a benchmark. */
export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  /** What the figure should be, such as "≤ 1". */
  target?: string;
  /** Whether it is; absent without a target. */
  met?: boolean;
  note?: string;
}

/** A row with an upper limit. */
export function atMost(limit: number, row: BenchRow): BenchRow {
  return { ...row, target: `≤ ${limit}`, met: row.value <= limit };
}

/** A row with a lower limit. */
export function atLeast(limit: number, row: BenchRow): BenchRow {
  return { ...row, target: `≥ ${limit}`, met: row.value >= limit };
}

/** A row that can only have one value. */
export function exactly(wanted: number, row: BenchRow): BenchRow {
  return { ...row, target: `= ${wanted}`, met: row.value === wanted };
}

/** A row as a line of text. */
export function lineOf({ name, value, unit, target, met, note }: BenchRow): string {
  const judged = target === undefined ? "" : `  (target ${target}: ${met ? "met" : "NOT met"})`;
  const digits = Number.isInteger(value) ? value : Number(value.toPrecision(4));
  const number = Number.isFinite(value) ? `${digits} ${unit}` : "not measured";
  return `${name}: ${number}${judged}${note ? `  ${note}` : ""}`;
}

export async function secondsOf(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

/** The most memory that this process has held, in MB. */
export const peakMB = (): number => process.resourceUsage().maxRSS / 1000;
