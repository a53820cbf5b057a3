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

/** Stands where a class would, of a run whose models were asked and filled no slot: how it ended was the clerk's doing. */
export const UNGOVERNED = "UNGOVERNED";
/** What is said of such a run wherever runs are listed. */
export const UNGOVERNED_WORDS = "ungoverned: no slot was filled by the model";

/**
 * What results of the station must not be used for: section 9.5 of the station paper, in our own words. It stands in
 * every recap, report and bundle.
 */
export const NON_USE =
  "Nothing here may be used to choose a model for a real crisis or for governing, to hand out emergency resources " +
  "automatically, to justify putting AI in charge of public decisions, or to rank vendors where the purchase touches on " +
  "governance. Mosaic-9 is a stylised game that shows how a benchmark's own machinery shapes its results; it certifies " +
  "nobody's competence in a crisis.";
