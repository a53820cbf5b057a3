import assert from "node:assert/strict";
import { nextStep } from "@/deliberation/next_step.ts";
import { type BallotSlot, type DeliberationState, initialState, type Turn } from "@/deliberation/state.ts";
import type { Condition } from "@/schema/condition.ts";
import { condition } from "./committee.ts";

const committee: Condition = { ...await condition({ agents: 3, rounds: 2 }), order: [2, 0, 1] };
const state = { preferences: [1, 0, 0], confidence: 50, tags: ["a", "b"] };

/** An opened run after so many turns. */
function spoken(count: number, rest: Partial<DeliberationState> = {}): DeliberationState {
  const turns = Array.from({ length: count }, (_, i): Turn => ({
    round: 1 + Math.floor(i / 3),
    seat: committee.order[i % 3]!,
    argument: "",
    state,
    repaired: false,
  }));
  return { ...initialState(committee), opened: { seed: 1, replicate: 0, condition: "hash" }, turns, ...rest };
}
const step = (state: DeliberationState) => nextStep(state, committee);

type Decided = Required<DeliberationState>["decided"];

const READ: BallotSlot = { reading: { kind: "read", value: { decision: "A", confidence: 1 } }, text: "", tries: 1 };
const INVALID: BallotSlot = { reading: { kind: "invalid", code: "not_json", message: "" }, text: "", tries: 1 };
const MISSING: BallotSlot = { reading: { kind: "missing", code: "timeout", message: "" }, text: "", tries: 1 };

Deno.test("nextStep() opens, lets every seat speak in the fixed order, round by round, and then asks for ballots", () => {
  assert.deepEqual(step(initialState(committee)), { kind: "open" });
  const turns = Array.from({ length: 6 }, (_, i) => step(spoken(i)));
  assert.deepEqual(
    turns.map((turn) => turn.kind === "turn" && [turn.round, turn.seat, turn.again]),
    [[1, 2, false], [1, 0, false], [1, 1, false], [2, 2, false], [2, 0, false], [2, 1, false]],
  );
  assert.deepEqual(step(spoken(6)), { kind: "ballot", seat: 2, again: false });
});

Deno.test("nextStep() asks the same seat again where its STATE line could not be read", () => {
  const unread = { text: "", code: "missing" };
  assert.deepEqual(step(spoken(4, { unread })), { kind: "turn", round: 2, seat: 0, again: true });
});

Deno.test("nextStep() asks once more for an unreadable ballot, not twice, and never for one that did not come", () => {
  const ballots = (...slots: (BallotSlot | undefined)[]) => step(spoken(6, { ballots: slots }));
  assert.deepEqual(ballots(undefined, undefined, INVALID), { kind: "ballot", seat: 2, again: true });
  assert.deepEqual(ballots(undefined, undefined, { ...INVALID, tries: 2 }), { kind: "ballot", seat: 0, again: false });
  assert.deepEqual(ballots(undefined, undefined, MISSING), { kind: "ballot", seat: 0, again: false });
  assert.deepEqual(ballots(READ, undefined, READ), { kind: "ballot", seat: 1, again: false });
  assert.deepEqual(ballots(READ, { ...INVALID, tries: 2 }, MISSING), { kind: "clerk" });
});

Deno.test("nextStep() decides after the clerk, whatever became of it, then closes and is done", () => {
  const ballots = [READ, READ, READ];
  const clerk = { kind: "missing", code: "server", message: "" } as const;
  assert.deepEqual(step(spoken(6, { ballots, clerk })), { kind: "decide" });
  const decided: Decided = { kind: "run.decided", by: "none", votes: [], clerk: "unreadable" };
  assert.deepEqual(step(spoken(6, { ballots, clerk, decided })), { kind: "close" });
  assert.deepEqual(step(spoken(6, { closed: { kind: "run.closed", outcome: "complete" } })), { kind: "done" });
});

Deno.test("nextStep() closes a run with a flaw at once", () => {
  assert.deepEqual(step(spoken(2, { flaw: "no_reply:timeout" })), { kind: "close" });
});
