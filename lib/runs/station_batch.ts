import { setImmediate } from "node:timers/promises";
import { known } from "../core/known.ts";
import { unknownName } from "../core/nearest.ts";
import { UserError } from "../core/user_error.ts";
import { Unanswered } from "../model/chat_model.ts";
import type { StationExperiment } from "../schema/experiments.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { SeedCard } from "../schema/seed_card.ts";
import type { RoleModels } from "../schema/station_ids.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import { RULES } from "../station/rules.ts";
import { type Ruleset, type Sampling, switches } from "../station/run_station.ts";
import { rulesetName } from "../station/summary.ts";
import { weather } from "../station/weather.ts";
import { writeAtomically } from "./files.ts";
import { missing, readStationLog, readStationSummary } from "./read_station_run.ts";
import { RunLoop } from "./run_loop.ts";
import {
  runStationFolder,
  type StationFolderRun,
  type StationHeaderOptions,
  stationRunId,
} from "./run_station_folder.ts";
import { loadStationExperiments } from "./scenarios.ts";
import type { StationCouncil } from "./station_council.ts";
import { MANIFEST, STATION_FILES, type StationHeader } from "./station_files.ts";
import { fileHash, type ManifestRow, readManifest, writeManifest } from "./station_manifest.ts";

/** Every council under every ruleset on every seed, so often. */
export interface StationPlan extends Sampling {
  readonly seeds: readonly number[];
  readonly rulesets: readonly Ruleset[];
  /** Runs of a council on one seed, with dice of their own; 1 by default. Without a council there is nothing to repeat. */
  readonly replicates?: number | undefined;
}

/** One declared station experiment. Throws a UserError (exit code 2, naming the nearest) where there is none. */
export async function loadStationExperiment(name: string): Promise<StationExperiment> {
  const experiments = await loadStationExperiments();
  const experiment = Object.hasOwn(experiments, name) ? experiments[name] : undefined;
  if (experiment === undefined) throw unknownName("station experiment", name, Object.keys(experiments));
  return experiment;
}

