import assert from "node:assert/strict";
import { closeRound, moderateHottest } from "@/station/close_round.ts";
import { assertMoved, near, PLAN, proposal, rumor, station } from "./fixtures.ts";

const heats = [rumor("R1", 0.5, 1.1), rumor("R2", 0.25, 0.7)];
const outer = { sentiment: 0.8, panic: 0.4, trust: 0.65 };
const sponsor = { sentiment: 0.8, panic: 0.2, trust: 0.65 };

/** H = 0.75, X = 1, M = 0.5, N = 0.3, K = 4/8, a tenth of the power gone. */
const room = station({
  round: 3,
  order: 0.8,
  trust: 0.6,
  info: 0.7,
  authority: 0.5,
  power: 90,
  manipulation: 1,
  rumors: heats,
  scandals: [{ id: "S1", load: 1, text: "" }],
  offers: [{ id: "M1", pressure: 0.5, text: "" }],
  factions: { outer, sponsor },
  edges: ["C1_COMMAND|C2_EQUITY", "C1_COMMAND|C3_ENGINEER", "C1_COMMAND|C4_CIVIL", "C1_COMMAND|F1_OUTER"],
});

/** The same close on paper, without a plan. */
const closed = {
  order: 0.8 - 0.011325 - 0.0155 - 0.01525 - 0.009 - 0.004,
  info: 0.7 - 0.009 - 0.006 + 0.03,
  trust: 0.6 - 0.005 + 0.0075,
  manipulation: 0.5 + (0.075 + 0.1) * (1 - 0.665),
  rumors: [{ ...heats[0]!, heat: 0.55 }],
  offers: [{ id: "M1", pressure: 0.4, text: "" }],
  scandals: [{ id: "S1", load: 0.896, text: "" }],
  factions: {
    outer: { sentiment: 0.8 + 0.2 * (0.4 - 0.8), panic: 0.32, trust: 0.65 + 0.2 * (0.36 - 0.65) },
    sponsor: { sentiment: 0.8 + 0.2 * (0.6 - 0.8), panic: 0.16, trust: 0.65 + 0.2 * (0.48 - 0.65) },
  },
};

Deno.test("closeRound() of a small station worked out on paper", () => assertMoved(closeRound(room), room, closed));

/** Seats 1; power 0.9 of 40, 25, 15, 10, 10 given; command 0.5 · 1. */
const e = 0.4 + 0.35 * 0.9 * (0.5 + 0.3 + 0.2 * (0.6 + 2 / 3 + 1) / 3) + 0.125;
const four = { C1_COMMAND: 4, C2_EQUITY: 4, C3_ENGINEER: 4, F1_OUTER: 4 };

Deno.test("closeRound(): a passed plan lifts order, information, trust and authority by its executability", () => {
  for (const status of ["passed", "executed"] as const) {
    const passed = { ...room, proposals: [proposal({ status, votes: four })] };
    assertMoved(closeRound(passed), passed, {
      ...closed,
      order: closed.order + 0.012 * e,
      info: closed.info + 0.025 * e,
      trust: closed.trust + 0.015 * e,
      authority: 0.5 + 0.07 * e,
    });
  }
});

Deno.test("closeRound(): an open or blocked plan lifts nothing, nor one that cannot be carried out any more", () => {
  for (const status of ["open", "blocked", "invalid"] as const) {
    const idle = { ...room, proposals: [proposal({ status, votes: four })] };
    assertMoved(closeRound(idle), idle, closed);
  }
  const power = { life_support: 0, docking: 0, outer_ring: 0, sponsor_deck: 0, comms: 0 };
  const dark = { ...room, proposals: [proposal({ status: "executed", votes: four, plan: { ...PLAN, power } })] };
  // Executability 0.525.
  assertMoved(closeRound(dark), dark, closed);
});

Deno.test("closeRound(): levels stay in [0, 1], growth stops at heat 1", () => {
  const worst = closeRound(station({ order: 0.001, trust: 0, info: 0, power: 0, rumors: [rumor("R1", 0.95, 1.1)] }));
  assert.deepEqual([worst.order, worst.trust, worst.rumors[0]!.heat], [0, 0, 1]);
  const best = closeRound({
    ...station({
      order: 1,
      trust: 1,
      info: 1,
      authority: 1,
      proposals: [proposal({ status: "executed", votes: four })],
    }),
    factions: { outer: { ...outer, panic: 0 }, sponsor: { ...sponsor, panic: 0 } },
  });
  assert.deepEqual([best.order, best.trust, best.info, best.authority], [1, 1, 1, 1]);
});

Deno.test("closeRound(): more panic than order pulls a faction's sentiment to 0, not below", () => {
  near(closeRound({ ...room, order: 0.1 }).factions.outer.sentiment, 0.8 * 0.8);
});

Deno.test("closeRound(): ties count up to eight", () => {
  const calm = { ...room, scandals: [] };
  const trust = (ties: number) => closeRound({ ...calm, edges: Array.from({ length: ties }, (_, i) => `${i}`) }).trust;
  near(trust(0), 0.6);
  near(trust(7), 0.6 + 0.015 * 7 / 8);
  near(trust(8), 0.615);
  near(trust(15), 0.615);
});

Deno.test("closeRound(): manipulation fades by half, and gains nothing where information is whole", () => {
  near(closeRound({ ...room, info: 1, rumors: [], offers: [] }).manipulation, 0.5);
  near(closeRound({ ...room, info: 1 }).manipulation, 0.5 + 0.175 * 0.05);
});

Deno.test("closeRound(): a rumour lives from heat 0.2 on", () => {
  const left = closeRound({ ...room, rumors: [rumor("R1", 0.2), rumor("R2", 0.1999)] }).rumors;
  assert.deepEqual(left.map(({ id }) => id), ["R1"]);
});

Deno.test("moderateHottest() cools the named rumour by a tenth, which may end it", () => {
  const before = { ...room, rumors: [rumor("R1", 0.5), rumor("R2", 0.21)] };
  assertMoved(moderateHottest(before, "R1"), before, { rumors: [rumor("R1", 0.45), rumor("R2", 0.21)] });
  assertMoved(moderateHottest(before, "R2"), before, { rumors: [rumor("R1", 0.5)] });
  assertMoved(moderateHottest(before, "R9"), before, {});
});
