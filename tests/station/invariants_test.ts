import fc from "fast-check";
import assert from "node:assert/strict";
import { StationEvent } from "@/schema/station_event.ts";
import { COUNCIL, type CouncilRole } from "@/schema/station_ids.ts";
import { StationSummary } from "@/schema/station_summary.ts";
import { gateOutcome, hasMargin, hasSupport } from "@/station/gate.ts";
import type { StationProposal, StationState } from "@/station/state.ts";
import { summarise } from "@/station/summary.ts";
import { weather } from "@/station/weather.ts";
import { anyReply, anyText, validReply } from "./arbitraries.ts";
import { council, follow, LABELS, ofKind, PLAN, replay, RULESETS, run, states, stored } from "./fixtures.ts";

/** What holds of every run, whatever a council says. */

const total = (values: Record<string, number>) => Object.values(values).reduce((sum, value) => sum + value, 0);
const between = (value: number, low: number, high: number) => value >= low && value <= high;

function checkState(state: StationState): void {
  const { order, trust, info, authority, factions, power, tokens, rumors, offers, scandals, manipulation, edges } =
    state;
  for (const level of [order, trust, info, authority]) assert.ok(between(level, 0, 1), `level ${level}`);
  for (const { sentiment, panic, trust } of Object.values(factions)) {
    for (const level of [sentiment, panic, trust]) assert.ok(between(level, 0, 1), `faction ${level}`);
  }
  assert.ok(between(power, 0, 100), `power ${power}`);
  assert.ok(Number.isInteger(tokens) && between(tokens, 0, 12), `tokens ${tokens}`);
  for (const { heat } of rumors) assert.ok(between(heat, 0, 1), `heat ${heat}`);
  for (const { pressure } of offers) assert.ok(between(pressure, 0, Infinity));
  for (const { load } of scandals) assert.ok(between(load, 0, Infinity));
  assert.ok(between(manipulation, 0, Infinity));
  for (const items of [rumors, offers, scandals, state.proposals]) {
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length, "ids stand once");
  }
  checkEdges(edges);
  for (const proposal of state.proposals) checkProposal(proposal);
}

function checkEdges(edges: readonly string[]): void {
  assert.ok(edges.length <= 15);
  assert.equal(new Set(edges).size, edges.length);
  for (const pair of edges) {
    const [one, other] = pair.split("|").map((role) => COUNCIL.indexOf(role as CouncilRole));
    assert.ok(one! >= 0 && other! > one!, pair);
  }
}

function checkProposal({ status, plan, flaw, votes }: StationProposal): void {
  for (const [role, quarters] of Object.entries(votes)) {
    assert.ok(COUNCIL.some((each) => each === role));
    assert.ok(Number.isInteger(quarters) && between(quarters, -4, 4));
  }
  if (status === "invalid") return void assert.ok(flaw !== undefined);
  assert.ok(total(plan!.seats) <= 100 && total(plan!.power) <= 100);
  const { outer_ring, crew, sponsor_deck, medical } = plan!.seats;
  assert.ok(outer_ring <= 80 && crew <= 50 && sponsor_deck <= 30 && medical <= 20);
}

/** From one state to the next: only the gate passes, what is invalid stays so, a pass stays. */
function checkStep(before: StationState, after: StationState, event: StationEvent): void {
  before.proposals.forEach(({ id, status }, i) => {
    const now = after.proposals[i]!;
    assert.equal(now.id, id);
    if (status === now.status) return;
    if (now.status === "passed") assert.ok(status === "open" && event.kind === "gate.judged" && event.passed);
    else if (now.status === "executed") assert.ok(status === "passed" && event.kind === "plan.executed");
    else assert.ok(status === "open" && now.status === "blocked" && event.kind === "run.closed");
  });
  for (const filed of after.proposals.slice(before.proposals.length)) {
    assert.ok(event.kind === "action.taken" && ["open", "invalid"].includes(filed.status));
  }
  if (event.kind === "action.taken" && event.refused !== undefined) assert.equal(after, before);
}

function checkRun(events: readonly StationEvent[], seed: number): void {
  for (const event of events) assert.deepEqual(StationEvent.parse(event), event);
  const all = states(events);
  all.forEach(checkState);
  events.forEach((event, i) => checkStep(all[i]!, all[i + 1]!, event));
  assert.deepEqual(ofKind(events, "run.opened")[0]!.card, weather(seed));
  assert.deepEqual(
    ofKind(events, "shock.struck").map(({ shock }) => shock),
    weather(seed).rounds.flatMap((r) => r.shocks),
  );

  const summary = summarise(events, LABELS);
  assert.deepEqual(StationSummary.parse(summary), summary);
  assert.equal(summary.model_actions + summary.fallback_actions, 36);
  assert.equal(summary.classification.startsWith("BENCHMARK_"), summary.stabilized);
  const first = ofKind(events, "gate.judged").find(({ passed }) => passed)?.round ?? null;
  assert.equal(summary.time_to_first_pass, first);
  assert.equal(JSON.stringify(summarise(stored(events), LABELS)), JSON.stringify(summary), "replay, byte for byte");
  assert.equal(JSON.stringify(replay(stored(events))), JSON.stringify(all.at(-1)));
}

