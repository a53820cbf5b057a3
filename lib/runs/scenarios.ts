import { unknownName } from "../core/nearest.ts";
import { UserError } from "../core/user_error.ts";
import { type Experiment, Experiments, type StationExperiment } from "../schema/experiments.ts";
import { Lineups } from "../schema/lineups.ts";
import { PromptPack } from "../schema/prompt_pack.ts";
import { ScenarioPacket } from "../schema/scenario.ts";
import { SurrogateParameters } from "../schema/surrogate_parameters.ts";
import { fileName, folderUrl, listJson } from "./files.ts";
import { readJson } from "./read_json.ts";

/** The project's own scenarios, line-ups and prompts: `policy/`, `lineups.json` and `prompts/` stand in it. */
const SCENARIOS = new URL("../../scenarios/", import.meta.url);

const PACKET_FILE = /^([A-Z]{2}-\d{2})(?:__variant-([a-z][a-z-]*))?$/;

/** Where to look; by default the project's own `scenarios/`. */
export interface ScenarioFolder {
  readonly folder?: string | URL | undefined;
}

/** A scenario on file, with the names of its rewordings. */
export interface ScenarioListing {
  readonly id: string;
  readonly variants: readonly string[];
}

/**
 * The policy scenarios on file, by id.
 *
 * @throws {UserError} when the folder is missing, or holds a JSON file whose name is none of a packet.
 */
export async function listScenarios({ folder = SCENARIOS }: ScenarioFolder = {}): Promise<ScenarioListing[]> {
  const policy = new URL("policy/", folderUrl(folder));
  const listings = new Map<string, string[]>();
  for (const name of await listJson(policy)) {
    const [, id, variant] = PACKET_FILE.exec(name) ?? [];
    if (id === undefined) {
      const file = fileName(new URL(fileAs(name), policy));
      throw new UserError(`${file}: a packet's file must be named like HL-01.json or IM-01__variant-formal.json`);
    }
    listings.set(id, [...listings.get(id) ?? [], ...(variant === undefined ? [] : [variant])]);
  }
  return [...listings].map(([id, variants]) => ({ id, variants }));
}

/**
 * One policy scenario as the committee reads it.
 *
 * @param id such as "HL-01".
 * @param options `variant`: a rewording, such as "formal"; the canonical text by default.
 * @throws {UserError} when there is none of that name (`exitCode` 2, naming the nearest), or its file is malformed, or
 * the packet inside says it is another one.
 */
export async function loadScenario(
  id: string,
  { variant, folder = SCENARIOS }: { variant?: string | undefined } & ScenarioFolder = {},
): Promise<ScenarioPacket> {
  // Only names found in the folder become part of a path, so none can lead elsewhere.
  const listings = await listScenarios({ folder });
  const listing = listings.find((listing) => listing.id === id);
  if (listing === undefined) throw unknownName("scenario", id, listings.map(({ id }) => id));
  if (variant !== undefined && !listing.variants.includes(variant)) {
    throw unknownName(`variant of ${id}`, variant, listing.variants);
  }
  const named = ScenarioPacket
    .refine((packet) => packet.id === id, { path: ["id"], error: `must be ${id}, as the file is named` })
    .refine((packet) => packet.variant === variant, {
      path: ["variant"],
      error: variant === undefined
        ? "must be absent, as the file is named"
        : `must be ${variant}, as the file is named`,
    });
  const name = variant === undefined ? id : `${id}__variant-${variant}`;
  return await readJson(new URL(`policy/${fileAs(name)}`, folderUrl(folder)), named);
}

/**
 * Every text a committee is sent, joined to plain strings.
 *
 * @param id a file in `prompts/` without its ending.
 * @throws {UserError} when there is none of that name (`exitCode` 2) or it is malformed.
 */
export async function loadPromptPack(
  id = "standard",
  { folder = SCENARIOS }: ScenarioFolder = {},
): Promise<PromptPack> {
  const prompts = new URL("prompts/", folderUrl(folder));
  const packs = await listJson(prompts);
  if (!packs.includes(id)) throw unknownName("prompt pack", id, packs);
  const named = PromptPack.refine((pack) => pack.id === id, {
    path: ["id"],
    error: `must be ${id}, as the file is named`,
  });
  return await readJson(new URL(fileAs(id), prompts), named);
}

/**
 * The line-ups on file and the estimated prices of their models.
 *
 * @throws {UserError} when the file is missing or malformed.
 */
export async function loadLineups({ folder = SCENARIOS }: ScenarioFolder = {}): Promise<Lineups> {
  return await readJson(new URL("lineups.json", folderUrl(folder)), Lineups);
}

/** The folder itself where it holds this part of a scenarios folder, otherwise none: the project's own then serves. */
export async function holding(part: string, folder: ScenarioFolder["folder"]): Promise<ScenarioFolder> {
  if (folder === undefined) return {};
  return await Deno.stat(new URL(part, folderUrl(folder))).then(() => ({ folder }), () => ({}));
}

/** A listed name as one step of a URL, whatever characters it holds. */
function fileAs(name: string): string {
  return `${encodeURIComponent(name)}.json`;
}

/** All declared experiments by name. Throws a UserError where `scenarios/experiments.json` is malformed. */
export async function loadExperiments(
  { folder = SCENARIOS }: ScenarioFolder = {},
): Promise<Record<string, Experiment>> {
  return (await readJson(new URL("experiments.json", folderUrl(folder)), Experiments)).experiments;
}

/** One declared experiment. Throws a UserError (`exitCode` 2, naming the nearest) where there is none of that name. */
export async function loadExperiment(name: string, options: ScenarioFolder = {}): Promise<Experiment> {
  const experiments = await loadExperiments(options);
  const experiment = Object.hasOwn(experiments, name) ? experiments[name] : undefined;
  if (experiment === undefined) throw unknownName("experiment", name, Object.keys(experiments));
  return experiment;
}

/** All declared station experiments by name. Throws a UserError where `scenarios/experiments.json` is malformed. */
export async function loadStationExperiments(
  { folder = SCENARIOS }: ScenarioFolder = {},
): Promise<Record<string, StationExperiment>> {
  return (await readJson(new URL("experiments.json", folderUrl(folder)), Experiments)).station;
}

/** The surrogate's fitted parameters, `scenarios/surrogate.json`. Throws a UserError where the file is malformed. */
export async function loadSurrogateParameters(
  { folder = SCENARIOS }: ScenarioFolder = {},
): Promise<SurrogateParameters> {
  return await readJson(new URL("surrogate.json", folderUrl(folder)), SurrogateParameters);
}
