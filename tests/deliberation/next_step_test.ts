import assert from "node:assert/strict";
import { decide, nextStep, valueOf } from "@/deliberation/next_step.ts";
import { type BallotSlot, type DeliberationState, initialState, type Turn } from "@/deliberation/state.ts";
import type { Condition } from "@/schema/condition.ts";
import { condition } from "./committee.ts";
import type { ClerkReading } from "@/schema/deliberation_event.ts";

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

const five = await condition();
const allocation = await condition({ scenario: "CL-04" });
const read = { kind: "read" } as const;
const UNREAD: BallotSlot = { reading: { kind: "invalid", code: "not_json", message: "no" }, text: "A!", tries: 2 };
const LATE: BallotSlot = { reading: { kind: "missing", code: "timeout", message: "late" }, text: "", tries: 1 };

/** A state with these ballots, written "A70", and this clerk's report, written "A 3 of 5". */
function voted(ballots: readonly (string | BallotSlot)[], clerk?: string | ClerkReading): DeliberationState {
  const slots = ballots.map((ballot): BallotSlot => {
    if (typeof ballot !== "string") return ballot;
    const value = { decision: ballot[0]!, confidence: Number(ballot.slice(1)) };
    return { reading: { ...read, value }, text: "", tries: 1 };
  });
  const [decision, majority, , total] = typeof clerk === "string" ? clerk.split(" ") : [];
  const report = { decision: decision!, "majority_count": Number(majority), total: Number(total) };
  const reading = typeof clerk === "string" ? { ...read, value: report } : clerk;
  return { ...initialState(five), ballots: slots, ...(reading && { clerk: reading }) };
}

/** The event without its clerk, which has tests of its own. */
function decision(ballots: readonly (string | BallotSlot)[], of = five) {
  const { clerk: _, kind, ...rest } = decide(voted(ballots), of);
  assert.equal(kind, "run.decided");
  return rest;
}

Deno.test("decide() goes by majority where one option has more than half of the seats", () => {
  assert.deepEqual(decision(["B10", "A90", "B10", "A90", "B10"]), { decision: "B", by: "majority", votes: [2, 3, 0] });
  const three = ["B60", "B60", "B60"];
  assert.deepEqual(decision([...three, UNREAD, LATE]), { decision: "B", by: "majority", votes: [0, 3, 0] });
});

Deno.test("decide() goes by plurality where the most ballots are no more than half of the seats", () => {
  assert.deepEqual(decision(["C10", "A90", "C10", "B90", "C10"]).by, "majority");
  assert.deepEqual(decision(["C10", "A90", "C10", "B90", UNREAD]), {
    decision: "C",
    by: "plurality",
    votes: [1, 1, 2],
  });
  assert.deepEqual(decision(["C10", "C10", LATE, LATE, UNREAD]).by, "plurality", "two of five seats");
});

Deno.test("decide() gives a draw to the higher summed confidence and records it as a tie", () => {
  assert.deepEqual(decision(["A40", "A40", "C30", "C51", "B99"]), { decision: "C", by: "tie", votes: [2, 1, 2] });
  assert.deepEqual(decision(["A41", "A40", "C30", "C50", "B99"]), { decision: "A", by: "tie", votes: [2, 1, 2] });
});

Deno.test("decide() gives a draw in confidence too to the earlier letter", () => {
  assert.deepEqual(decision(["C40", "B30", "C40", "B50", "A99"]), { decision: "B", by: "tie", votes: [1, 2, 2] });
  assert.deepEqual(decision(["C0", "B0", UNREAD, LATE, LATE]), { decision: "B", by: "tie", votes: [0, 1, 1] });
});

Deno.test("decide() counts five options where there are five", () => {
  const votes = decision(["E10", "D20", "E30", "A40", "B50"], allocation);
  assert.deepEqual(votes, { decision: "E", by: "plurality", votes: [1, 1, 0, 1, 2] });
});

Deno.test("decide() decides nothing where no ballot could be read", () => {
  for (const ballots of [[UNREAD, LATE, UNREAD, UNREAD, UNREAD], []]) {
    assert.deepEqual(decide(voted(ballots, "A 0 of 0"), five), {
      kind: "run.decided",
      by: "none",
      votes: [0, 0, 0],
      clerk: "disagrees",
    });
  }
});

Deno.test("a ballot that was normalised counts as one that was read", () => {
  const value = { decision: "C", confidence: 30 };
  const slot: BallotSlot = { reading: { kind: "normalised", value, repairs: ["code_fence"] }, text: "", tries: 1 };
  assert.deepEqual(valueOf(slot.reading), value);
  assert.deepEqual(decision([slot]).votes, [0, 0, 1]);
  for (const unread of [UNREAD, LATE, undefined]) assert.equal(valueOf(unread?.reading), undefined);
});

Deno.test("the clerk is checked against the ballots, which stand whatever it says", () => {
  const ballots = ["B70", "B70", "B70", "A60", UNREAD];
  const checks: readonly [string | ClerkReading | undefined, string][] = [
    ["B 3 of 4", "agrees"],
    ["A 3 of 4", "disagrees"],
    ["B 2 of 4", "disagrees"],
    ["B 3 of 5", "disagrees"],
    [{ kind: "normalised", value: { decision: "B", majority_count: 3, total: 4 }, repairs: ["code_fence"] }, "agrees"],
    [{ kind: "invalid", code: "not_json", message: "no" }, "unreadable"],
    [{ kind: "missing", code: "server", message: "down" }, "unreadable"],
    [undefined, "unreadable"],
  ];
  for (const [clerk, verdict] of checks) {
    assert.deepEqual(decide(voted(ballots, clerk), five), {
      kind: "run.decided",
      decision: "B",
      by: "majority",
      votes: [1, 3, 0],
      clerk: verdict,
    });
  }
});
