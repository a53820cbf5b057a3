import { classify, PUBLISHED_THRESHOLDS } from "@/quality/classify.ts";
import { printedQ, type PublishedRow } from "@/quality/published_row.ts";
import { possibleQ, rescoreBounds } from "@/quality/rescore_bounds.ts";
import { NAMED_WEIGHTS, PUBLISHED_WEIGHTS } from "@/quality/weights.ts";
import { CLASSIFICATIONS, COMPONENTS } from "@/schema/quality_names.ts";
import { varianceComponents } from "@/stats/variance_components.ts";
import { furtherValues } from "@/lab/paper/published_rows.ts";
import { loadStationTables, STATION_TABLES, type StationTables } from "@/lab/paper/published_station.ts";
import { type Sources, sourcesOf } from "./database.ts";
import { recomputeTables } from "./quality_tables.ts";

/**
 * The tables of the station paper, each run with the class that follows from its values and the q that they allow, and beside
 * them:
 *
 * - `recomputed`: Tables 6 to 8 computed again, cell by cell
 * - `weighted`: the bounds of each live run's q under the published and the named weights
 * - `bounds`, `told_bounds`: those of each component, by the table alone and with what the text tells of two runs
 * - `variance`: of the families' (`council`) and the seeds' means
 * - `constants` of the published score
 *
 * @throws {UserError} on a malformed file, and on a cell that says `not published` where a number is needed.
 */
export async function loadStationSources(): Promise<Sources> {
  const { runs, floor, ...tables } = await loadStationTables(), live = runs.map(scored);
  const Table11 = STATION_TABLES.runs.file, Table8 = STATION_TABLES.floor.file, facts = STATION_TABLES.facts.file;
  const told = live.map((run) => ({ ...run, ...furtherValues(run.name, tables.facts) }));
  return {
    ...sourcesOf(STATION_TABLES, { ...tables, runs: live, floor: floor.map(scored) }),
    recomputed: {
      rows: recomputeTables({ runs, floor, ...tables }),
      files: [Table11, Table8, STATION_TABLES.models.file, STATION_TABLES.seeds.file, facts],
    },
    weighted: { rows: boundsOf(live, weightings), files: [Table11] },
    bounds: { rows: boundsOf(live, components), files: [Table11] },
    told_bounds: { rows: boundsOf(told, components), files: [Table11, facts] },
    variance: { rows: varianceOf(runs), files: [Table11] },
    constants: { rows: [CONSTANTS], files: [] },
  };
}

const CONSTANTS = {
  ...PUBLISHED_THRESHOLDS,
  time_weight: PUBLISHED_WEIGHTS.time_to_pass,
  classes: CLASSIFICATIONS.length,
};

const scored = <Run extends PublishedRow & { readonly model: string; readonly seed: number }>(run: Run) => {
  const { low: printed_low, high: printed_high } = printedQ(run);
  const { low: possible_low, high: possible_high } = possibleQ(run);
  const follows = classify(run as Parameters<typeof classify>[0]);
  return { ...run, name: `${run.model} ${run.seed}`, follows, printed_low, printed_high, possible_low, possible_high };
};

const components = COMPONENTS.map((component) => ({ label: component, weights: { [component]: 1 } }));
const weightings = [{ label: "as published", weights: PUBLISHED_WEIGHTS }, ...Object.values(NAMED_WEIGHTS)];

const boundsOf = (
  runs: readonly (PublishedRow & { readonly name: string; readonly model: string })[],
  weightings: readonly { readonly label: string; readonly weights: Parameters<typeof rescoreBounds>[1] }[],
) =>
  weightings.flatMap(({ label, weights }) =>
    runs.map((run) => ({ name: run.name, model: run.model, weights: label, ...rescoreBounds(run, weights) }))
  );

function varianceOf(runs: StationTables["runs"]) {
  const { F, reliability } = varianceComponents(runs.map(({ model, seed, q }) => ({ council: model, seed, value: q })));
  return [{ of: "council", ...F.council, reliability }, { of: "seed", ...F.seed, reliability: undefined }];
}
