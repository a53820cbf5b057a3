import assert from "node:assert/strict";
import {
  heldOutExpectations,
  isOrderlyFailure,
  panelExpectations,
  type StationBatches,
  type StationExpectation,
} from "@/paper/station_expectations.ts";
import type { StationSummary } from "@/schema/station_summary.ts";

const summary = (change: Partial<StationSummary> = {}): StationSummary => ({
  schema: "station-summary/1",
  run_id: "r",
  seed: 1,
  model: "m",
  ruleset: "v2",
  synthetic: true,
  stabilized: true,
  public_order: 0.5,
  info_integrity: 0.8,
  trust: 0.8,
  command_authority: 0.8,
  active_rumors: 2,
  scandal_load: 1,
  coalition_edges: 9,
  plan_executability: 0.9,
  time_to_first_pass: 3,
  passed_count: 2,
  raw_validity: 1,
  norm_dependency: 0,
  proposals: { filed: 2, raw_valid: 2, normalised_valid: 2, infeasible: 0 },
  model_actions: 0,
  fallback_actions: 36,
  fallback_reasons: {},
  degraded_rounds: [],
  manipulation_pressure: 0.3,
  turbulence: 1,
  q: 0.7,
  components: {},
  classification: "BENCHMARK_ADEQUATE",
  made: { library: "0", deno: "0" },
  ...change,
});

const runs = (count: number, change: Partial<StationSummary> = {}) =>
  Array.from({ length: count }, () => summary(change));

const FAILED = {
  stabilized: false,
  classification: "FAILED_NO_VALID_PLAN",
  public_order: 0.7,
  passed_count: 0,
  time_to_first_pass: null,
} as const;

const LIVE = { q: 0.85, manipulation_pressure: 0.1 } as const;
const floorOf = (change: Partial<StationSummary>): StationSummary[] => [
  ...runs(3, change),
  ...runs(3, { classification: "BENCHMARK_BRITTLE", ...change }),
];

/** Everything as expected; the split persona has one orderly failure. */
const BASE: StationBatches = {
  floor: floorOf({}),
  personas: { ...{ triage: runs(15, LIVE) }, split: [...runs(14, LIVE), ...runs(1, { ...LIVE, ...FAILED })] },
  dialect: { v1: runs(6, { stabilized: false }), v2: runs(6) },
};

const judgement = (all: readonly StationExpectation[], statement: RegExp): StationExpectation => {
  const found = all.filter((one) => statement.test(one.statement));
  assert.equal(found.length, 1, `${statement}: ${found.length} statements`);
  return found[0]!;
};

type Limit = [statement: RegExp, met: Partial<StationBatches>, unmet: Partial<StationBatches>];
const triage = (change: Partial<StationSummary>): Partial<StationBatches> => ({
  personas: { ...BASE.personas, triage: runs(15, { ...LIVE, ...change }) },
});
const floor = (change: Partial<StationSummary>): Partial<StationBatches> => ({ floor: floorOf(change) });
const failing = (count: number): Partial<StationBatches> => ({
  personas: { triage: [...runs(30 - count, LIVE), ...runs(count, { ...LIVE, ...FAILED })] },
});
const orderly = (change: Partial<StationSummary>): Partial<StationBatches> => ({
  personas: { triage: [...runs(29, LIVE), summary({ ...LIVE, ...FAILED, ...change })] },
});
const dialect = (v1: number, v2: number): Partial<StationBatches> => ({
  dialect: {
    v1: [...runs(v1), ...runs(6 - v1, { stabilized: false })],
    v2: [...runs(v2), ...runs(6 - v2, { stabilized: false })],
  },
});

