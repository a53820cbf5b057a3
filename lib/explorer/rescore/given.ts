// @ts-types="@types/d3-dsv"
import { csvParseRows } from "d3-dsv";
import * as z from "zod";
import { UserError } from "../../core/user_error.ts";
import { inertText } from "../../core/text.ts";
import { checkPreserved } from "../../quality/preserved_summary.ts";
import type { OwnOptions, Weights } from "../../quality/weights.ts";
import { type ComponentName, COMPONENTS } from "../../schema/quality_names.ts";
import { OwnComponents, PreservedSummary, type WeightsFile } from "../../schema/station_summary.ts";
import { checked } from "../fragment.ts";
import { type Entry, summaryEntry } from "./data.ts";

/** What a file of the reader's held: runs, or weights with the components of the reader's own that it declares. */
export type Given = { readonly runs: readonly Entry[] } | OwnOptions & { readonly weights: Weights };

/** A page takes no more runs of the reader's. */
export const MOST_RUNS = 20_000;

/** Scores that other harnesses wrote were often rounded to three digits. */
const TOLERANCE = 0.001;

/**
 * Reads what was dropped or pasted; its text decides what it is, not its name: a `final_summary.json`, several in a list
 * or one a line, the `components.csv` that a run with `--csv` writes, or weights by component.
 *
 * @param place how many runs came before it, for those without a name.
 * @throws {UserError} saying what is wrong with it and what would do.
 */
export function readGiven(text: string, place: number): Given {
  const bare = text.replace(/^\ufeff/, "").trim();
  if (bare === "") throw new UserError("it is empty");
  const found = /^[[{]/.test(bare) ? fromJson(bare, place) : fromCsv(bare);
  if ("runs" in found && found.runs.length === 0) throw new UserError("it holds no run");
  return found;
}

function fromJson(text: string, place: number): Given {
  const values = jsonValues(text);
  const [first] = values;
  if (values.length === 1 && isWeights(first!.value)) {
    const { components, ...weights } = first!.value;
    return { weights, ...(components && checked(z.object({ components: OwnComponents }), { components })) };
  }
  if (place + values.length > MOST_RUNS) throw tooMany(place + values.length);
  return {
    runs: values.map(({ value, where }, i) => {
      if (typeof value !== "object" || value === null || !("components" in value || "stabilized" in value)) {
        throw new UserError(
          `${where}it is no final_summary.json (it has neither "components" nor "stabilized"); ${TAKEN}`,
        );
      }
      return named(where, () => {
        const summary = checked(PreservedSummary, value);
        checkPreserved(summary, { name: "it", tolerance: TOLERANCE });
        return summaryEntry(summary, place + i);
      });
    }),
  };
}

const TAKEN =
  "the page takes final_summary.json files, several in a list or one a line, components.csv, and weights by component";

const tooMany = (runs: number) =>
  new UserError(`with it there would be ${runs} runs of yours; the page takes ${MOST_RUNS}: score them with \`score\``);

interface Value {
  readonly value: unknown;
  /** Begins a message where there are several. */
  readonly where: string;
}

function jsonValues(text: string): Value[] {
  const several = (values: unknown[], what: string) =>
    values.map((value, i) => ({ value, where: `${what} ${i + 1}: ` }));
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? several(value, "entry") : [{ value, where: "" }];
  } catch (error) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length === 1) throw new UserError(`it cannot be read as JSON: ${(error as Error).message}`);
    return several(lines.map((line, i) => parseLine(line, i)), "line");
  }
}

function parseLine(line: string, i: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new UserError(`it is neither JSON nor JSON lines: line ${i + 1}: ${(error as Error).message}`);
  }
}

/** Also what is meant as weights and is none: `usedComponents` says why. */
function isWeights(value: unknown): value is WeightsFile {
  if (typeof value !== "object" || value === null || "stabilized" in value) return false;
  // Those of a summary are numbers, of weights they are declarations.
  const declared = "components" in value ? value.components : {};
  if (!(declared instanceof Object && Object.values(declared).every((one) => one instanceof Object))) return false;
  const names = [...COMPONENTS, ...Object.keys(declared)];
  return names.some((name) => name in value || name in declared);
}

/** Errors of the room of quality are the data's here, not the caller's. */
function named<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UserError || error instanceof RangeError)) throw error;
    throw new UserError(`${where}${error.message}`);
  }
}

/** A line of `components.csv`; what it does not know is an empty cell. */
const ComponentLine = z.object({
  run: z.string().default(""),
  model: z.string().default(""),
  seed: z.string().default(""),
  ruleset: z.string().default(""),
  synthetic: z.enum(["true", "false", ""]).default(""),
  ungoverned: z.string().default(""),
  component: z.enum(COMPONENTS),
  value: z.string().transform((text) => text === "" ? undefined : Number(text)).pipe(
    z.number().min(0).max(1).optional(),
  ),
});

function fromCsv(text: string): Given {
  // As rows: a parser of objects compiles code, which the policy of a page may forbid.
  const [columns = [], ...lines] = csvParseRows(text);
  if (!columns.includes("component") || !columns.includes("value")) {
    const what = columns.slice(0, 8).map((name) => inertText(name.slice(0, 40))).join(", ");
    throw new UserError(`its columns are of no table of components (${what}); ${TAKEN}`);
  }
  const rows = lines.map((line, i) => {
    const cells = Object.fromEntries(columns.map((name, k) => [name, line[k]]));
    return named(`line ${i + 2}: `, () => checked(ComponentLine, cells));
  });
  const groups = Map.groupBy(rows, ({ run, model, seed, ruleset }) => JSON.stringify([run, model, seed, ruleset]));
  if (groups.size > MOST_RUNS) throw tooMany(groups.size);
  return { runs: [...groups.values()].map(componentsEntry) };
}

function componentsEntry(lines: readonly z.output<typeof ComponentLine>[]): Entry {
  const { run, model, seed, ruleset, synthetic, ungoverned } = lines[0]!;
  const label = [model, seed].filter((part) => part !== "").join(" ") || run || "run without a name";
  const components: Partial<Record<ComponentName, number>> = {};
  for (const { component, value } of lines) {
    if (component in components) throw new UserError(`${label}: the component ${component} stands there twice`);
    if (value !== undefined) components[component] = value;
  }
  return {
    label: ungoverned === "" ? label : `${label} (${ungoverned})`,
    source: ruleset || "ruleset unknown",
    family: model || "model unknown",
    synthetic: synthetic === "true",
    components,
  };
}
