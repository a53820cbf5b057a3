import assert from "node:assert/strict";
import {
  committeeMeans,
  type DeliberationState,
  initialState,
  preferencesByRound,
  type Turn,
} from "@/deliberation/state.ts";
import { condition } from "./committee.ts";

const committee = await condition({ agents: 3 });

const turn = (round: number, seat: number, preferences: number[]): Turn => ({
  round,
  seat,
  argument: "",
  state: { preferences, confidence: 50, tags: ["a", "b"] },
  repaired: false,
});
const after = (...turns: Turn[]): DeliberationState => ({ ...initialState(committee), turns });

// Spoken in the order 2, 0, 1.
const first = [turn(1, 2, [0, 1, 0]), turn(1, 0, [1, 0, 0]), turn(1, 1, [0.5, 0.25, 0.25])];
const second = [turn(2, 2, [0, 0.5, 0.5]), turn(2, 0, [0.75, 0.25, 0]), turn(2, 1, [0, 0, 1])];

Deno.test("preferencesByRound() gives agents in seat order, whoever spoke first", () => {
  assert.deepEqual(preferencesByRound(after(...first, ...second)), [
    [[1, 0, 0], [0.5, 0.25, 0.25], [0, 1, 0]],
    [[0.75, 0.25, 0], [0, 0, 1], [0, 0.5, 0.5]],
  ]);
});

Deno.test("committeeMeans() is the mean over agents, round by round", () => {
  // Round 1: (1 + 0.5 + 0)/3, (0 + 0.25 + 1)/3, 0.25/3; round 2 alike.
  assert.deepEqual(committeeMeans(after(...first, ...second)), [
    [1.5 / 3, 1.25 / 3, 0.25 / 3],
    [0.75 / 3, 0.75 / 3, 1.5 / 3],
  ]);
});

Deno.test("a round that is not whole is left out, and no round is no mean", () => {
  assert.equal(committeeMeans(after(...first, ...second.slice(0, 2))).length, 1);
  assert.deepEqual(committeeMeans(after(...first.slice(0, 2))), []);
  assert.deepEqual(committeeMeans(after()), []);
});

Deno.test("preferencesByRound() hands out copies: writing into them changes no state", () => {
  const state = after(...first);
  preferencesByRound(state)[0]![0]![0] = 9;
  assert.deepEqual(preferencesByRound(state)[0]![0], [1, 0, 0]);
});
