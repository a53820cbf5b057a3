import type * as Plot from "@observablehq/plot";
import { type Drawn, flatMarks, recordLists } from "./plot_words.ts";

type Marks = Plot.PlotOptions["marks"];

/** Columns of the library's tidy rows with the axes that they get: D(t) is judged by its logarithm. */
const COLUMNS: Readonly<Record<string, Plot.ScaleOptions>> = {
  round: { label: "round" },
  D: { label: "D(t)", grid: true },
  lambda: { label: "λ̂, nats per round", grid: true },
  delta: { label: "Δλ̂, nats per round", grid: true },
  beta: { label: "β", grid: true },
};

/** The columns that marks read in some channels, by name; a bin keeps the name of its column as a label. */
const columnsOf = (marks: Marks, channels: RegExp): Set<string> =>
  new Set(
    flatMarks(marks).flatMap((mark) => Object.entries(mark.channels ?? {})).flatMap(([name, { value }]) => {
      const column = typeof value === "string" ? value : (value as { label?: unknown } | null | undefined)?.label;
      return channels.test(name) && typeof column === "string" ? [column] : [];
    }),
  );

/** The name of an axis, its grid and its scale, from the columns that are drawn along it. */
export function columnAxes({ marks, ...options }: Plot.PlotOptions): Plot.PlotOptions {
  const axes = (["x", "y"] as const).flatMap((name) => {
    const given = options[name],
      [column] = [...columnsOf(marks, new RegExp(`^${name}[12]?$`))].filter((one) => Object.hasOwn(COLUMNS, one));
    if (column === undefined || given === null || options.axis === null) return [];
    const divergence = column === "D" ? logUnlessZero(marks, given) : {};
    const whole = column === "round" ? wholeTicks(recordLists(marks).flat()) : {};
    return [[name, { ...COLUMNS[column], ...whole, ...divergence, ...given }]];
  });
  return { ...options, marks, ...Object.fromEntries(axes) };
}

/** A log axis, unless a distance in it is zero and no mark at its foot shows that; with none above zero, no numbers. */
function logUnlessZero(marks: Marks, given: Plot.ScaleOptions | undefined): Plot.ScaleOptions {
  const rows = recordLists(marks).flat().filter(({ D }) => D !== undefined);
  const zeros = new Set(flatMarks(marks).flatMap(({ atFoot, data }) => atFoot ? data as unknown[] : []));
  const isLinear = given?.type === "linear" || given?.zero ||
    rows.some((row) => !(Number(row.D) > 0 || zeros.has(row)));
  const isBare = zeros.size > 0 && rows.every((row) => zeros.has(row));
  return { ...(!isLinear && { type: "log" }), ...(isBare && { ticks: [], ...(isLinear && { domain: [0, 1] }) }) };
}

/** A number under each of a few rounds: between two there is nothing. */
function wholeTicks(rows: readonly Record<string, unknown>[]): Plot.ScaleOptions {
  const rounds = rows.flatMap(({ round }) => typeof round === "number" ? [round] : []);
  const from = Math.min(...rounds), steps = Math.max(...rounds) - from;
  return steps <= 10 ? { ticks: Array.from({ length: steps + 1 }, (_, i) => from + i), tickFormat: "d" } : {};
}

/** Named rows, columns, panels and symbols stand in the order of the data; axes of names need none of their own. */
export function namedAxes(options: Plot.PlotOptions, drawn: Drawn): Plot.PlotOptions {
  const axes = (["x", "y", "fx", "fy"] as const).flatMap((name) => {
    const scale = drawn.scale(name), domain = [...scale?.domain ?? []], given = options[name];
    if (!/band|point/.test(scale?.type ?? "") || !domain.every((value) => typeof value === "string")) return [];
    const isSorted = flatMarks(options.marks).some(({ sort }) => sort);
    return [[name, {
      label: null,
      ...(!isSorted && { domain: inOrder(domain, options.marks, new RegExp(`^${name}[12]?$`)) }),
      ...given,
    }]];
  });
  const symbol = drawn.scale("symbol"), order = symbol && inOrder([...symbol.domain!], options.marks);
  return Object.fromEntries([...axes, ...order ? [["symbol", { domain: order, ...options.symbol }]] : []]);
}

/** True where colours name what neither an axis, a panel nor a text names. */
export function needsLegend(marks: Marks, drawn: Drawn): boolean {
  const scale = drawn.scale("color"), named = columnsOf(marks, /^(x|y|fx|fy|text)[12]?$/);
  if (!/ordinal|categorical/.test(scale?.type ?? "") || [...scale?.domain ?? []].length < 2) return false;
  return [...columnsOf(marks, /^(fill|stroke)$/)].some((column) => !named.has(column));
}

/** The values in the order in which the data name them in some channels; those that no record holds come last. */
export function inOrder(values: readonly unknown[], marks: Marks, channels = /^(fill|stroke|symbol)$/): unknown[] {
  const wanted = new Set(values), columns = [...columnsOf(marks, channels)];
  const found = recordLists(marks).flat().flatMap((row) => columns.map((column) => row[column]));
  return [...new Set([...found.filter((value) => wanted.has(value)), ...values])];
}
