import type { ChatModel } from "../model/chat_model.ts";
import { type CostEstimate, estimateCost, type PlannedCalls } from "../model/estimate_cost.ts";
import { estimateTokens } from "../model/estimate_tokens.ts";
import { stationPersona } from "../model/station/station_persona.ts";
import type { Lineups } from "../schema/lineups.ts";
import { type Ruleset, runStation } from "../station/run_station.ts";

/** A plan and a statement in JSON, at about a token for four characters. */
const REPLY_TOKENS = 200;

/**
 * What live runs of the station would take, from one surrogate run: prompts are then as long as they will be. Repair
 * requests are not counted; at most each call has one.
 *
 * @param models model ids asked for, each for `runs` runs.
 */
export async function planStation(
  models: readonly string[],
  { ruleset, runs, prices }: { ruleset: Ruleset; runs: number; prices: Lineups["prices"] },
): Promise<CostEstimate> {
  const persona = stationPersona("coalition");
  const prompts: number[] = [];
  const counting: ChatModel = (request, options) => {
    prompts.push(request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0));
    return persona(request, options);
  };
  for await (const _ of runStation({ seed: 1, ruleset, council: counting }));
  const calls: PlannedCalls[] = models.flatMap((model) =>
    prompts.map((promptTokens) => ({ model, promptTokens, completionTokens: REPLY_TOKENS, count: runs }))
  );
  const usd = Object.fromEntries(
    Object.entries(prices).map(([model, { input, output }]) => [model, {
      promptUsdPerMillion: input,
      completionUsdPerMillion: output,
    }]),
  );
  return estimateCost({ calls, prices: usd });
}
