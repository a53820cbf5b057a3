import type { Condition, ConditionKnobs } from "./condition.ts";

// Apart from the schemas, so that what runs in a browser does not carry the schema library.

/** The knobs of a condition. A key is absent where the condition has nothing of the kind. */
export function conditionKnobs({ packet, seats, ...condition }: Condition): ConditionKnobs {
  const { roles, ablate, lineup, temperature, window, agents, rounds, normaliser, structured } = condition;
  return {
    scenario: packet.id,
    ...(packet.variant !== undefined && { variant: packet.variant }),
    ...{ lineup, roles, temperature, window },
    ...(ablate !== undefined && { ablate }),
    agents: agents ?? seats.length,
    rounds,
    ...(normaliser && { normaliser }),
    ...(structured && { structured }),
  };
}
