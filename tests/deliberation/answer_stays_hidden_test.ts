import fc from "fast-check";
import assert from "node:assert/strict";
import { contentHash } from "@/core/json.ts";
import { conditionName } from "@/deliberation/condition_name.ts";
import { conditionHash, deliberation } from "@/deliberation/deliberate.ts";
import { createPrompter } from "@/deliberation/prompt.ts";
import { initialState } from "@/deliberation/state.ts";
import { loadPromptPack } from "@/lab/live/scenarios.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import type { Condition, ConditionSpec } from "@/schema/condition.ts";
import type { DeliberationEvent } from "@/schema/deliberation_event.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import { OPTION_LETTERS, PromptPack } from "@/schema/scenario.ts";
import { parameters } from "../model/surrogate/parameters.ts";
import { hundredths } from "./arbitraries.ts";
import { condition, council, run, stateLine } from "./committee.ts";

/** The condition without an answer, and with each possible one, each with its own source. */
function withEachAnswer(committee: Condition): Condition[] {
  const { answer: _, source: __, ...packet } = committee.packet;
  const answers = OPTION_LETTERS.slice(0, packet.options.length)
    .map((answer) => ({ ...packet, answer, source: `Option ${answer} is right, as anyone can see.` }));
  return [packet, ...answers].map((packet) => ({ ...committee, packet }));
}

/** Three, four and five options; deduced and estimated; with and without roles; ballots free and by schema. */
const SPECS: readonly Partial<ConditionSpec>[] = [
  { scenario: "QL-18", agents: 2, roles: false },
  { scenario: "QE-01", agents: 3 },
  { scenario: "QL-09", agents: 2, ablate: "Chair", ablation: "block", structured: true },
  { scenario: "QE-18", agents: 3, roles: false, normaliser: true, window: 2 },
];
const committees = await Promise.all(SPECS.map((spec) => condition({ rounds: 2, ...spec })));

/** The events of a run but for the hash that opens it: that is the condition's own. */
function withoutHash(events: readonly DeliberationEvent[]): DeliberationEvent[] {
  return events.map((event) => event.kind === "run.opened" ? { ...event, condition: "" } : event);
}

for (const committee of committees) {
  const { packet, seats } = committee;
  const letters = OPTION_LETTERS.slice(0, packet.options.length);

  Deno.test(`${packet.id}: no step's messages depend on the answer`, () => {
    const built = withEachAnswer(committee).map((of) => {
      const prompter = createPrompter(of), state = initialState(of);
      const turns = seats.map((_, seat) => prompter(state, { kind: "turn", round: 1, seat, again: false }));
      const ballots = seats.map((_, seat) => prompter(state, { kind: "ballot", seat, again: false }));
      return JSON.stringify([...turns, ...ballots, prompter(state, { kind: "clerk" })]);
    });
    assert.equal(built.length, letters.length + 1);
    for (const messages of built) assert.equal(messages, built[0]);
  });

  Deno.test(`${packet.id}: the probes that are asked before a run do not depend on the answer`, async () => {
    const probes = await Promise.all(
      withEachAnswer(committee).map(async (of) => {
        const asked = await deliberation.probe(of);
        return JSON.stringify(asked.map(({ request, flaw }) => [request, flaw("No STATE line.")]));
      }),
    );
    for (const probe of probes) assert.equal(probe, probes[0]);
  });
}

/** What one generated council says, by the number of the call: good and unreadable replies of every kind. */
const replies = (optionCount: number) => {
  const vote = fc.constantFrom(...OPTION_LETTERS.slice(0, optionCount));
  const states = hundredths(optionCount).map((shares) => stateLine(shares.map((share) => share / 100)));
  const argument = fc.oneof(
    fc.string({ maxLength: 30 }),
    vote.map((letter) => `The answer is ${letter}. {{answer}} {{source}}`),
  );
  const turn = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(argument, states).map((lines) => lines.join("\n")) },
    { weight: 1, arbitrary: argument },
  );
  const ballot = fc.oneof(
    { weight: 4, arbitrary: vote.map((decision) => JSON.stringify({ decision, confidence: 60 })) },
    { weight: 1, arbitrary: argument },
  );
  const many = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 1, maxLength: 8 });
  return fc.record({ turns: many(turn), states: many(states), ballots: many(ballot), clerk: ballot });
};

// 4 committees, 80 councils each, and one run for every possible answer and for none: 4 + 5 + 6 + 6 runs a council.
for (const committee of committees) {
  const { id, options } = committee.packet;
  const variants = withEachAnswer(committee);

  Deno.test(`${id}: whatever agents say, requests are the same to the byte under every answer`, async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(replies(options.length), async ({ turns, states, ballots, clerk }) => {
        const at = (list: readonly string[], index: number) => list[index % list.length]!;
        const runs = await Promise.all(variants.map(async (of) => {
          const { chat, requests } = council({
            turn: (_, index) => at(turns, index),
            repair: (_, index) => at(states, index),
            ballot: (_, index) => at(ballots, index),
            "ballot again": (_, index) => at(ballots, index),
            clerk: () => clerk,
          });
          const events = await run(of, chat);
          for (const { kind } of events) kinds.add(kind);
          return { requests: JSON.stringify(requests), events: JSON.stringify(withoutHash(events)) };
        }));
        for (const one of runs) assert.deepEqual(one, runs[0]);
      }),
      { numRuns: 80, seed: 1 },
    );
    assert.ok(kinds.has("clerk.answered") && kinds.has("run.decided"), "whole runs are among them");
  });

  Deno.test(`${id}: surrogates give the same run under every answer`, async () => {
    const runs = await Promise.all(variants.map(async (of) => {
      const asked: ChatRequest[] = [];
      const chat = surrogate({ ...parameters, malformedShare: 0.2 });
      const events = await run(of, (request, options) => {
        asked.push(request);
        return chat(request, options);
      });
      return { asked: JSON.stringify(asked), events: JSON.stringify(withoutHash(events)) };
    }));
    for (const one of runs) assert.deepEqual(one, runs[0]);
  });

  Deno.test(`${id}: the answer is part of the condition's hash, and of nothing that a call is seeded or named by`, () => {
    const hashes = variants.map(conditionHash);
    assert.equal(new Set(hashes).size, variants.length);
    for (const of of variants) {
      assert.equal(conditionName(of), conditionName(committee));
      assert.deepEqual(deliberation.header(of).knobs, deliberation.header(committee).knobs);
    }
    assert.equal(contentHash(variants[0]), hashes[0], "and a packet without an answer has no key for it");
    assert.ok(!("answer" in variants[0]!.packet));
  });
}

Deno.test("no prompt pack can ask for the answer to be filled in", async () => {
  const pack = await loadPromptPack();
  for (const name of ["answer", "source"]) {
    for (const field of ["preamble", "packet", "option", "turn", "ballot", "clerk"] as const) {
      const broken = PromptPack.safeParse({ ...pack, [field]: `${pack[field]} {{${name}}}` });
      assert.ok(!broken.success, `${field} with {{${name}}}`);
    }
  }
});
