import type { ModelCall } from "../../schema/model_call.ts";
import type { StationEvent } from "../../schema/station_event.ts";
import type { StationSummary } from "../../schema/station_summary.ts";
import { summaryOfClosed } from "../read_station_folder.ts";
import { type BranchRuns, branchRuns, type ConditionRuns, conditionRuns, labelled } from "../run_experiment.ts";
import type { StationHeader } from "../station_files.ts";
import { Database } from "./database.ts";
import { storedLedgers, storedStations } from "./gather.ts";

/** A run of the station as a store has it. */
export interface StoredStation {
  readonly runId: string;
  readonly header: StationHeader;
  readonly events: readonly StationEvent[];
  readonly calls: readonly ModelCall[];
  readonly summary: StationSummary;
}

/**
 * A sweep as a store has it by now, finished or not: conditions as `runExperiment` gives them, ready for `meanRows`,
 * `divergenceRows` and the estimators; or, of an experiment of the station, its closed runs, ready for `stationRows`.
 * The store is only read: a replica will do, and so will a role that may only select.
 *
 * @param url `postgres://USER@HOST:PORT/DATABASE`; the password may stand in PGPASSWORD, or in `~/.pgpass`.
 * @throws {UserError} where the address is none, nobody answers there, or the store has no such sweep.
 *
 * @example
 * ```ts ignore
 * const conditions = await readStore("postgres://lab@127.0.0.1/lab", "two-routes");
 * const distances = divergenceRows(conditions, { rng: createRng(1) });
 * ```
 */
export async function readStore(url: string, name: `station-${string}`): Promise<StoredStation[]>;
export async function readStore(url: string, name: string): Promise<ConditionRuns[]>;
export async function readStore(url: string, name: string): Promise<ConditionRuns[] | StoredStation[]> {
  await using database = await Database.open(url, { reads: true });
  return name.startsWith("station-") ? await stationsOf(database, name) : await conditionsOf(database, name);
}

/** The conditions of a sweep, each with its continuations. */
export async function conditionsOf(database: Database, name: string): Promise<ConditionRuns[]> {
  const ledgers = await storedLedgers(database, name);
  const bases = labelled(ledgers.filter(({ declaration }) => declaration.base === undefined).map(conditionRuns));
  return bases.map((condition) => {
    const branches = ledgers.flatMap((ledger): BranchRuns[] => {
      const base = ledger.declaration.base?.[0];
      if (base?.kind !== "run.opened" || ledger.declaration.name !== condition.name) return [];
      return [branchRuns(ledger, { label: condition.label, base: base.replicate })];
    });
    return branches.length === 0 ? condition : { ...condition, branches };
  });
}

/** The closed runs of a sweep of the station. */
export async function stationsOf(database: Database, name: string): Promise<StoredStation[]> {
  return (await storedStations(database, name)).filter(({ events }) => events.at(-1)?.kind === "run.closed")
    .map((run) => ({ runId: run.header.run_id, ...run, summary: summaryOfClosed(run) }));
}
