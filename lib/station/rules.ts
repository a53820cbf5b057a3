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

/** The default sampling of a council. The station paper gives no sampling parameters; these are ours. */
export const ASKED = { model: "council", temperature: 0.7, maxTokens: 900 } as const;
