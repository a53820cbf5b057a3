import { causeWords } from "../runs/accounting.ts";
import type { Condition } from "../schema/condition.ts";

/** Runs of a condition, as `runShown` gives them. */
interface AboutRuns {
  readonly condition: Condition;
  readonly accounting: {
    readonly target: number;
    readonly realised: number;
    readonly causes: Readonly<Record<string, number>>;
  };
  readonly synthetic: boolean;
  readonly ledger?: { readonly declaration: { readonly seed: number } };
  readonly seed?: number;
}

/** What was not run here: a published table, or data from elsewhere. */
interface AboutSource {
  readonly synthetic: boolean;
  /** Such as `Table S8`, or `measured by the group in Malvern`. */
  readonly source: string;
}

/** A record with the columns of a tidy row, of a station's summary or of one's own. */
type AboutRow = Readonly<Record<string, unknown>>;

type AboutItem = AboutRuns | AboutSource | AboutRow;

/** What a figure is drawn from. Lists may be nested: `[conditions, published]`. */
export type About = AboutItem | readonly About[];

/** What a caption says first, and whether the synthetic sentence follows. */
export interface Facts {
  readonly context: string;
  readonly synthetic: boolean;
}

/**
 * What was run, in words, from the runs or rows themselves.
 *
 * @throws {RangeError} where neither runs nor a `synthetic` key say whether language models took part.
 */
export function factsOf(about: About): Facts {
  const items = flatten(about);
  const known = new Map<string, Set<string>>();
  const sources = new Set<string>();
  let synthetic = false;
  for (const item of items) {
    if (!("synthetic" in item) || typeof item.synthetic !== "boolean") {
      throw new RangeError(
        `about: a record with ${
          Object.keys(item).slice(0, 5).join(", ") || "no keys"
        } does not say whether it is synthetic; ` +
          'give the runs, rows made from them, or { synthetic: false, source: "Table S8" }',
      );
    }
    synthetic ||= item.synthetic;
    const { source } = item as AboutRow;
    if (typeof source === "string") sources.add(item.synthetic ? source : `Published: ${source}`);
    for (const [knob, value] of Object.entries(knobsOf(item))) {
      if (value !== undefined) known.set(knob, (known.get(knob) ?? new Set()).add(String(value)));
    }
  }
  const runs = [...new Set(items)].filter(isRuns);
  const words = [...knobWords(known), ...(runs.length > 0 ? [runWords(runs)] : [])].join(", ");
  return { context: [words, ...sources].filter((part) => part !== "").join(". "), synthetic };
}

function flatten(about: About): AboutItem[] {
  return Array.isArray(about) ? about.flatMap(flatten) : [about as AboutItem];
}

const isRuns = (item: AboutItem): item is AboutRuns =>
  "accounting" in item && typeof (item as AboutRow).condition === "object";

const COLUMNS = [
  "scenario",
  "variant",
  "lineup",
  "roles",
  "ablate",
  "temperature",
  "window",
  "agents",
  "rounds",
] as const;
const STATION = ["ruleset", "model"] as const;

/** The scenario's own text; a figure that has no other wording does not say so. */
const CANONICAL = "canonical";

/** The knobs of an item by name; what it has not is left out. */
function knobsOf(item: AboutItem): Readonly<Record<string, unknown>> {
  if (!isRuns(item)) {
    const row = item as AboutRow;
    return Object.fromEntries([...COLUMNS, ...STATION, "seed"].map((key) => [key, row[key]]));
  }
  const { packet, lineup, roles, ablate, temperature, window, seats, rounds } = item.condition;
  return {
    scenario: packet.id,
    variant: packet.variant ?? CANONICAL,
    ...{ lineup, roles, temperature, window, rounds, agents: seats.length },
    ablate: roles ? ablate ?? "" : undefined,
    seed: item.seed ?? item.ledger?.declaration.seed,
  };
}

function knobWords(known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const values = (knob: string) => [...known.get(knob) ?? []];
  const words = (knob: string, many: string, say: (list: string) => string): string[] => {
    const all = values(knob);
    return all.length === 0 ? [] : [all.length > MOST ? `${all.length} ${many}` : say(list(all))];
  };
  const ablated = values("ablate").filter((role) => role !== "");
  const onOff = values("roles").map((on) => on === "true" ? "on" : "off");
  return [
    ...(known.has("ruleset") ? ["Mosaic-9"] : []),
    ...words("scenario", "scenarios", (list) => list),
    ...(isDefault(values("variant"), CANONICAL) ? [] : words("variant", "wordings", (list) => `wording ${list}`)),
    ...words("lineup", "line-ups", (list) => `${list} line-up${values("lineup").length > 1 ? "s" : ""}`),
    ...(onOff.length > 0 ? [`roles ${list(onOff)}`] : []),
    ...(ablated.length > 0
      ? [`mandate taken from ${list(ablated)}${values("ablate").includes("") ? " or nobody" : ""}`]
      : []),
    ...words("temperature", "temperatures", (list) => `T = ${list}`),
    ...words("window", "windows", (list) => `k = ${list}`),
    ...(isDefault(values("agents"), "5") ? [] : words("agents", "sizes", (list) => `${list} agents`)),
    ...(isDefault(values("rounds"), "20") ? [] : words("rounds", "lengths", (list) => `${list} rounds`)),
    ...words("ruleset", "rulesets", (list) => `rules ${list}`),
    ...words("model", "councils", (list) => `council ${list}`),
    ...words("seed", "seeds", (list) => `seed${values("seed").length > 1 ? "s" : ""} ${list}`),
  ];
}

const MOST = 6;

const isDefault = (values: readonly string[], value: string): boolean => values.length === 1 && values[0] === value;

function list(values: readonly string[]): string {
  return values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} and ${values.at(-1)}`;
}

/** How many runs there are, and what is missing, by cause. */
function runWords(runs: readonly AboutRuns[]): string {
  const each = runs.length > 1 ? " each" : "";
  const [targets, realised] = [
    runs.map(({ accounting }) => accounting.target),
    runs.map(({ accounting }) => accounting.realised),
  ];
  const range = (values: readonly number[]) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return low === high ? String(low) : `${low} to ${high}`;
  };
  const causes = new Map<string, number>();
  for (const [cause, count] of runs.flatMap(({ accounting }) => Object.entries(accounting.causes))) {
    causes.set(cause, (causes.get(cause) ?? 0) + count);
  }
  if (causes.size === 0) return `${range(realised)} ${range(realised) === "1" ? "run" : "runs"}${each}`;
  const missing = [...causes].map(([cause, count]) => `${count} ${causeWords(cause)}`).join(", ");
  return `${range(realised)} of ${range(targets)} runs${each} (missing: ${missing})`;
}