const setting = { seed: fc.integer({ min: 1, max: 60 }), ruleset: fc.constantFrom(...RULESETS) };
/** Enough replies for a run, anew at their end; where there is none the role follows the others, so that plans do pass. */
const script = (reply: fc.Arbitrary<string>) =>
  fc.array(fc.option(reply, { nil: undefined, freq: 3 }), { minLength: 36, maxLength: 72 });

for (
  const [name, reply] of Object.entries({
    "whose every reply is readable": validReply,
    "that may say anything": anyReply,
  })
) {
  Deno.test(`a council ${name} breaks no rule of the station`, async () => {
    const kinds = { passes: 0, refusals: 0, invalid: 0, fallbacks: 0 };
    await fc.assert(
      fc.asyncProperty(fc.record({ ...setting, replies: script(reply) }), async ({ seed, ruleset, replies }) => {
        let asked = 0;
        const { chat } = council((request) => replies[asked++ % replies.length] ?? follow(request));
        const events = await run({ seed, ruleset, council: chat });
        checkRun(events, seed);
        for (const { refused, origin, filing } of ofKind(events, "action.taken")) {
          if (refused !== undefined) kinds.refusals++;
          if (origin.kind === "fallback") kinds.fallbacks++;
          if (filing && (filing.flaw ?? filing.reading.code) !== undefined) kinds.invalid++;
        }
        kinds.passes += ofKind(events, "plan.executed").length;
      }),
      { numRuns: 150, seed: 1, endOnFailure: true },
    );
    for (const [kind, count] of Object.entries(kinds)) {
      if (kind !== "fallbacks" || reply === anyReply) assert.ok(count > 20, `${kind}: ${count}`);
    }
  });
}

Deno.test("text without any form: 36 fallbacks, and the clerk's run", async () => {
  const floor = await run({ seed: 11 });
  const garbage = fc.array(anyText, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(garbage, async (replies) => {
      let asked = 0;
      const { chat } = council(() => replies[asked++ % replies.length]!);
      const events = await run({ seed: 11, council: chat });
      assert.equal(JSON.stringify(replay(events)), JSON.stringify(replay(floor)));
      assert.equal(summarise(events, LABELS).fallback_actions, 36);
    }),
    { numRuns: 10, seed: 1 },
  );
});

Deno.test("a megabyte, deep nesting and hostile keys, in every slot", async () => {
  const hostile = [
    "x".repeat(1_000_001),
    `{"action": "speak", "statement": "${"y".repeat(999_000)}"}`,
    `{"action": "endorse", "target": "${"P".repeat(100_000)}"}`,
    `{"action": "propose", "proposal": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    `{"__proto__": {"polluted": 1}, "constructor": 1, "action": "observe"}`,
    `{"action": "propose", "proposal": {"__proto__": {"seats": 1}, "seats": {"__proto__": 100}, "power": NaN}}`,
    `{"action": "toString"}`,
    `{"action": "\u0000\u001b[2J"}`,
    `{"action": "observe"}{"action": "sabotage"}`,
  ];
  let asked = 0;
  const { chat } = council(() => hostile[asked++ % hostile.length]!);
  const events = await run({ seed: 12, council: chat });
  checkRun(events, 12);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

const quarters = fc.integer({ min: -4, max: 4 });
const anyVotes = fc.record(Object.fromEntries(COUNCIL.map((role) => [role, quarters])), { requiredKeys: [] });

Deno.test("a supporter less never helps: no support, margin or pass that was not there", () => {
  const level = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(anyVotes, fc.constantFrom(...COUNCIL), level, (votes, leaver, authority) => {
      fc.pre((votes[leaver] ?? 0) > 0);
      const { [leaver]: _, ...left } = votes;
      const room = { ...states([])[0]!, authority };
      const judged = (cast: StationProposal["votes"]) =>
        gateOutcome(
          { id: "P1", by: "C1_COMMAND", round: 1, origin: "model", status: "open", plan: PLAN, votes: cast },
          room,
        );
      const [before, after] = [judged(votes), judged(left)];
      assert.ok(after.support < before.support && after.against === before.against);
      assert.ok(after.executability <= before.executability);
      for (const test of [hasSupport, hasMargin]) assert.ok(test(votes) || !test(left));
      assert.ok(before.passed || !after.passed);
    }),
    { numRuns: 500, seed: 1 },
  );
});
