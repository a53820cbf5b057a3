import assert from "node:assert/strict";
import { deliberate } from "@/deliberation/deliberate.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { prompts } from "@/lab/runs/prompts.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import type { ChatRequest } from "@/schema/model_call.ts";

const chat = surrogate({ ...await loadSurrogateParameters(), malformedShare: 0 });

/** Every turn's request of a whole run, in order. */
async function turnsOf(spec: ConditionSpec): Promise<Omit<ChatRequest, "seed">[]> {
  const turns: Omit<ChatRequest, "seed">[] = [];
  const noting = ({ seed, ...asked }: ChatRequest, options?: { place?: string | undefined }) => {
    if (options?.place?.startsWith("turn/")) turns.push(asked);
    return chat({ seed, ...asked });
  };
  for await (const _ of deliberate(await loadCondition(spec), { chat: noting, replicate: 0, seed: 1 }));
  return turns;
}

const cases: readonly (readonly [ConditionSpec, number])[] = [
  [{ scenario: "HL-01", lineup: "mixed" }, 4],
  [{ scenario: "IM-01", ablate: "Chair", ablation: "block", window: 3, temperature: 0.7 }, 2],
  [{ scenario: "CL-04", roles: false, agents: 2, window: 0, rounds: 3 }, 2],
  [{ scenario: "HL-01", rounds: 2 }, 2],
  [{ scenario: "HL-01", rounds: 1 }, 1],
];
for (const [spec, later] of cases) {
  Deno.test(`prompts() gives what every seat is sent in rounds 1 and ${later} of ${JSON.stringify(spec)}`, async () => {
    const { seats, order } = await loadCondition(spec);
    const rounds = [...new Set([1, later])];
    const turns = await turnsOf(spec);
    const due = rounds.flatMap((round) => turns.slice((round - 1) * seats.length, round * seats.length));
    const shown = await prompts(await loadCondition(spec));
    assert.deepEqual(shown.map(({ round: _, label: __, ...asked }) => asked), due);
    assert.deepEqual(
      shown.map(({ round, label }) => [round, label]),
      rounds.flatMap((round) => order.map((seat) => [round, seats[seat]!.label])),
    );
  });
}
