import { checkOptions, known } from "../core/options.ts";
import type { ChatModel } from "../model/chat_model.ts";
import { play } from "../record/protocol.ts";
import type { Mosaic } from "../schema/mosaic.ts";
import type { StationEvent, Switches } from "../schema/station_event.ts";
import { COUNCIL, type CouncilRole, type RoleModels } from "../schema/station_ids.ts";
import { type Opening, station, type StationPlan } from "./protocol.ts";
import { RULES } from "./rules.ts";

/** `v1`: strict parser, schema not shown. `v2`: schema shown and normaliser on. Or each switch separately. */
export type Ruleset = "v1" | "v2" | Switches;

/**
 * The two switches that a ruleset stands for.
 *
 * @throws {RangeError} on a name that is no ruleset: a cell or a file may hold anything.
 */
export function switches(ruleset: Ruleset): Switches {
  if (ruleset === "v1") return { schemaShown: false, normaliser: false };
  if (ruleset === "v2") return { schemaShown: true, normaliser: true };
  if (typeof ruleset === "string") {
    throw new RangeError(`there is no ruleset ${JSON.stringify(ruleset)}: v1, v2, or { schemaShown, normaliser }`);
  }
  return ruleset;
}

/** How a council is asked. */
export interface Sampling {
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** How much models may think; sent with every request. */
  readonly reasoningEffort?: string | undefined;
  /** Whether replies are asked for with their JSON schema. */
  readonly structured?: boolean | undefined;
}

export interface RunStationOptions extends Sampling {
  readonly seed: number;
  readonly ruleset: Ruleset;
  /** Who fills the six roles; `"none"` leaves all to the clerk's fallback. */
  readonly council: ChatModel | "none" | { readonly chat: ChatModel | "none" };
  /** Which run of the council on this seed, from 0: the council's dice differ, the weather does not. */
  readonly replicate?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Events of the same seed, ruleset and replicate to resume from; only new ones are yielded. */
  readonly resumeFrom?: readonly StationEvent[] | undefined;
  /** Model id asked for, or ids by role. */
  readonly model?: RoleModels | undefined;
  /** Version of what background roles tell everybody; 2 by default. A run that is resumed keeps its own. */
  readonly prompts?: 1 | 2 | undefined;
  readonly rules?: Mosaic | undefined;
}

/** How a council is asked unless told otherwise. The station paper gives no sampling parameters; these are ours. */
export const ASKED = { model: "council", temperature: 0.7, maxTokens: 900 } as const;

/** The model id of each role. Throws a RangeError where a role has none. */
export function modelsByRole(models: RoleModels): Record<CouncilRole, string> {
  return Object.fromEntries(COUNCIL.map((role) => {
    const model = typeof models === "string" ? models : models[role] ?? models.default;
    if (model === undefined) throw new RangeError(`no model for ${role}: name one for it, or a default`);
    return [role, model];
  })) as Record<CouncilRole, string>;
}

/**
 * Runs the station for its six rounds and yields what happens, event by event. A run always goes all six: several plans
 * may pass, and whether the station is stable is judged at the close.
 *
 * @throws {ModelError} when the endpoint refuses every call (`auth`, `quota`), and {Unanswered} when it left a call
 * without an outcome; what was yielded is good to resume from.
 * @throws the signal's reason when aborted; what was yielded is good to resume from.
 * @throws {RangeError} when `resumeFrom` is of another seed, ruleset or replicate, or a role has no model.
 */
export function runStation(options: RunStationOptions): AsyncGenerator<StationEvent> {
  const names = "seed! ruleset! council! replicate signal resumeFrom model temperature maxTokens structured rules";
  return stationEvents(checkOptions("runStation", options, names, "reasoningEffort prompts"));
}

/** As `runStation`, whatever else the options hold. */
export async function* stationEvents(options: RunStationOptions): AsyncGenerator<StationEvent> {
  const { seed, replicate = 0, signal, resumeFrom = [] } = options;
  const plan = stationPlan(options),
    council = typeof options.council === "object" ? options.council.chat : options.council;
  refuseOtherRun(resumeFrom, { seed, ruleset: plan.ruleset, ...(replicate > 0 && { replicate }) });
  yield* play(station, plan, { chat: council === "none" ? nobody : council, seed, replicate, signal, resumeFrom });
}

const nobody: ChatModel = () => Promise.reject(new TypeError("a council of none was asked"));

/** The plan of a run, from how it is asked for. Throws a RangeError where a role has no model. */
export function stationPlan(
  { council, ruleset, model = ASKED.model, rules = RULES, prompts = 2, ...options }: Omit<RunStationOptions, "seed">,
): StationPlan {
  const { temperature = ASKED.temperature, maxTokens = ASKED.maxTokens, structured, reasoningEffort } = options;
  const models = modelsByRole(model), none = (typeof council === "object" ? council.chat : council) === "none";
  return {
    seats: COUNCIL.map((role) => ({ label: role, model: models[role] })),
    ruleset: switches(ruleset),
    ...{ prompts, temperature, maxTokens, rules, ...(none && { none }) },
    ...known({ structured: structured || undefined, reasoningEffort }),
  };
}

type Plan = Pick<Opening, "seed" | "ruleset" | "replicate">;

/** Whether an opening is that of a plan's run. */
export const opens = (opening: Plan, { seed, ruleset, replicate }: Plan): boolean =>
  opening.seed === seed && opening.replicate === replicate &&
  opening.ruleset.schemaShown === ruleset.schemaShown && opening.ruleset.normaliser === ruleset.normaliser;

function refuseOtherRun([opening]: readonly StationEvent[], plan: Plan): void {
  if (opening === undefined) return;
  if (opening.kind !== "run.opened") {
    throw new RangeError(`resumeFrom begins with ${opening.kind}: it must begin with run.opened`);
  }
  if (opens(opening, plan)) return;
  throw new RangeError(
    `resumeFrom is of seed ${opening.seed} and another ruleset, replicate or seed than asked for (${plan.seed})`,
  );
}
