import assert from "node:assert/strict";
import { ACTIONS, type CouncilRole } from "@/schema/station_ids.ts";
import { applyAction, edge } from "@/station/apply_action.ts";
import type { StationState } from "@/station/state.ts";
import { type ActionTaken, assertMoved, filing, PLAN, proposal, rumor, station, taken } from "./fixtures.ts";

const outer = { sentiment: 0.5, panic: 0.6, trust: 0.5 };
const sponsor = { sentiment: 0.4, panic: 0.7, trust: 0.3 };
const P1 = proposal({ id: "P1", by: "C1_COMMAND", votes: { C1_COMMAND: 4, C4_CIVIL: 4, F1_OUTER: -4, F2_SPONSOR: 1 } });
const P2 = proposal({ id: "P2", by: "C3_ENGINEER", votes: { C3_ENGINEER: 1, C2_EQUITY: 2 } });

/** All in the middle, so that nothing is clamped; R2 and R3 are equally hot. */
const room = station({
  round: 2,
  order: 0.5,
  trust: 0.5,
  info: 0.5,
  authority: 0.5,
  power: 80,
  tokens: 3,
  manipulation: 1,
  factions: { outer, sponsor },
  rumors: [rumor("R1", 0.4), rumor("R2", 0.8), rumor("R3", 0.8)],
  offers: [{ id: "M1", pressure: 0.2, text: "" }, { id: "M2", pressure: 0.6, text: "" }],
  scandals: [{ id: "S1", load: 0.5, text: "" }, { id: "S2", load: 1.5, text: "" }],
  proposals: [P1, P2],
  edges: ["C1_COMMAND|C3_ENGINEER", "C1_COMMAND|C2_EQUITY", "F1_OUTER|F2_SPONSOR"],
});

const heats = (...values: number[]) => room.rumors.map((one, i) => ({ ...one, heat: values[i]! }));
const panics = (ofOuter: number, ofSponsor: number) => ({
  outer: { ...outer, panic: ofOuter },
  sponsor: { ...sponsor, panic: ofSponsor },
});

/** What each action of a council does to the room, worked out on paper from the rules. */
const EFFECTS: Record<string, [event: Parameters<typeof taken>[0], change: Partial<StationState>]> = {
  speak: [{ action: "speak", statement: "Peace." }, {}],
  observe: [{ action: "observe" }, {}],
  propose: [{ action: "propose", filing: filing() }, {
    proposals: [P1, P2, {
      id: "P9",
      by: "C1_COMMAND",
      round: 2,
      origin: "model",
      status: "open",
      plan: PLAN,
      votes: { C1_COMMAND: 4 },
    }],
  }],
  "fork_proposal: ties to the author of what it changes": [
    { action: "fork_proposal", role: "F2_SPONSOR", target: "P2", filing: filing() },
    {
      proposals: [P1, P2, {
        id: "P9",
        by: "F2_SPONSOR",
        round: 2,
        origin: "model",
        parent: "P2",
        status: "open",
        plan: PLAN,
        votes: { F2_SPONSOR: 4 },
      }],
      edges: [...room.edges, "C3_ENGINEER|F2_SPONSOR"],
    },
  ],
  "endorse: ties to author and backers, not to opponents": [
    { action: "endorse", role: "C2_EQUITY", target: "P1" },
    {
      proposals: [{ ...P1, votes: { ...P1.votes, C2_EQUITY: 4 } }, P2],
      edges: [...room.edges, "C2_EQUITY|C4_CIVIL", "C2_EQUITY|F2_SPONSOR"],
    },
  ],
  "oppose: cuts the tie to the author": [
    { action: "oppose", target: "P2" },
    {
      proposals: [P1, { ...P2, votes: { ...P2.votes, C1_COMMAND: -4 } }],
      edges: ["C1_COMMAND|C2_EQUITY", "F1_OUTER|F2_SPONSOR"],
    },
  ],
  "vote for": [
    { action: "vote", role: "F1_OUTER", target: "P1", support: true },
    { proposals: [{ ...P1, votes: { ...P1.votes, F1_OUTER: 4 } }, P2] },
  ],
  "vote against": [
    { action: "vote", role: "F2_SPONSOR", target: "P1", support: false },
    { proposals: [{ ...P1, votes: { ...P1.votes, F2_SPONSOR: -4 } }, P2] },
  ],
  form_coalition: [
    { action: "form_coalition", role: "F2_SPONSOR", target: "C4_CIVIL" },
    { edges: [...room.edges, "C4_CIVIL|F2_SPONSOR"], trust: 0.52 },
  ],
  "form_coalition: a tie that is there is not made twice": [
    { action: "form_coalition", role: "C3_ENGINEER", target: "C1_COMMAND" },
    { trust: 0.52 },
  ],
  defect: [{ action: "defect" }, {
    proposals: [{ ...P1, votes: { C4_CIVIL: 4, F1_OUTER: -4, F2_SPONSOR: 1 } }, P2],
    edges: ["F1_OUTER|F2_SPONSOR"],
    trust: 0.47,
  }],
  broadcast: [{ action: "broadcast" }, { rumors: heats(0.34, 0.68, 0.68), order: 0.52, info: 0.515, trust: 0.51 }],
  "moderate: the first of the hottest": [{ action: "moderate" }, { rumors: heats(0.4, 0.68, 0.8), order: 0.535 }],
  "fact_check: the named rumour": [
    { action: "fact_check", target: "R1" },
    { rumors: heats(0.14, 0.8, 0.8), info: 0.58, tokens: 2 },
  ],
  "fact_check: else the hottest": [{ action: "fact_check" }, { rumors: heats(0.4, 0.28, 0.8), info: 0.58, tokens: 2 }],
  "audit: the largest scandal": [{ action: "audit" }, {
    scandals: [room.scandals[0]!, { ...room.scandals[1]!, load: 0.5 }],
    info: 0.54,
    trust: 0.52,
    tokens: 1,
  }],
  poll: [{ action: "poll" }, { trust: 0.51, tokens: 2 }],
  "appeal of the Outer Ring": [
    { action: "appeal", role: "F1_OUTER" },
    { factions: panics(0.1, 0.7), trust: 0.52 },
  ],
  "appeal of the sponsor deck": [
    { action: "appeal", role: "F2_SPONSOR" },
    { factions: panics(0.6, 0.2), trust: 0.52 },
  ],
  "appeal of another role": [{ action: "appeal" }, { factions: panics(0.35, 0.45), trust: 0.52 }],
  "allocate: the largest offer": [{ action: "allocate" }, {
    offers: [room.offers[0]!, { ...room.offers[1]!, pressure: 0.3 }],
    factions: panics(0.57, 0.7),
  }],
  repair: [{ action: "repair" }, { power: 86 }],
  leak: [{ action: "leak", round: 3 }, {
    scandals: [...room.scandals, { id: "3C1_COMMAND", load: 0.5, text: "Council papers are passed to the press." }],
    info: 0.47,
    trust: 0.48,
  }],
  "spread_rumor: the role's own words": [{ action: "spread_rumor", role: "F1_OUTER", statement: "They lie." }, {
    rumors: [...room.rumors, { id: "R2F1_OUTER", text: "They lie.", heat: 0.5, growth: 0.9, from: "F1_OUTER" }],
    info: 0.48,
  }],
  bribe: [{ action: "bribe", target: "C2_EQUITY" }, {
    scandals: [...room.scandals, { id: "2C1_COMMAND", load: 0.5, text: "A private advantage was offered." }],
    manipulation: 1.2,
    trust: 0.46,
  }],
  auction: [{ action: "auction" }, { manipulation: 1.1, order: 0.47, factions: panics(0.75, 0.6) }],
  sabotage: [{ action: "sabotage", role: "C3_ENGINEER" }, { power: 72, order: 0.47 }],
};

