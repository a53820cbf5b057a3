import type { ChatRequest } from "@/schema/model_call.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import type { CouncilRole, Plan } from "@/schema/station_ids.ts";
import { roleView } from "@/station/station_prompt.ts";
import { initialState } from "@/station/apply_event.ts";
import type { StationProposal, StationState } from "@/station/state.ts";
import { stationPrompt } from "@/station/station_prompt.ts";

export const PLAN: Plan = {
  seats: { outer_ring: 44, crew: 28, sponsor_deck: 17, medical: 11 },
  power: { life_support: 40, docking: 25, outer_ring: 17, sponsor_deck: 10, comms: 8 },
};

/** An open proposal; votes in quarters, as the state keeps them. */
export const proposal = (
  id: string,
  by: CouncilRole,
  votes: StationProposal["votes"] = { [by]: 4 },
  plan: Plan = PLAN,
): StationProposal => ({ id, by, round: 1, origin: "model", status: "open", plan, votes });

export const stateOf = (part: Partial<StationState> = {}): StationState => ({ ...initialState(), round: 1, ...part });

/** What a council would be asked in a slot. */
export function request(
  role: CouncilRole,
  { state = stateOf(), past = [], schemaShown = true, seed = 1 }: {
    state?: StationState;
    past?: readonly StationEvent[];
    schemaShown?: boolean;
    seed?: number;
  } = {},
): ChatRequest {
  const messages = stationPrompt(roleView(state, role, past), { schemaShown });
  return { model: "council", messages, temperature: 0.7, seed, maxTokens: 900 };
}