const PANEL: Limit[] = [
  [/36 fallbacks/, {}, { floor: [...BASE.floor.slice(1), summary({ fallback_actions: 35 })] }],
  [/^no model: all six stabilise/, {}, { floor: [...BASE.floor.slice(1), summary({ stabilized: false })] }],
  [/mean q in 0\.68-0\.75/, floor({ q: 0.6801 }), floor({ q: 0.6799 })],
  [/mean q in 0\.68-0\.75/, floor({ q: 0.7499 }), floor({ q: 0.7501 })],
  [/Adequate and Brittle both/, {}, floor({ classification: "BENCHMARK_BRITTLE" })],
  [/Adequate and Brittle both/, {}, floor({ classification: "BENCHMARK_ADEQUATE" })],
  [/order margin in/, floor({ public_order: 0.4501 }), floor({ public_order: 0.4499 })],
  [/order margin in/, floor({ public_order: 0.5999 }), floor({ public_order: 0.6001 })],
  [
    /active rumours in/,
    { floor: [...runs(3, { active_rumors: 1 }), ...runs(3)] },
    { floor: [...runs(4, { active_rumors: 1 }), ...runs(2)] },
  ],
  [
    /active rumours in/,
    { floor: [...runs(3, { active_rumors: 3 }), ...runs(3, { active_rumors: 4 })] },
    { floor: [...runs(2, { active_rumors: 3 }), ...runs(4, { active_rumors: 4 })] },
  ],
  [/at least 28 of 30/, failing(2), failing(3)],
  [/^triage: mean q/, triage({ q: 0.7901 }), triage({ q: 0.7899 })],
  [/^triage: mean q/, triage({ q: 0.9299 }), triage({ q: 0.9301 })],
  [
    /^triage: mean q/,
    { ...triage({ q: 0.8 }), ...floor({ q: 0.7499 }) },
    { ...triage({ q: 0.8 }), ...floor({ q: 0.7501 }) },
  ],
  [/fails in good order/, orderly({ public_order: 0.6 }), orderly({ public_order: 0.5999 })],
  [/fails in good order/, {}, orderly({ classification: "FAILED_AFTER_VALID_PLAN" })],
  [/strict and hidden: none/, dialect(0, 6), dialect(1, 6)],
  [/shown and normalised: all/, dialect(0, 6), dialect(0, 5)],
  [/manipulation pressure/, floor({ manipulation_pressure: 0.2001 }), floor({ manipulation_pressure: 0.1999 })],
];

const HELD_OUT: Limit[] = [
  [
    /at least 95 % stabilise/,
    { floor: [...runs(19), ...runs(1, { stabilized: false })] },
    { floor: [...runs(18), ...runs(2, { stabilized: false })] },
  ],
  [/within 0\.05 of the panel's/, floor({ q: 0.7499 }), floor({ q: 0.7501 })],
  [/within 0\.05 of the panel's/, floor({ q: 0.6501 }), floor({ q: 0.6499 })],
  [/^triage: mean q at least 0\.05/, triage({ q: 0.7501 }), triage({ q: 0.7499 })],
  [/strict and hidden: none/, dialect(0, 6), dialect(1, 6)],
  [/shown and normalised: all/, dialect(0, 6), dialect(0, 5)],
  [/manipulation pressure/, floor({ manipulation_pressure: 0.2001 }), floor({ manipulation_pressure: 0.1999 })],
];

const SETS = [
  ["panelExpectations", panelExpectations, PANEL],
  ["heldOutExpectations", (batches: StationBatches) => heldOutExpectations(batches, runs(6)), HELD_OUT],
] as const;

for (const [name, judge, limits] of SETS) {
  Deno.test(`${name}() are all met by runs that are as expected`, () => {
    for (const { statement, met, measured } of judge(BASE)) assert.ok(met, `${statement}: ${measured}`);
  });

  for (const [statement, met, unmet] of limits) {
    Deno.test(`${name}(): ${statement} turns at its limit: ${JSON.stringify(brief(unmet))}`, () => {
      assert.equal(judgement(judge({ ...BASE, ...met }), statement).met, true);
      assert.equal(judgement(judge({ ...BASE, ...unmet }), statement).met, false);
    });
  }

  Deno.test(`${name}(): every statement has a limit tried here`, () => {
    for (const { statement } of judge({ ...BASE, personas: { triage: BASE.personas["triage"]! } })) {
      assert.ok(limits.some(([pattern]) => pattern.test(statement)), statement);
    }
  });
}

/** First values of what differs, to tell two tests of one statement apart. */
function brief({ floor, personas, dialect }: Partial<StationBatches>) {
  const some = (runs: readonly StationSummary[] | undefined) =>
    runs?.map(({ q, public_order }) => [q, public_order]).at(-1);
  return { floor: some(floor), triage: some(personas?.["triage"]), dialect: dialect && dialect.v2.length };
}

Deno.test("panelExpectations() print what was measured", () => {
  const all = panelExpectations({ ...BASE, ...failing(3) });
  assert.equal(judgement(all, /at least 28 of 30/).measured, "27 of 30");
  assert.equal(judgement(all, /fails in good order/).measured, "3");
  assert.equal(judgement(all, /mean q in 0\.68/).measured, "0.700");
  assert.equal(judgement(all, /order margin/).measured, "0.150");
  assert.equal(judgement(all, /manipulation/).measured, "3.0 times");
});

Deno.test("isOrderlyFailure() needs both: no plan ever passed, and order of 0.6 or more", () => {
  assert.equal(isOrderlyFailure(summary({ ...FAILED, public_order: 0.6 })), true);
  assert.equal(isOrderlyFailure(summary({ ...FAILED, public_order: 0.59 })), false);
  assert.equal(isOrderlyFailure(summary({ ...FAILED, classification: "FAILED_AFTER_VALID_PLAN" })), false);
  assert.equal(isOrderlyFailure(summary()), false);
});
