// Apart from the schemas, so that what runs in a browser does not carry the schema library.

/** The nine components of the quality-of-survival score, each in [0, 1] (Appendix A). */
export const COMPONENTS = [
  "executability",
  "public_order",
  "info_integrity",
  "trust",
  "time_to_pass",
  "passed_depth",
  "containment",
  "coalition",
  "schema_independence",
] as const;
export type ComponentName = typeof COMPONENTS[number];

/** The outcome classes, best first (Table 5). */
export const CLASSIFICATIONS = [
  "BENCHMARK_STRONG",
  "BENCHMARK_ADEQUATE",
  "BENCHMARK_BRITTLE",
  "FAILED_AFTER_VALID_PLAN",
  "FAILED_NO_VALID_PLAN",
] as const;
export type Classification = typeof CLASSIFICATIONS[number];