for (const [name, [event, change]] of Object.entries(EFFECTS)) {
  Deno.test(`applyAction(): ${name}`, () => assertMoved(applyAction(room, taken(event)), room, change));
}

Deno.test("applyAction(): all 22 actions are covered above", () => {
  assert.deepEqual(new Set(Object.values(EFFECTS).map(([{ action }]) => action)), new Set(ACTIONS));
});

Deno.test("applyAction(): a refused action changes nothing", () => {
  for (const [event] of Object.values(EFFECTS)) {
    assert.equal(applyAction(room, taken({ ...event, refused: "no_tokens" })), room);
  }
});

Deno.test("applyAction(): without the tokens it takes an action changes nothing, with just enough it spends them all", () => {
  for (const [action, price] of [["fact_check", 1], ["poll", 1], ["audit", 2]] as const) {
    const poor = { ...room, tokens: price - 1 };
    assert.equal(applyAction(poor, taken({ action })), poor);
    assert.equal(applyAction({ ...room, tokens: price }, taken({ action })).tokens, 0);
  }
});

Deno.test("applyAction(): levels stop at 1", () => {
  const full = { ...room, order: 0.99, trust: 0.995, info: 0.99, power: 97 };
  assert.equal(applyAction(full, taken({ action: "form_coalition", target: "C4_CIVIL" })).trust, 1);
  assert.deepEqual(pick(applyAction(full, taken({ action: "broadcast" }))), { order: 1, trust: 1, info: 1 });
  assert.equal(applyAction(full, taken({ action: "moderate" })).order, 1);
  assert.equal(applyAction(full, taken({ action: "fact_check" })).info, 1);
  assert.deepEqual(pick(applyAction(full, taken({ action: "audit" }))), { order: 0.99, trust: 1, info: 1 });
  assert.equal(applyAction(full, taken({ action: "poll" })).trust, 1);
  assert.equal(applyAction(full, taken({ action: "appeal" })).trust, 1);
  assert.equal(applyAction(full, taken({ action: "repair" })).power, 100);
  const panicky = { ...room, factions: panics(0.9, 0.5) };
  assert.equal(applyAction(panicky, taken({ action: "auction" })).factions.outer.panic, 1);
});

