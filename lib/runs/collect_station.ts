import { unknownName } from "../core/nearest.ts";
import { UserError } from "../core/user_error.ts";
import type { ChatModel } from "../model/chat_model.ts";
import type { Environment } from "../model/openai_chat.ts";
import { recording } from "../model/replay.ts";
import { STATION_PERSONAS, stationPersona } from "../model/station/station_persona.ts";
import type { ModelCall } from "../schema/model_call.ts";
import type { StationEvent } from "../schema/station_event.ts";
import type { StationSummary } from "../schema/station_summary.ts";
import type { StationRun } from "../station/reread.ts";
import { RULES } from "../station/rules.ts";
import { type Ruleset, runStation, switches } from "../station/run_station.ts";
import { rulesetName, summarise } from "../station/summary.ts";
import { liveCouncil } from "./council.ts";
import { provenance } from "./provenance.ts";

/** Who fills the six roles, and what the record says of it. */
export interface StationCouncil {
  readonly chat: ChatModel | "none";
  /** Goes into summaries and folder names. */
  readonly label: string;
  /** Whether no language model takes part. */
  readonly synthetic: boolean;
  readonly live: boolean;
  /** Model id asked for. */
  readonly model: string;
}

/**
 * A station council by name: `none` (the clerk alone), a persona, or `live:MODEL` through the endpoint that
 * OPENAI_API_KEY and OPENAI_BASE_URL name.
 *
 * @throws {UserError} on another name (exit code 2, offering the nearest), or where no key is set.
 */
export function stationCouncil(name: string, env: Environment): StationCouncil {
  if (name === "none") return { chat: "none", label: "none", synthetic: true, live: false, model: "none" };
  if (name === "live" || name === "live:") {
    throw new UserError("--council live needs a model: --council live:MODEL", { exitCode: 2 });
  }
  if (name.startsWith("live:")) {
    const model = name.slice("live:".length);
    return { chat: liveCouncil(env).chat, label: model, synthetic: false, live: true, model };
  }
  if (!STATION_PERSONAS.some((persona) => persona === name)) {
    throw unknownName("station council", name, ["none", ...STATION_PERSONAS, "live:MODEL"]);
  }
  const chat = stationPersona(name as typeof STATION_PERSONAS[number]);
  return { chat, label: name, synthetic: true, live: false, model: `surrogate/${name}` };
}

/** A finished run in memory: events, calls and the summary made of them. */
export interface CollectedStation extends StationRun {
  readonly summary: StationSummary;
}

/** Runs the station in memory, one run a seed, in the order of the seeds. */
export async function collectStation(
  { council, ruleset, seeds }: { council: StationCouncil; ruleset: Ruleset; seeds: readonly number[] },
): Promise<CollectedStation[]> {
  const runs: CollectedStation[] = [];
  const made = provenance();
  for (const seed of seeds) {
    const calls: ModelCall[] = [];
    const chat: ChatModel | "none" = council.chat === "none"
      ? "none"
      : recording(council.chat, (call) => void calls.push(call));
    const events: StationEvent[] = await Array.fromAsync(
      runStation({ seed, ruleset, council: chat, model: council.model }),
    );
    const runId = `${council.label}_${rulesetName(switches(ruleset)).replace(/\W+/g, "-")}_seed${seed}`;
    const labels = { runId, model: council.label, synthetic: council.synthetic, made };
    runs.push({ events, calls, summary: summarise(events, labels) });
  }
  return runs;
}

/** A named set of seeds from the rules: the paper's panel, or the seeds held out. */
export function namedSeeds(name: "panel" | "heldOut"): number[] {
  const { panel, heldOut: [from, to] } = RULES.seeds;
  return name === "panel" ? [...panel] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