/** A named set of seeds from the rules: the paper's panel, or the seeds held out. */
export function namedSeeds(name: "panel" | "heldOut"): number[] {
  const { panel, heldOut: [from, to] } = RULES.seeds;
  return name === "panel" ? [...panel] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** One run of a plan. */
export interface PlannedStation {
  readonly council: StationCouncil;
  readonly ruleset: Ruleset;
  readonly seed: number;
  readonly replicate: number;
  readonly runId: string;
  /** Folder of its batch. */
  readonly root: string;
}

/** A run that has not come to its end, and why. */
export interface OpenRun {
  readonly runId: string;
  /** Code of the failure that left it open, or stopped everything before it was begun. */
  readonly code: string;
  readonly message: string;
}

export interface RunStationBatchOptions {
  /**
   * Folder of the batch: one sub-folder a run, and `MANIFEST.tsv`; with several rulesets, one such folder each. A function
   * gives every council its own.
   */
  readonly out: string | ((council: StationCouncil) => string);
  readonly councils: readonly StationCouncil[];
  /** Runs under way at once, over councils, rulesets and seeds; by default the most that a council asks for. */
  readonly concurrency?: number | undefined;
  /** Aborted when no further call is to be begun. */
  readonly signal?: AbortSignal | undefined;
  /** Breaks off calls under way; by default `signal` does. */
  readonly callSignal?: AbortSignal | undefined;
  readonly rules?: Mosaic | undefined;
  /** As for `runStationFolder`. */
  readonly reopen?: boolean | undefined;
  /** Told after each run; `found` is the number of events that were there before. */
  readonly onRun?: ((run: { runId: string; found: number; done: number; total: number }) => void) | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Runs every council under every ruleset on every seed, each into a folder such as `triage_seed109`, and writes the
 * manifests. What is there is resumed or, where finished, kept; a batch may be extended by calling again with other
 * councils, seeds or replicates. Where the endpoint left runs without an answer they stay open, and the same call resumes
 * them. However it ends, a manifest names every run finished so far.
 *
 * @returns the runs, rulesets in the order given, then councils, seeds and replicates; and those that stay open.
 * @throws {UserError} when two runs would have one folder, when the endpoint refuses what it is asked for, and as
 * `runStationFolder`.
 */
export async function runStationBatch(
  plan: StationPlan,
  options: RunStationBatchOptions,
): Promise<{ runs: StationFolderRun[]; open: OpenRun[] }> {
  const { councils, signal, callSignal, rules, reopen, onRun, onNotice } = options;
  const planned = plannedStations(plan, options);
  const folderOf = ({ root, runId }: PlannedStation) => `${root}/${runId}`;
  const twice = planned.find((run, i) => planned.findIndex((other) => folderOf(other) === folderOf(run)) < i);
  if (twice) {
    throw new UserError(`${twice.runId} is planned twice: give each council a label of its own, each seed once`);
  }
  const { concurrency = Math.max(1, ...councils.map(({ concurrency }) => concurrency)) } = options;
  const loop = new RunLoop({ concurrency, signal, callSignal });
  const runs = new Map<PlannedStation, StationFolderRun>();
  const left = new Map<PlannedStation, Unanswered>();
  const listed = new Map<string, ManifestRow[]>();
  for (const { root } of planned) if (!listed.has(root)) listed.set(root, await listedBefore(`${root}/${MANIFEST}`));
  const runOne = async (one: PlannedStation): Promise<void> => {
    try {
      const run = await runStationFolder({
        ...stationOptions(plan, one),
        ...{ folder: folderOf(one), signal: loop.signal, callSignal: loop.callSignal, rules, reopen, onNotice },
      });
      runs.set(one, run);
      onRun?.({ runId: run.runId, found: run.found, done: runs.size, total: planned.length });
    } catch (error) {
      if (error instanceof Unanswered) left.set(one, error);
      throw error;
    }
    // A council that answers at once would keep the thread; without this pause no Ctrl-C would be heard.
    await setImmediate();
  };
  try {
    await loop.all(planned, runOne);
  } finally {
    for (const [root, before] of listed) {
      const own = planned.filter((one) => one.root === root);
      await listStations(root, before, {
        finished: own.flatMap((one) => runs.get(one) ?? []),
        open: own.filter((one) => left.has(one)).map(({ runId }) => runId),
      });
    }
  }
  const open = planned.filter((one) => !runs.has(one)).map((one) => {
    const { code, message } = (left.get(one) ?? loop.outage)!;
    return { runId: one.runId, code, message };
  });
  return { runs: planned.flatMap((one) => runs.get(one) ?? []), open };
}

/** How a planned run is run, whatever keeps it. */
export function stationOptions(plan: StationPlan, one: PlannedStation): StationHeaderOptions {
  const { council: { chat, live: _, concurrency: __, ...asked }, root: ___, ...key } = one;
  const { temperature, maxTokens, reasoningEffort, structured } = plan;
  return { ...key, ...asked, council: chat, ...known({ temperature, maxTokens, reasoningEffort, structured }) };
}

/** The folders of a plan's live runs, whether they are there or not. */
export const liveFolders = (
  plan: StationPlan,
  options: Pick<RunStationBatchOptions, "councils" | "out">,
): { readonly folder: string; readonly council: StationCouncil }[] =>
  plannedStations(plan, options).filter(({ council }) => council.live)
    .map(({ root, runId, council }) => ({ folder: `${root}/${runId}`, council }));

/** The runs of a plan, each with its folder's name and place. */
export function plannedStations(
  { seeds, rulesets, replicates = 1 }: StationPlan,
  { councils, out }: Pick<RunStationBatchOptions, "councils" | "out">,
): PlannedStation[] {
  return rulesets.flatMap((ruleset) =>
    councils.flatMap((council) => {
      const folder = typeof out === "string" ? out : out(council);
      const root = rulesets.length === 1 ? folder : `${folder}/${rulesetFolder(ruleset)}`;
      const times = council.chat === "none" ? 1 : replicates;
      return seeds.flatMap((seed) =>
        Array.from({ length: times }, (_, replicate) => {
          const runId = stationRunId(council.label, seed, replicate);
          return { council, ruleset, seed, replicate, runId, root };
        })
      );
    })
  );
}

/** A ruleset as part of a name: `v2`, `schema-shown-strict`. */
export const rulesetFolder = (ruleset: Ruleset): string => rulesetName(switches(ruleset)).replaceAll(/\W+/g, "-");

/** Says how many runs a plan still lacks, why, and what to do. */
export function incomplete(complete: number, open: readonly OpenRun[]): UserError {
  const causes = [...Map.groupBy(open, ({ code }) => code)].map(([code, runs]) =>
    `  ${code}: ${runs.length}, such as ${runs[0]!.runId}: ${runs[0]!.message}\n`
  );
  return new UserError(
    `${complete} of ${complete + open.length} runs are complete, ${open.length} stay open:\n${causes.join("")}` +
      "Nothing that was answered is lost. Once the endpoint answers again, the same command resumes them",
  );
}

/**
 * Writes a batch's manifest: what it listed before, without runs that are open again, and what was finished now; and the
 * card of every seed, so that its weather can be published without a run.
 */
export async function listStations(
  root: string,
  before: readonly ManifestRow[],
  { finished, open }: { finished: readonly StationFolderRun[]; open: readonly string[] },
): Promise<void> {
  const rows = await Promise.all(finished.map(manifestRow));
  const named = new Set([...open, ...rows.map(({ run_id }) => run_id)]);
  const all = [...before.filter(({ run_id }) => !named.has(run_id)), ...rows];
  if (all.length > 0) writeManifest(`${root}/${MANIFEST}`, all);
  for (const { events: [opening] } of finished) {
    if (opening?.kind !== "run.opened") continue;
    await writeAtomically(`${root}/${cardName(opening)}`, cardText(opening.card));
  }
}

/** The file of a seed's weather in a batch, and what stands in it. */
export const cardName = ({ seed }: { readonly seed: number }): string => `seed_cards/seed${seed}.json`;
export const cardText = (card: SeedCard): string => `${JSON.stringify(card, null, 2)}\n`;

/** A batch may be extended: runs of an earlier plan stay in the manifest. */
export const listedBefore = async (path: string): Promise<ManifestRow[]> =>
  await missing(path) ? [] : await readManifest(path);

async function manifestRow({ header, folder, summary }: StationFolderRun): Promise<ManifestRow> {
  return rowOf(summary, await fileHash(`${folder}/${STATION_FILES.events}`), header);
}

function rowOf(summary: StationSummary, events_sha256: string, { replicate = 0, asked }: StationHeader): ManifestRow {
  const { model, seed, ruleset, synthetic, stabilized, q, classification, fallback_actions, model_actions } = summary;
  return {
    run_id: summary.run_id,
    council: model,
    ...{ seed, ruleset, synthetic, stabilized, q, classification, fallback_actions, model_actions, events_sha256 },
    ...{ replicate, models: asked === undefined ? "none" : modelsText(asked.model) },
    ...(asked && { temperature: asked.temperature, max_tokens: asked.maxTokens }),
  };
}

const modelsText = (models: RoleModels): string =>
  typeof models === "string" ? models : Object.entries(models).map(([role, id]) => `${role}=${id}`).join(" ");

/** A batch as its manifest and summaries tell it. */
export interface StationBatch {
  readonly root: string;
  readonly manifest: readonly ManifestRow[];
  /** In the order of the manifest. */
  readonly summaries: readonly StationSummary[];
  /** The weather of each run, in the same order. */
  readonly cards: readonly SeedCard[];
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
  const runs = read.filter((one) => typeof one !== "string");
  return { root, manifest, summaries: runs.map(({ summary }) => summary), cards: runs.map(({ card }) => card) };
}

type Listed = { readonly summary: StationSummary; readonly card: SeedCard };

/** Summary and weather of a run in the manifest, or what is wrong with it. */
async function readListed(root: string, row: ManifestRow): Promise<Listed | string> {
  const folder = `${root}/${row.run_id}`;
  try {
    const events = `${folder}/${STATION_FILES.events}`;
    const hash = await fileHash(events);
    if (hash !== row.events_sha256) {
      return `${events}: is not the file that ${MANIFEST} names (another SHA-256); restore it`;
    }
    const summary = await readStationSummary(`${folder}/${STATION_FILES.summary}`);
    const { header, events: [opening] } = await readStationLog(events);
    const due = rowOf(summary, hash, header);
    const field = (Object.keys(row) as (keyof ManifestRow)[]).find((key) => row[key] !== due[key]);
    return field
      ? `${folder}/${STATION_FILES.summary}: ${field} is not what ${MANIFEST} says; restore one of them`
      : { summary, card: opening?.kind === "run.opened" ? opening.card : weather(summary.seed) };
  } catch (error) {
    return error instanceof UserError ? error.message : `${folder}: cannot be read (${(error as Error).message})`;
  }
}
