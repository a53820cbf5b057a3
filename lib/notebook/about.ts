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
    if (typeof (item as AboutRow | undefined)?.synthetic !== "boolean") {
      throw new RangeError(
        `about: a record with ${
          Object.keys(item ?? {}).slice(0, 5).join(", ") || "no keys"
        } does not say whether it is synthetic; ` +
          'give the runs, rows made from them, or { synthetic: false, source: "Table S8" }',
      );
    }
    synthetic ||= item.synthetic as boolean;
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

interface Knob {
  /** What more than `MOST` values are. */
  readonly many: string;
  readonly say: (values: readonly string[]) => string;
  /** A figure of this value alone does not say so. */
  readonly usual?: string;
}

const MOST = 6;
const list = new Intl.ListFormat("en-GB");
const after = (word: string) => (values: readonly string[]) => `${word} ${list.format(values)}`;
const plural = (word: string, values: readonly string[]) => values.length > 1 ? `${word}s` : word;

/** The scenario's own text. */
const CANONICAL = "canonical";

/** In the order of the caption. */
const KNOBS: Readonly<Record<string, Knob>> = {
  scenario: { many: "scenarios", say: (values) => list.format(values) },
  variant: { many: "wordings", say: after("wording"), usual: CANONICAL },
  lineup: { many: "line-ups", say: (values) => `${list.format(values)} ${plural("line-up", values)}` },
  roles: { many: "", say: (values) => after("roles")(values.map((on) => on === "true" ? "on" : "off")) },
  ablate: {
    ...{ many: "ablations", usual: "" },
    say: (values) =>
      after("mandate taken from")(values.filter((role) => role !== "")) + (values.includes("") ? " or nobody" : ""),
  },
  temperature: { many: "temperatures", say: after("T =") },
  window: { many: "windows", say: after("k =") },
  agents: { many: "sizes", say: (values) => `${list.format(values)} agents`, usual: "5" },
  rounds: { many: "lengths", say: (values) => `${list.format(values)} rounds`, usual: "20" },
  normaliser: { many: "", say: () => "near misses read" },
  ruleset: { many: "rulesets", say: after("rules") },
  model: { many: "councils", say: after("council") },
  seed: { many: "seeds", say: (values) => after(plural("seed", values))(values) },
};

/** The knobs of an item by name; what it has not is left out. */
function knobsOf(item: AboutItem): Readonly<Record<string, unknown>> {
  if (!isRuns(item)) {
    const row = item as AboutRow;
    return Object.fromEntries(Object.keys(KNOBS).map((knob) => [knob, row[knob]]));
  }
  const { packet, lineup, roles, ablate, temperature, window, seats, rounds, normaliser } = item.condition;
  return {
    scenario: packet.id,
    variant: packet.variant ?? CANONICAL,
    ...{ lineup, roles, temperature, window, rounds, agents: seats.length, normaliser },
    ablate: roles ? ablate ?? "" : undefined,
    seed: item.seed ?? item.ledger?.declaration.seed,
  };
}

function knobWords(known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const words = Object.entries(KNOBS).flatMap(([knob, { many, say, usual }]) => {
    const values = [...known.get(knob) ?? []];
    if (values.length === 0 || (values.length === 1 && values[0] === usual)) return [];
    return [values.length > MOST ? `${values.length} ${many}` : say(values)];
  });
  return known.has("ruleset") ? ["Mosaic-9", ...words] : words;
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