Deno.test("applyAction(): levels, loads and power stop at 0", () => {
  const empty = { ...room, order: 0.01, trust: 0.01, info: 0.01, power: 5, factions: panics(0.02, 0.05) };
  assert.equal(applyAction(empty, taken({ action: "defect" })).trust, 0);
  assert.deepEqual(pick(applyAction(empty, taken({ action: "leak" }))), { order: 0.01, trust: 0, info: 0 });
  assert.equal(applyAction(empty, taken({ action: "spread_rumor" })).info, 0);
  assert.equal(applyAction(empty, taken({ action: "bribe", target: "C2_EQUITY" })).trust, 0);
  const sabotaged = applyAction(empty, taken({ action: "sabotage" }));
  assert.deepEqual([sabotaged.power, sabotaged.order], [0, 0]);
  assert.equal(applyAction(empty, taken({ action: "allocate" })).factions.outer.panic, 0);
  const auctioned = applyAction(empty, taken({ action: "auction" }));
  assert.deepEqual([auctioned.order, auctioned.factions.sponsor.panic], [0, 0]);
  for (const [role, faction] of [["F1_OUTER", "outer"], ["F2_SPONSOR", "sponsor"]] as const) {
    assert.equal(applyAction(empty, taken({ action: "appeal", role })).factions[faction].panic, 0);
  }
  const small = { ...room, scandals: [{ id: "S1", load: 0.4, text: "" }] };
  assert.equal(applyAction(small, taken({ action: "audit" })).scandals[0]!.load, 0);
});

const pick = ({ order, trust, info }: StationState) => ({ order, trust, info });

Deno.test("applyAction(): with no rumour, scandal or offer there is only the effect on the levels", () => {
  const quiet = { ...room, rumors: [], scandals: [], offers: [] };
  assertMoved(applyAction(quiet, taken({ action: "moderate" })), quiet, { order: 0.535 });
  assertMoved(applyAction(quiet, taken({ action: "fact_check" })), quiet, { info: 0.58, tokens: 2 });
  assertMoved(applyAction(quiet, taken({ action: "audit" })), quiet, { info: 0.54, trust: 0.52, tokens: 1 });
  assertMoved(applyAction(quiet, taken({ action: "allocate" })), quiet, { factions: panics(0.57, 0.7) });
});

Deno.test("applyAction(): what cannot be read or breaks a budget is filed as invalid, with its code", () => {
  const unread = { rawValid: false, normalisedValid: true, repairs: [], code: "needs_repair" };
  const { plan: _, ...words } = filing({ reading: unread });
  const invalid = applyAction(room, taken({ action: "propose", filing: words })).proposals.at(-1)!;
  assert.deepEqual([invalid.status, invalid.flaw, invalid.plan], ["invalid", "needs_repair", undefined]);
  const over = applyAction(room, taken({ action: "propose", filing: filing({ flaw: "power_over_budget" }) })).proposals
    .at(-1)!;
  assert.deepEqual([over.status, over.flaw, over.plan], ["invalid", "power_over_budget", PLAN]);
});

const clerk = (change: Parameters<typeof taken>[0]): ActionTaken =>
  taken({ ...change, origin: { kind: "fallback", cause: "c", calls: [] } });

Deno.test("applyAction(): the clerk's own vote is a quarter", () => {
  const filed = applyAction(room, clerk({ action: "propose", filing: filing() })).proposals.at(-1)!;
  assert.deepEqual([filed.origin, filed.status, filed.votes], ["fallback", "open", { C1_COMMAND: 1 }]);
});

Deno.test("applyAction(): the clerk's endorsement adds a quarter up to a whole vote, and ties to the author alone", () => {
  let state = applyAction(room, clerk({ action: "endorse", role: "C2_EQUITY", target: "P1" }));
  assert.deepEqual(state.edges, room.edges, "C1 and C2 were tied before; no tie to the backers C4 and F2");
  const votes = [state.proposals[0]!.votes.C2_EQUITY];
  for (let i = 0; i < 5; i++) {
    state = applyAction(state, clerk({ action: "endorse", role: "C2_EQUITY", target: "P1" }));
    votes.push(state.proposals[0]!.votes.C2_EQUITY);
  }
  assert.deepEqual(votes, [1, 2, 3, 4, 4, 4]);
  const tied = applyAction(room, clerk({ action: "endorse", role: "F2_SPONSOR", target: "P2" }));
  assert.deepEqual(tied.edges, [...room.edges, "C3_ENGINEER|F2_SPONSOR"]);
});

Deno.test("applyAction(): votes on closed proposals outlive a defection", () => {
  const passed = { ...P1, status: "executed" as const };
  assert.deepEqual(applyAction({ ...room, proposals: [passed] }, taken({ action: "defect" })).proposals, [passed]);
});

Deno.test("edge() is the same from both sides", () => {
  const pair: [CouncilRole, CouncilRole] = ["F1_OUTER", "C2_EQUITY"];
  assert.equal(edge(...pair), "C2_EQUITY|F1_OUTER");
  assert.equal(edge(pair[1], pair[0]), "C2_EQUITY|F1_OUTER");
});
