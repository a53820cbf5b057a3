import fc from "fast-check";
import type { CompleteSummary } from "@/quality/quality_of_survival.ts";

/** A run that has everything: each component at 1, some of them beyond the end of their clamp. */
export const PERFECT: CompleteSummary = {
  stabilized: true,
  plan_executability: 1,
  public_order: 1,
  info_integrity: 0.9,
  trust: 0.85,
  time_to_first_pass: 1,
  passed_count: 3,
  active_rumors: 0,
  scandal_load: 0,
  coalition_edges: 8,
  raw_validity: 1,
  norm_dependency: 0,
};

const level = () => fc.double({ min: 0, max: 1, noNaN: true });

/** Runs with any raw values that a harness could report. */
export const anySummary: fc.Arbitrary<CompleteSummary> = fc.record({
  stabilized: fc.boolean(),
  plan_executability: level(),
  public_order: level(),
  info_integrity: level(),
  trust: level(),
  time_to_first_pass: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
  passed_count: fc.integer({ min: 0, max: 6 }),
  active_rumors: fc.integer({ min: 0, max: 12 }),
  scandal_load: fc.double({ min: 0, max: 12, noNaN: true }),
  coalition_edges: fc.integer({ min: 0, max: 15 }),
  raw_validity: level(),
  norm_dependency: level(),
});
