import fc from "fast-check";
import { solve } from "yalps";
import type { Weights } from "@/quality/mod.ts";
import type { Interval, PublishedRow } from "@/quality/published_row.ts";

/** Table 4, written out again so that nothing here rests on the library. */
export const TABLE_4 = {
  executability: 0.22,
  public_order: 0.16,
  info_integrity: 0.12,
  trust: 0.10,
  time_to_pass: 0.12,
  passed_depth: 0.10,
  containment: 0.08,
  coalition: 0.06,
  schema_independence: 0.04,
} as const;
export type Name = keyof typeof TABLE_4;
export const NAMES = Object.keys(TABLE_4) as Name[];

const clamp = (value: number) => Math.max(0, Math.min(1, value));
/** Appendix A: margins above a floor, with full credit 0.45 above it. */
const order = (level: number) => clamp((level - 0.35) / 0.45);
const integrity = (level: number) => clamp((level - 0.40) / 0.45);
const trust = (level: number) => clamp((level - 0.35) / 0.45);
const pass = (round: number | null) => round === null ? 0 : (7 - round) / 6;
const depth = (passed: number) => Math.min(1, passed / 3);
const contained = (rumors: number, scandal: number) => clamp(1 - 0.55 * rumors / 8 - 0.45 * scandal / 6);

/** What each component may be, straight from Appendix A and the rounding to three decimals. */
export function rangesByHand(row: PublishedRow): Record<Name, Interval> {
  const printed = (level: number | undefined, component: (level: number) => number, least = 0): Interval =>
    level === undefined
      ? { low: least, high: 1 }
      : { low: component(Math.max(0, level - 0.0005)), high: component(Math.min(1, level + 0.0005)) };
  const exact = (value: number | undefined): Interval => ({ low: value ?? 0, high: value ?? 1 });
  const { time_to_first_pass: round, passed_count: passed, active_rumors: rumors } = row;
  return {
    executability: printed(row.plan_executability, (level) => level, row.stabilized ? 0.58 : 0),
    public_order: printed(row.public_order, order),
    info_integrity: printed(row.info_integrity, integrity),
    trust: printed(row.trust, trust),
    time_to_pass: exact(round === undefined ? undefined : pass(round)),
    passed_depth: exact(passed === undefined ? undefined : depth(passed)),
    containment: { low: contained(rumors, 6), high: contained(rumors, 0) },
    coalition: exact(undefined),
    schema_independence: exact(undefined),
  };
}

/** The bounds as a general solver of linear programmes finds them. */
export function boundsByProgramme(row: PublishedRow, weights: Weights): Interval {
  const at = (direction: "minimize" | "maximize") => {
    const ranges = rangesByHand(row);
    const { status, result } = solve({
      direction,
      objective: "q",
      constraints: {
        printed: { min: row.q - 0.0005, max: row.q + 0.0005 },
        ...Object.fromEntries(NAMES.map((name) => [name, { min: ranges[name].low, max: ranges[name].high }])),
      },
      variables: NAMES.map((name) => [name, { q: weights[name] ?? 0, printed: TABLE_4[name], [name]: 1 }]),
    }, { precision: 1e-12, checkCycles: true });
    if (status !== "optimal") throw new Error(`the solver found the programme ${status}`);
    return Math.min(1, result);
  };
  return { low: at("minimize"), high: at("maximize") };
}

/** A run as it was, and what a table printed of it. */
export interface PrintedRun {
  readonly truth: Readonly<Record<Name, number>>;
  readonly row: PublishedRow;
}

const level = () => fc.double({ min: 0, max: 1, noNaN: true });
const toThree = (value: number) => Math.round(value * 1000) / 1000;

const rawRun = fc.record({
  stabilized: fc.boolean(),
  executability: level(),
  order: level(),
  integrity: level(),
  trust: level(),
  round: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
  passed: fc.integer({ min: 1, max: 5 }),
  rumors: fc.integer({ min: 0, max: 15 }),
  scandal: fc.double({ min: 0, max: 6, noNaN: true }),
  coalition: level(),
  schema: level(),
});

/** Which of the values that may be left out a table prints. */
const choice = fc.record({
  round: fc.boolean(),
  passed: fc.boolean(),
  executability: fc.boolean(),
  integrity: fc.boolean(),
  trust: fc.boolean(),
});

/** Any run, printed to three decimals. */
export const printedRun: fc.Arbitrary<PrintedRun> = fc.tuple(rawRun, choice).map(([raw, printed]) => {
  const executability = raw.stabilized ? Math.max(0.58, raw.executability) : raw.executability;
  const passed = raw.round === null ? 0 : raw.passed;
  const truth: Record<Name, number> = {
    executability,
    public_order: order(raw.order),
    info_integrity: integrity(raw.integrity),
    trust: trust(raw.trust),
    time_to_pass: pass(raw.round),
    passed_depth: depth(passed),
    containment: contained(raw.rumors, raw.scandal),
    coalition: raw.coalition,
    schema_independence: raw.schema,
  };
  return {
    truth,
    row: {
      q: toThree(NAMES.reduce((sum, name) => sum + TABLE_4[name] * truth[name], 0)),
      public_order: toThree(raw.order),
      active_rumors: raw.rumors,
      stabilized: raw.stabilized,
      ...(printed.round && { time_to_first_pass: raw.round }),
      ...(printed.passed && { passed_count: passed }),
      ...(printed.executability && { plan_executability: toThree(executability) }),
      ...(printed.integrity && { info_integrity: toThree(raw.integrity) }),
      ...(printed.trust && { trust: toThree(raw.trust) }),
    },
  };
});

/** Weights of any sum: with zeros, on one component, and in the published proportions, where the order of filling ties. */
export const anyWeights: fc.Arbitrary<Readonly<Record<Name, number>>> = fc.oneof(
  fc.array(
    fc.oneof(fc.constant(0), fc.constantFrom(1, 2, -1), fc.double({ min: 1e-6, max: 2, noNaN: true })),
    { minLength: 9, maxLength: 9 },
  ).filter((multiples) => multiples.some((multiple) => multiple !== 0))
    // −1 stands for once the published weight: two of them have the same yield.
    .map((multiples) => multiples.map((multiple, i) => multiple < 0 ? TABLE_4[NAMES[i]!] : multiple)),
  fc.constantFrom(...NAMES).map((only) => NAMES.map((name) => name === only ? 1 : 0)),
).map((weights) => Object.fromEntries(NAMES.map((name, i) => [name, weights[i]!])) as Record<Name, number>);

export const scoreOf = (truth: Readonly<Record<Name, number>>, weights: Weights): number =>
  Math.min(1, NAMES.reduce((sum, name) => sum + (weights[name] ?? 0) * truth[name], 0));
