/**
 * What results of the station must not be used for: section 9.5 of the station paper, in our own words. It stands in
 * every recap, report and bundle.
 */
export const NON_USE =
  "Nothing here may be used to choose a model for a real crisis or for governing, to hand out emergency resources " +
  "automatically, to justify putting AI in charge of public decisions, or to rank vendors where the purchase touches on " +
  "governance. Mosaic-9 is a stylised game that shows how a benchmark's own machinery shapes its results; it certifies " +
  "nobody's competence in a crisis.";
