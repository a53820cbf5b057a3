import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { StationSummary } from "@/schema/station_summary.ts";
import { type ManifestRow, readManifest, readStationSummary } from "@/station/station_files.ts";

const SAID_OF_BOTH = ["seed", "ruleset", "synthetic", "stabilized", "q", "classification"] as const;

/** A batch's manifest and the summaries of the runs that it lists, in its order, after each row is held to its run. */
export async function listedStations(root: string): Promise<{ manifest: ManifestRow[]; summaries: StationSummary[] }> {
  const manifest = await readManifest(`${root}/MANIFEST.tsv`);
  const summaries = await Promise.all(manifest.map(async (row) => {
    const events = await Deno.readFile(`${root}/${row.run_id}/events.jsonl`);
    assert.equal(row.events_sha256, createHash("sha256").update(events).digest("hex"), row.run_id);
    const summary = await readStationSummary(`${root}/${row.run_id}/final_summary.json`);
    assert.deepEqual([row.run_id, row.council], [summary.run_id, summary.model]);
    for (const name of SAID_OF_BOTH) assert.equal(row[name], summary[name], `${row.run_id}: ${name}`);
    return summary;
  }));
  return { manifest, summaries };
}
