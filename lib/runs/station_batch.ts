import { setImmediate } from "node:timers/promises";
import { mapLimited } from "../core/map_limited.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import type { Ruleset } from "../station/run_station.ts";
import { readStationSummary } from "./read_station_run.ts";
import { runStationFolder, type StationFolderRun, stationRunId } from "./run_station_folder.ts";
import { MANIFEST, STATION_FILES } from "./station_files.ts";
import { fileHash, type ManifestRow, readManifest, writeManifest } from "./station_manifest.ts";

/** A council as the record calls it. */
export interface LabelledCouncil {
  readonly label: string;
  /** `"none"` leaves every slot to the clerk's fallback. */
  readonly chat: ChatModel | "none";
  readonly synthetic: boolean;
  readonly model?: string | undefined;
}

/** Every council runs on every seed. */
export interface StationBatchSpec {
  readonly seeds: readonly number[];
  readonly ruleset: Ruleset;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
}

export interface RunStationBatchOptions {
  /** Folder of the batch: one sub-folder a run, and `MANIFEST.tsv`. */
  readonly out: string;
  readonly councils: readonly LabelledCouncil[];
  /** Runs under way at once, 1 by default. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly rules?: Mosaic | undefined;
  /** Told after each run; `found` is the number of events that were there before. */
  readonly onRun?: ((run: { runId: string; found: number; done: number; total: number }) => void) | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Runs every council on every seed, each into a folder such as `triage_seed109`, and writes the manifest. What is there
 * is resumed or, where finished, kept. Where a run fails or the batch is aborted, the manifest still names every
 * run finished so far. A batch may be extended by calling again with other councils or seeds.
 *
 * @returns the runs, councils in the order given, seeds within them.
 * @throws {UserError} when two runs would have one name, and as `runStationFolder`.
 */
export async function runStationBatch(
  { seeds, ruleset, temperature, maxTokens }: StationBatchSpec,
  { out, councils, concurrency = 1, signal, rules, onRun, onNotice }: RunStationBatchOptions,
): Promise<StationFolderRun[]> {
  const planned = councils.flatMap((council) =>
    seeds.map((seed) => ({ council, seed, id: stationRunId(council.label, seed) }))
  );
  const twice = planned.find(({ id }, i) => planned.findIndex((other) => other.id === id) < i);
  if (twice) throw new UserError(`${twice.id} is planned twice: give each council a label of its own, each seed once`);
  const listed = await listedBefore(`${out}/${MANIFEST}`);
  const runs: (StationFolderRun | undefined)[] = planned.map(() => undefined);
  let done = 0;
  const runOne = async (
    { council: { label, chat, synthetic, model }, seed, id }: typeof planned[number],
    i: number,
  ) => {
    const run = await runStationFolder({
      ...{ seed, ruleset, label, synthetic, model, temperature, maxTokens, signal, rules, onNotice },
      council: chat,
      runId: id,
      folder: `${out}/${id}`,
    });
    runs[i] = run;
    onRun?.({ runId: id, found: run.found, done: ++done, total: planned.length });
    // A council that answers at once would keep the thread; without this pause no Ctrl-C would be heard.
    await setImmediate();
  };
  const failure = await mapLimited(planned, concurrency, runOne).then(() => undefined, (error: unknown) => ({ error }));
  const finished = runs.filter((run) => run !== undefined);
  if (finished.length > 0) {
    const rows = await Promise.all(finished.map(manifestRow));
    const names = new Set(planned.map(({ id }) => id));
    writeManifest(`${out}/${MANIFEST}`, [...listed.filter(({ run_id }) => !names.has(run_id)), ...rows]);
  }
  if (failure) throw failure.error;
  return finished;
}

/** A batch may be extended: runs of an earlier plan stay in the manifest. */
async function listedBefore(path: string): Promise<ManifestRow[]> {
  try {
    await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw new UserError(`${path}: cannot be read (${(error as Error).message})`, { cause: error });
  }
  return await readManifest(path);
}

async function manifestRow({ runId, folder, summary }: StationFolderRun): Promise<ManifestRow> {
  return rowOf(runId, summary, await fileHash(`${folder}/${STATION_FILES.events}`));
}

function rowOf(runId: string, summary: StationSummary, events_sha256: string): ManifestRow {
  const { model, seed, ruleset, synthetic, stabilized, q, classification, fallback_actions, model_actions } = summary;
  return {
    run_id: runId,
    council: model,
    ...{ seed, ruleset, synthetic, stabilized, q, classification, fallback_actions, model_actions, events_sha256 },
  };
}

/** A batch as its manifest and summaries tell it. */
export interface StationBatch {
  readonly root: string;
  readonly manifest: readonly ManifestRow[];
  /** In the order of the manifest. */
  readonly summaries: readonly StationSummary[];
}

/**
 * Reads a batch by its manifest and checks each run against it: the events file by its hash, the summary by its values.
 *
 * @throws {UserError} naming every run that is missing or was changed since.
 */
export async function readStationBatch(root: string): Promise<StationBatch> {
  const manifest = await readManifest(`${root}/${MANIFEST}`);
  const read = await Promise.all(manifest.map((row) => readListed(root, row)));
  const flaws = read.flatMap((one) => (typeof one === "string" ? [one] : []));
  if (flaws.length > 0) throw new UserError(flaws.join("\n"));
  return { root, manifest, summaries: read as StationSummary[] };
}

/** The summary of a run in the manifest, or what is wrong with it. */
async function readListed(root: string, row: ManifestRow): Promise<StationSummary | string> {
  const folder = `${root}/${row.run_id}`;
  try {
    const hash = await fileHash(`${folder}/${STATION_FILES.events}`);
    if (hash !== row.events_sha256) {
      return `${folder}/${STATION_FILES.events}: is not the file that ${MANIFEST} names (another SHA-256); restore it`;
    }
    const summary = await readStationSummary(`${folder}/${STATION_FILES.summary}`);
    const due = rowOf(summary.run_id, summary, hash);
    const field = (Object.keys(row) as (keyof ManifestRow)[]).find((key) => row[key] !== due[key]);
    return field
      ? `${folder}/${STATION_FILES.summary}: ${field} is not what ${MANIFEST} says; restore one of them`
      : summary;
  } catch (error) {
    return error instanceof UserError ? error.message : `${folder}: cannot be read (${(error as Error).message})`;
  }
}
