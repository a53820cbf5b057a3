import assert from "node:assert/strict";
import { Role } from "@/schema/scenario.ts";
import { condition, fold, ofKind, run } from "../../../deliberation/committee.ts";
import { parameters as plain } from "../../../model/surrogate/parameters.ts";
import { createRng } from "@/core/rng.ts";
import { preferencesByRound } from "@/deliberation/state.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import {
  ballotDecision,
  packetWording,
  seatCommittee,
  simulateCommittee,
  simulateCondition,
} from "@/lab/paper/surrogate/simulate_condition.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import type { Condition, ConditionSpec } from "@/schema/condition.ts";
import type { SurrogateParameters } from "@/schema/surrogate_parameters.ts";

/** IM-01 in a wording of its own, and with one model's character. */
const parameters: SurrogateParameters = {
  ...plain,
  scenarios: {
    ...plain.scenarios,
    "IM-01": {
      ...plain.scenarios["IM-01"]!,
      wording: packetWording(await condition()),
      characters: { "google/gemini-2.5-flash": { responsiveness: 1.5, noise: 2 } },
    },
  },
};

/** What the mechanism sees of a condition. */
const mechanical = (of: Condition) => ({
  ...committee(of),
  wording: packetWording(of),
});
const committee = ({ packet, seats, order, temperature, window, rounds }: Condition) => ({
  scenario: packet.id,
  optionCount: packet.options.length,
  seats: seats.map(({ model, role, mandate }) => ({ model, mandate: mandate === "" ? undefined : Role.parse(role) })),
  order,
  temperature,
  window,
  rounds,
});

/** Preferences of a run by its two routes: through prompts and parsers, and by numbers alone. */
async function bothRoutes(of: Condition, seed: number, chat = surrogate(parameters)) {
  const events = await run(of, chat, { seed });
  const seeds = new Map(ofKind(events, "turn.answered").map(({ round, seat, seed }) => [`${round}/${seat}`, seed]));
  const rngFor = (round: number, seat: number) => createRng(seeds.get(`${round}/${seat}`)!);
  return {
    text: preferencesByRound(fold(of, events)),
    numbers: simulateCommittee(seatCommittee(mechanical(of), parameters), rngFor),
  };
}

const CONDITIONS: readonly Partial<ConditionSpec>[] = [
  {},
  { roles: false },
  { scenario: "HL-01", lineup: "mixed" },
  { scenario: "HL-01", lineup: "mixed", roles: false },
  { ablate: "Chair" },
  { ablate: "Welfare" },
  { window: 3 },
  { window: 1, roles: false },
  { window: 0 },
  { temperature: 0.7 },
  { temperature: 0.7, lineup: "mixed", ablate: "Chair" },
  { scenario: "CL-04" },
  { scenario: "CL-04", roles: false, lineup: "mixed", temperature: 0.1 },
  { agents: 3 },
  { agents: 7 },
  { rounds: 1 },
  { variant: "formal" },
  { lineup: "gemini-2-5-flash" },
  { lineup: "mixed", variant: "conversational" },
  { scenario: "SP-01" },
];
for (const spec of CONDITIONS) {
  Deno.test(`prompts and parsers give the numbers of simulateCommittee(): ${JSON.stringify(spec)}`, async () => {
    for (const seed of [1, 2, 3]) {
      const { text, numbers } = await bothRoutes(await condition(spec), seed);
      assert.deepEqual(text, numbers);
    }
  });
}

Deno.test("the two routes part where the streams differ, so that they agree for a reason", async () => {
  const of = await condition({ temperature: 0.7 });
  const { text } = await bothRoutes(of, 1);
  assert.notDeepEqual(simulateCommittee(seatCommittee(mechanical(of), parameters), () => createRng(1)), text);
});

Deno.test("another wording is another committee, by both routes and for one council that hears both", async () => {
  const chat = surrogate(parameters);
  const [canonical, formal] = await Promise.all([{}, { variant: "formal" }].map((spec) => condition(spec)));
  const [first, second] = [await bothRoutes(canonical!, 1, chat), await bothRoutes(formal!, 1, chat)];
  assert.deepEqual(first.text, first.numbers);
  assert.deepEqual(second.text, second.numbers);
  assert.notDeepEqual(second.numbers, first.numbers);
});

