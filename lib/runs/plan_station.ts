import type { ChatModel } from "../model/chat_model.ts";
import { type CostEstimate, credibleUsage, estimateCost, type PlannedCalls, type Prices } from "../model/cost.ts";
import { tokenCounter } from "../model/count_tokens.ts";
import { stationPersona } from "../model/station/station_persona.ts";
import type { ChatRequest } from "../schema/model_call.ts";
import { COUNCIL, type CouncilRole, type RoleModels } from "../schema/station_ids.ts";
import { modelsByRole, type RunStationOptions, type Sampling, stationEvents } from "../station/run_station.ts";
import { readPreflight } from "./preflight.ts";
import { isRepair } from "./reply_habits.ts";

/** A plan and a statement in JSON, at about a token for four characters. */
const REPLY_TOKENS = 200;

/** What a council of six is asked in one run without repairs, by role, as a persona's run of the same length goes. */
export async function stationRequests(
  options: Sampling & Pick<RunStationOptions, "ruleset"> & { readonly seed?: number | undefined },
): Promise<{ role: CouncilRole; request: ChatRequest }[]> {
  const persona = stationPersona("coalition");
  const asked: { role: CouncilRole; request: ChatRequest }[] = [];
  const noting: ChatModel = (request, callOptions) => {
    asked.push({ role: request.model as CouncilRole, request });
    return persona(request, callOptions);
  };
  const roles = Object.fromEntries(COUNCIL.map((role) => [role, role]));
  for await (const _ of stationEvents({ ...options, seed: options.seed ?? 1, council: noting, model: roles }));
  return asked;
}

/**
 * What live runs of the station would still take, from one surrogate run: prompts are then as long as they will be. Repair
 * requests are not counted; at most each call has one.
 *
 * @param councils model ids asked for, each for `runs` runs.
 * @param options `filled`: of each council, how many slots its runs have filled that are there.
 */
export async function planStation(
  councils: readonly RoleModels[],
  { ruleset, runs, prices, filled = [], out }: {
    ruleset: RunStationOptions["ruleset"];
    runs: number;
    prices: Prices;
    filled?: readonly (readonly number[])[] | undefined;
    /** Folders of the command, in which its preflight tells how models count. */
    out?: readonly string[] | undefined;
  },
): Promise<CostEstimate> {
  const counter = await tokenCounter();
  const asked = await stationRequests({ ruleset });
  const prompts = asked.map(({ role, request }) => ({ role, tokens: counter.prompt(request.messages) }));
  const told = new Map<string, { prompt: number; reply: number }>();
  for (const { request: { model, messages }, reply } of (await Promise.all((out ?? []).map(readPreflight))).flat()) {
    const usage = reply && credibleUsage(reply);
    if (!usage || isRepair(messages)) continue;
    const { promptTokens, completionTokens } = usage;
    told.set(model, { prompt: promptTokens / counter.prompt(messages), reply: completionTokens });
  }
  const calls = councils.flatMap((council, i) => {
    const models = modelsByRole(council);
    const done = filled[i] ?? [];
    return prompts.map(({ role, tokens }, slot): PlannedCalls => {
      const { prompt, reply } = told.get(models[role]) ?? { prompt: 1, reply: REPLY_TOKENS };
      const count = runs - done.filter((slots) => slots > slot).length;
      const promptTokens = Math.round(tokens * prompt);
      return { model: models[role], promptTokens, completionTokens: reply, count };
    });
  });
  return estimateCost({ calls, prices });
}
