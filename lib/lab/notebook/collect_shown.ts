import { stationCouncil } from "../live/station_council.ts";
import { type CollectedStation, collectStation, type CollectStationOptions } from "../runs/collect_station.ts";
import type { StationSummary } from "../../schema/station_summary.ts";
import { progress } from "./progress.ts";

/** A batch of runs of the station: what `collectStation` takes, with the council by its name. */
export interface StationBatch extends Omit<CollectStationOptions, "council"> {
  /** A persona, `none`, or `live:MODEL` with a key. */
  readonly council: string;
  /** Temperature of a live council; programs have none. */
  readonly temperature?: number | undefined;
}

/** A batch and its runs. */
type Collected<B> = B & { readonly runs: readonly CollectedStation[]; readonly summaries: readonly StationSummary[] };

/**
 * Runs batches of the station one after the other, as `collectStation` does, and shows how far they have come.
 *
 * @param batches each may carry keys of your own besides, such as a label.
 * @returns the batches in their order, each with its `runs` and their `summaries`.
 * @throws {UserError} as `collectStation`, and on a council that does not exist.
 */
export async function collectShown<B extends StationBatch>(batches: readonly B[]): Promise<Collected<B>[]> {
  const bar = await progress("Batches", batches.length);
  const done: Collected<B>[] = [];
  for (const batch of batches) {
    const { council: name, ruleset, seeds, replicates, ownDice, out, temperature } = batch;
    const council = stationCouncil(name, Deno.env);
    const asked = temperature === undefined ? council : { ...council, temperature };
    const runs = await collectStation({ council: asked, ruleset, seeds, replicates, ownDice, out });
    done.push({ ...batch, runs, summaries: runs.map(({ summary }) => summary) });
    await bar.advance();
  }
  await bar.finish();
  return done;
}
