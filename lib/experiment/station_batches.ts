import type { StationSummary } from "../schema/station_summary.ts";
import type { Ruleset } from "../station/run_station.ts";
import { collectStation } from "./collect_station.ts";
import { stationCouncil } from "./station_councils.ts";
import type { StationBatches } from "./station_expectations.ts";

/**
 * The batches that the station notebooks compare, in memory: no model, each persona, and the dialect council under the
 * strict and the repaired interface. Surrogates only.
 *
 * @param options `onBatch` is told after each batch; there are personas + 3 of them.
 */
export async function stationBatches(
  seeds: readonly number[],
  { personas, dialect, onBatch }: {
    personas: readonly string[];
    dialect: string;
    onBatch?: () => void | Promise<void>;
  },
): Promise<StationBatches> {
  const none = new Map<string, string>();
  const batch = async (name: string, ruleset: Ruleset): Promise<StationSummary[]> => {
    const runs = await collectStation({ council: stationCouncil(name, none), ruleset, seeds });
    await onBatch?.();
    return runs.map(({ summary }) => summary);
  };
  const governed: Record<string, StationSummary[]> = {};
  for (const persona of personas) governed[persona] = await batch(persona, "v2");
  return {
    floor: await batch("none", "v2"),
    personas: governed,
    dialect: { v1: await batch(dialect, "v1"), v2: await batch(dialect, "v2") },
  };
}