Deno.test("simulateCommittee(): a committee of two by hand", () => {
  // Both blank, prior ln 3 : 0, no noise. Each first answers 75 : 25 before hearing anything (k = 0), and stays there.
  const { mechanism, scenarios } = parameters;
  const quiet = {
    ...parameters,
    mechanism: { ...mechanism, noiseShare: 0, temperatureNoise: 0 },
    scenarios: { ...scenarios, "AB-01": { ...scenarios["HL-01"]!, prior: [Math.log(3), 0], contestability: 1 } },
  };
  const seat = { model: parameters.models.reference, mandate: undefined };
  const spec = {
    scenario: "AB-01",
    optionCount: 2,
    seats: [seat, seat],
    order: [1, 0],
    temperature: 0,
    window: 0,
    rounds: 2,
  };
  const rng = () => createRng(1);
  assert.deepEqual(simulateCommittee(seatCommittee(spec, quiet), rng), [[[0.75, 0.25], [0.75, 0.25]], [[0.75, 0.25], [
    0.75,
    0.25,
  ]]]);
  // With a window, seat 1 says "favour" (a lead of 50 is half): M = 0.25/15 each way, gain 3, so seat 0 answers at
  // log odds ln 3 + 0.1, 76.8 : 23.2.
  const [first] = simulateCommittee(seatCommittee({ ...spec, window: 15, rounds: 1 }, quiet), rng);
  assert.deepEqual(first, [[0.77, 0.23], [0.75, 0.25]]);
});

const unspoilt = { ...await loadSurrogateParameters(), malformedShare: 0 };
const COLLECTED: readonly ConditionSpec[] = [
  { scenario: "IM-01", rounds: 3, variant: "formal", ablate: "Rights" },
  { scenario: "CL-04", rounds: 3, lineup: "mixed", roles: false, temperature: 0.7, agents: 7, window: 2 },
];

for (const spec of COLLECTED) {
  Deno.test(`simulateCondition() gives the numbers of the council's own runs: ${JSON.stringify(spec)}`, async () => {
    const condition = await loadCondition(spec);
    const [options, chat] = [{ replicates: 4, seed: 3 }, surrogate(unspoilt)];
    const { runs } = await collectRuns(condition, { ...options, chat });
    const facts = runs.map(({ preferences, means, decision }) => ({ preferences, means, decision }));
    assert.deepEqual(simulateCondition(condition, unspoilt, options), facts);
  });
}

Deno.test("simulateCondition() gives one run a replicate, the same for the same seed and others for another", async () => {
  const condition = await loadCondition({ scenario: "CL-04", agents: 3, rounds: 4, temperature: 0.7 });
  const runs = simulateCondition(condition, unspoilt, { replicates: 3, seed: 1 });
  assert.deepEqual(runs.map(({ preferences }) => [preferences.length, preferences[0]!.length]), Array(3).fill([4, 3]));
  assert.deepEqual(runs.map(({ means }) => means[3]!.length), [5, 5, 5]);
  // More replicates are added to those there are.
  assert.deepEqual(simulateCondition(condition, unspoilt, { replicates: 5, seed: 1 }).slice(0, 3), runs);
  assert.notDeepEqual(simulateCondition(condition, unspoilt, { replicates: 3, seed: 2 }), runs);
  const means = runs[0]!.preferences[0]![0]!.map((_, k) =>
    runs[0]!.preferences[0]!.reduce((sum, agent) => sum + agent[k]!, 0) / 3
  );
  assert.deepEqual(runs[0]!.means[0], means);
});

Deno.test("ballotDecision() is the protocol's", async () => {
  const seen = new Set<string>();
  for (const spec of [{}, { agents: 4 }, { agents: 2, window: 0 }]) {
    const of = await condition({ ...spec, temperature: 0.7 });
    const { runs } = await collectRuns(of, { chat: surrogate(plain), replicates: 12, seed: 1 });
    for (const { preferences, decision } of runs) {
      assert.equal(ballotDecision(preferences.at(-1)!), decision);
      seen.add(decision!);
    }
  }
  assert.ok(seen.size > 1, "decisions differ between runs");
});

Deno.test("ballotDecision(): most votes, then confidence, then the earlier letter", () => {
  const [a, b, c] = [[0.5, 0.3, 0.2], [0.3, 0.6, 0.1], [0, 0, 1]];
  assert.equal(ballotDecision([a, a, c]), "A", "two votes outweigh certainty");
  assert.equal(ballotDecision([a, b]), "B", "0.6 outweighs 0.5");
  assert.equal(ballotDecision([[0.2, 0.3, 0.5], a]), "A", "even: the earlier letter");
  assert.equal(ballotDecision([[0.5, 0.5, 0], b]), "B", "a tied top option is the first of them");
});
