import mosaic from "../../scenarios/mosaic-9.json" with { type: "json" };
import { Mosaic } from "../schema/mosaic.ts";

/** The rules on file, checked. Functions take others as a parameter, which is how the fit varies them. */
export const RULES: Mosaic = Mosaic.parse(mosaic);

/** A constant by name. A name that is not in the rules is a mistake in them or here, never zero. */
export function constant(table: Readonly<Record<string, number>>, name: string): number {
  const value = table[name];
  if (value === undefined) throw new RangeError(`scenarios/mosaic-9.json has no constant "${name}"`);
  return value;
}

/**
 * What results of the station must not be used for: section 9.5 of the station paper, in our own words. It stands in
 * every recap, report and bundle.
 */
export const NON_USE =
  "Nothing here may be used to choose a model for a real crisis or for governing, to hand out emergency resources " +
  "automatically, to justify putting AI in charge of public decisions, or to rank vendors where the purchase touches on " +
  "governance. Mosaic-9 is a stylised game that shows how a benchmark's own machinery shapes its results; it certifies " +
  "nobody's competence in a crisis.";
