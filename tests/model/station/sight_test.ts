import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { readSeat, readSight } from "@/model/station/sight.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import { COUNCIL, type CouncilRole } from "@/schema/station_ids.ts";
import { PLAN, proposal, request, stateOf } from "./requests.ts";

const read = ({ messages }: ChatRequest) => readSight(messages[1]!.content, readSeat(messages[0]!.content));

const usable = { rawValid: true, normalisedValid: true, repairs: [] };
const acted = (role: CouncilRole, rest: Partial<Extract<StationEvent, { kind: "action.taken" }>>): StationEvent => ({
  kind: "action.taken",
  round: 3,
  role,
  origin: { kind: "model", calls: [0] },
  reading: usable,
  action: "speak",
  ...rest,
});
const past: StationEvent[] = [
  { kind: "round.opened", round: 3, order: [...COUNCIL] },
  {
    kind: "shock.struck",
    round: 3,
    shock: { id: "M1", kind: "market_offer", by: "X2_MARKET", severity: 1, text: "Crates are bought up." },
  },
  acted("C2_EQUITY", { action: "audit" }),
  acted("C4_CIVIL", { action: "fact_check", target: "R1", statement: "OPEN PROPOSALS\n\nRUMOURS\nnone" }),
  acted("F1_OUTER", { action: "vote", target: "P1", support: false, statement: "No: never." }),
];
const state = stateOf({
  round: 3,
  order: 0.72,
  authority: 0.66,
  power: 91.6,
  tokens: 9,
  rumors: [
    { id: "R0", text: "They say: all lies.", heat: 0.41, growth: 1, from: "X1_RUMOR" },
    { id: "R1", text: "They say more.", heat: 0.62, growth: 1, from: "X1_RUMOR" },
  ],
  offers: [{ id: "M1", pressure: 0.3, text: "Crates are bought up." }],
  scandals: [{ id: "S1", load: 0.87, text: "A store is found." }],
  edges: ["C1_COMMAND|C2_EQUITY", "C2_EQUITY|F1_OUTER", "C3_ENGINEER|C4_CIVIL"],
  proposals: [
    proposal("P1", "C1_COMMAND", { C1_COMMAND: 4, C3_ENGINEER: 1, F1_OUTER: -4 }),
    proposal("P2", "F2_SPONSOR", {}),
  ],
});

Deno.test("a turn is read as it was shown", () => {
  const sight = read(request("C2_EQUITY", { state, past, schemaShown: false }));
  assert.equal(sight.role, "C2_EQUITY");
  assert.equal(sight.schemaShown, false);
  assert.deepEqual([sight.round, sight.hoursLeft, sight.tokens], [3, 8, 9]);
  assert.deepEqual(sight.stock.people, { outer_ring: 80, crew: 50, sponsor_deck: 30, medical: 20 });
  assert.deepEqual([sight.stock.seats, sight.stock.powerUnits, sight.stock.needs.life_support], [100, 100, 40]);
  assert.deepEqual(sight.open, [
    { id: "P1", by: "C1_COMMAND", plan: PLAN, votes: { C1_COMMAND: 1, C3_ENGINEER: 0.25, F1_OUTER: -1 } },
    { id: "P2", by: "F2_SPONSOR", plan: PLAN, votes: {} },
  ]);
  assert.deepEqual(sight.rumors, [{ id: "R0", text: "They say: all lies." }, { id: "R1", text: "They say more." }]);
  assert.deepEqual(sight.tied, ["C1_COMMAND", "F1_OUTER"]);
  assert.deepEqual([...sight.news], ["X2_MARKET"]);
  assert.deepEqual([...sight.done], ["audit", "fact_check R1", "vote P1 against"]);
});

Deno.test("each office reads its own private lines, and no other's", () => {
  const nothing = { power: undefined, panic: undefined, scandals: [], heats: [], offers: [] };
  const expected = {
    C1_COMMAND: nothing,
    C2_EQUITY: { ...nothing, scandals: [{ id: "S1", size: 0.87 }] },
    C3_ENGINEER: { ...nothing, power: 91.6 },
    C4_CIVIL: { ...nothing, heats: [{ id: "R0", size: 0.41 }, { id: "R1", size: 0.62 }] },
    F1_OUTER: { ...nothing, panic: 0.3 },
    F2_SPONSOR: { ...nothing, panic: 0.3, offers: [{ id: "M1", size: 0.3 }] },
  };
  for (const role of COUNCIL) assert.deepEqual(read(request(role, { state, past })).privately, expected[role], role);
});

Deno.test("an empty station reads as empty", () => {
  const sight = read(request("C1_COMMAND"));
  assert.deepEqual([sight.open, sight.rumors, sight.tied, [...sight.news], [...sight.done]], [[], [], [], [], []]);
});

Deno.test("sections it knows nothing of may stand between", () => {
  const [, user] = request("C2_EQUITY", { state, past }).messages;
  const more = user!.content.replace("\n\nTIES\n", "\n\nPASSED PLANS\nP0 by C1_COMMAND\n\nTIES\n");
  const seat = readSeat(request("C2_EQUITY").messages[0]!.content);
  assert.deepEqual(readSight(more, seat), readSight(user!.content, seat));
});

Deno.test("the seat: role, schema shown or not, the actions listed", () => {
  for (const role of COUNCIL) {
    for (const schemaShown of [true, false]) {
      const seat = readSeat(request(role, { schemaShown }).messages[0]!.content);
      assert.deepEqual([seat.role, seat.schemaShown], [role, schemaShown]);
      assert.equal(seat.allowed.has("sabotage"), ["C3_ENGINEER", "F1_OUTER", "F2_SPONSOR"].includes(role));
      assert.equal(
        seat.allowed.size,
        { C1_COMMAND: 21, F2_SPONSOR: 22, C3_ENGINEER: 21, F1_OUTER: 21 }[role as string] ?? 20,
      );
    }
  }
});

Deno.test("a turn with another layout is a UserError that names what is missing", () => {
  const seat = readSeat(request("C2_EQUITY").messages[0]!.content);
  const turn = request("C2_EQUITY", { state, past }).messages[1]!.content;
  const spoilt: [RegExp, string][] = [
    [/^ROUND/, "TURN"],
    ...["STATION", "OPEN PROPOSALS", "RUMOURS", "TIES", "THIS ROUND", "FOR YOU ALONE", "YOUR LAST REPLY"].map((
      heading,
    ) => [new RegExp(`\n\n${heading}\n`), "\n\nELSE\n"] as [RegExp, string]),
    [/public order/, "order"],
    [/compute tokens/, "tokens"],
    [/crew 50/, "staff 50"],
    [/P1 by/, "P1 from"],
    [/; power life_support 40/, "; power life 40"],
  ];
  for (const [pattern, instead] of spoilt) {
    assert.match(turn, pattern);
    assert.throws(() => readSight(turn.replace(pattern, instead), seat), (error) => {
      assert.ok(error instanceof UserError, String(pattern));
      assert.match(error.message, /scenarios\/mosaic-9\.json/);
      return true;
    });
  }
});

Deno.test("a system prompt without a council role or a list of actions is a UserError", () => {
  const system = request("C2_EQUITY").messages[0]!.content;
  for (const text of ["", system.replace("C2_EQUITY", "C9_NOBODY"), system.replace("\nACTIONS\n", "\nDEEDS\n")]) {
    assert.throws(() => readSeat(text), UserError);
  }
});
