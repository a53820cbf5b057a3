import fc from "fast-check";
import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { PARAMETERS } from "@/model/station/parameters.ts";
import { draftPlan } from "@/model/station/policies.ts";
import { readSeat, readSight } from "@/model/station/sight.ts";
import { stationPersona } from "@/model/station/station_persona.ts";
import {
  BREAKS,
  garble,
  inDialect,
  inSchema,
  NEAR_MISSES,
  planIn,
  readOwnReply,
  writeReply,
} from "@/model/station/write_reply.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import { ActionName, COUNCIL, type CouncilRole, Plan } from "@/schema/station_ids.ts";
import { planFlaw } from "@/station/executability.ts";
import { parseProposal } from "@/station/parse_proposal.ts";
import { parseReply } from "@/station/parse_reply.ts";
import { RULES } from "@/station/rules.ts";
import type { StationState } from "@/station/state.ts";
import { PLAN, proposal, request, stateOf } from "./requests.ts";

const SEEDS = 400;

/** How often a persona does what, as `action target`, over many seeds. */
async function shares(persona: string, role: CouncilRole, state: StationState, past: readonly StationEvent[] = []) {
  const chat = stationPersona(persona);
  const counts = new Map<string, number>();
  for (let seed = 0; seed < SEEDS; seed++) {
    const { action, target } = JSON.parse((await chat(request(role, { state, past, seed }))).text);
    const deed = [action, target].filter((word) => word !== undefined).join(" ");
    counts.set(deed, (counts.get(deed) ?? 0) + 1 / SEEDS);
  }
  return (deed: string) => counts.get(deed) ?? 0;
}

/** Four standard errors of a share. */
function near(share: number, expected: number): void {
  const error = 4 * Math.sqrt((expected * (1 - expected)) / SEEDS) + 1e-9;
  assert.ok(Math.abs(share - expected) <= error, `${share} instead of ${expected}`);
}

const quiet = { factions: { outer: calm(), sponsor: calm() } };
function calm() {
  return { sentiment: 0.8, panic: 0, trust: 0.7 };
}
const rumor = (id: string, heat: number) => ({ id, text: "They say it is so.", heat, growth: 1, from: "X1_RUMOR" });

Deno.test("each office sees to its own trouble where a triage council finds nothing to vote on", async () => {
  const troubled = stateOf({
    round: 3,
    power: 90,
    rumors: [rumor("R1", 0.4), rumor("R2", 0.6)],
    scandals: [{ id: "S1", load: 0.9, text: "A store." }],
    offers: [{ id: "M1", pressure: 0.3, text: "Crates." }],
    proposals: [proposal("P1", "C1_COMMAND", Object.fromEntries(COUNCIL.map((role) => [role, 4])))],
  });
  const duties = {
    C2_EQUITY: "audit",
    C3_ENGINEER: "repair",
    C4_CIVIL: "fact_check R2",
    F1_OUTER: "appeal",
    F2_SPONSOR: "allocate",
  } as const;
  for (const [role, duty] of Object.entries(duties)) {
    near((await shares("triage", role as CouncilRole, troubled))(duty), 1);
  }
  const poor = { ...troubled, tokens: 0 };
  near((await shares("triage", "C4_CIVIL", poor))("moderate"), 1);
  near((await shares("triage", "C2_EQUITY", poor))("audit"), 0);
});

Deno.test("triage proposes at once, and backs the plan that covers most", async () => {
  near((await shares("triage", "C1_COMMAND", stateOf(quiet)))("propose"), 1);
  near((await shares("triage", "C1_COMMAND", stateOf({ ...quiet, round: 2 })))("propose"), 0.08);
  const thin = { ...PLAN, power: { ...PLAN.power, life_support: 20 } };
  const two = stateOf({ ...quiet, proposals: [proposal("P1", "C2_EQUITY", {}, thin), proposal("P2", "C3_ENGINEER")] });
  const does = await shares("triage", "C1_COMMAND", two);
  near(does("endorse P2"), 0.48);
  assert.equal(does("endorse P1"), 0);
});

Deno.test("the coalition builder ties first, then backs its partners sooner than others", async () => {
  const open = [proposal("P1", "C2_EQUITY", { C2_EQUITY: 4 })];
  const first = await shares("coalition", "C1_COMMAND", stateOf({ ...quiet, proposals: open }));
  near(COUNCIL.slice(1).reduce((sum, other) => sum + first(`form_coalition ${other}`), 0), 1);
  near(first("form_coalition F1_OUTER"), 1 / 5);
  const tied = (edge: string) => stateOf({ ...quiet, round: 2, edges: [edge], proposals: open });
  near((await shares("coalition", "C1_COMMAND", tied("C1_COMMAND|C2_EQUITY")))("endorse P1"), 0.7);
  near((await shares("coalition", "C1_COMMAND", tied("C1_COMMAND|F1_OUTER")))("endorse P1"), 0.3);
  const gathered = COUNCIL.slice(1, 5).map((other) => `C1_COMMAND|${other}`);
  near((await shares("coalition", "C1_COMMAND", stateOf({ ...quiet, edges: gathered })))("propose"), 0.07);
});

Deno.test("the auditor checks first, proposes in the middle rounds only, and backs the more the less is open", async () => {
  const rumors = [rumor("R1", 0.25)];
  near((await shares("auditor", "F1_OUTER", stateOf({ ...quiet, rumors })))("fact_check R1"), 0.6);
  near((await shares("auditor", "F1_OUTER", stateOf({ ...quiet, rumors, tokens: 0 })))("fact_check R1"), 0);
  for (const [round, share] of [[1, 0], [2, 0.25], [4, 0.25], [5, 0]] as const) {
    near((await shares("auditor", "F1_OUTER", stateOf({ ...quiet, round })))("propose"), share);
  }
  near((await shares("auditor", "C1_COMMAND", stateOf({ ...quiet, round: 3 })))("propose"), 0.8);
  const proposals = [proposal("P1", "C2_EQUITY")];
  near((await shares("auditor", "F1_OUTER", stateOf({ ...quiet, proposals })))("endorse P1"), 0.6);
  near((await shares("auditor", "F1_OUTER", stateOf({ ...quiet, proposals, rumors })))("endorse P1"), 0.4 * 0.3);
});

Deno.test("the broadcaster turns to the public first and to plans later", async () => {
  const proposals = [proposal("P1", "C2_EQUITY")];
  for (const [round, inform] of [[1, 0.75], [2, 0.75], [3, 0.4]] as const) {
    const does = await shares("broadcaster", "C1_COMMAND", stateOf({ ...quiet, round, proposals }));
    near(does("broadcast"), inform);
    near(does("endorse P1"), (1 - inform) * 0.8);
  }
});

Deno.test("the split council backs its own camp, seldom concedes, and never before round 3", async () => {
  const rival = stateOf({ ...quiet, proposals: [proposal("P1", "C1_COMMAND")] });
  near((await shares("split", "F1_OUTER", rival))("fork_proposal P1"), 0.8);
  near((await shares("split", "C3_ENGINEER", rival))("endorse P1"), 0.8);
  const both = [proposal("P1", "C1_COMMAND"), proposal("P2", "C2_EQUITY", { C2_EQUITY: 4, F1_OUTER: 4 })];
  for (const [round, share] of [[2, 0], [3, 0.1]] as const) {
    const does = await shares("split", "F1_OUTER", stateOf({ ...quiet, round, proposals: both }));
    near(does("vote P1"), share);
    near(does("oppose P1"), 0.13);
    assert.equal(does("endorse P1"), 0);
  }
});

Deno.test("the chaser files for three rounds, backs whatever is open, and then broadcasts whatever happens", async () => {
  for (const [round, deed] of [[1, "propose"], [3, "propose"], [4, "broadcast"], [6, "broadcast"]] as const) {
    near((await shares("chaser", "C2_EQUITY", stateOf({ round, rumors: [rumor("R1", 0.9)] })))(deed), 1);
  }
  near((await shares("chaser", "C2_EQUITY", stateOf({ proposals: [proposal("P1", "F1_OUTER")] })))("endorse P1"), 1);
});

Deno.test("a clerk's quarters are no vote of one's own: the plan is still backed; a whole vote is not given twice", async () => {
  for (const [quarters, share] of [[0, 0.48], [1, 0.48], [3, 0.48], [4, 0]] as const) {
    const open = [proposal("P1", "C1_COMMAND", { C1_COMMAND: 4, F1_OUTER: quarters })];
    near((await shares("triage", "F1_OUTER", stateOf({ ...quiet, round: 2, proposals: open })))("endorse P1"), share);
  }
});

Deno.test("a duty is read from the mandate's words: another role's comes with them, and none stays without them", async () => {
  const state = stateOf({ ...quiet, round: 3, power: 90 });
  const { messages: [system, turn], ...asked } = request("C3_ENGINEER", { state });
  const { C3_ENGINEER: own, F2_SPONSOR: other } = RULES.roles;
  const acts = async (mandate: string, user = turn!.content) => {
    const said = { role: "system" as const, content: system!.content.replace(own.mandate, mandate) };
    const seeds = Array.from({ length: 60 }, (_, seed) => seed);
    const replies = await Promise.all(
      seeds.map((seed) =>
        stationPersona("auditor")({ ...asked, seed, messages: [said, { role: "user", content: user }] })
      ),
    );
    return new Set(replies.map(({ text }): string => JSON.parse(text).action));
  };
  const market = turn!.content.replace("THIS ROUND\nnone", "THIS ROUND\nX2_MARKET: Crates.");
  assert.ok((await acts(own.mandate)).has("repair"));
  const without = await acts("", market);
  assert.ok(!without.has("repair") && !without.has("allocate"));
  const exchanged = await acts(other.mandate, market);
  assert.ok(exchanged.has("allocate") && !exchanged.has("repair"));
});

Deno.test("at T = 0 the likelier course is certain whatever the seed; hotter, the unlikely one comes more often", async () => {
  const open = [proposal("P1", "C1_COMMAND")];
  const asked = request("F1_OUTER", { state: stateOf({ ...quiet, round: 2, proposals: open }) });
  const endorses = async (temperature: number) => {
    let count = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const { text } = await stationPersona("broadcaster")({ ...asked, seed, temperature });
      if (JSON.parse(text).action === "broadcast") count++;
    }
    return count / SEEDS;
  };
  assert.equal(await endorses(0), 1);
  near(await endorses(0.7), 0.75);
  // Odds of 3 at heat 2 are √3.
  near(await endorses(1.4), Math.sqrt(3) / (1 + Math.sqrt(3)));
});

Deno.test("each side schemes by its own means, seldom, and only with nothing else to do", async () => {
  const mine = Object.fromEntries(COUNCIL.map((role) => [role, 4]));
  const proposals = [proposal("P1", "F1_OUTER", mine), proposal("P2", "C1_COMMAND", mine)];
  const idle = stateOf({ ...quiet, round: 2, proposals });
  for (const [role, deeds] of [["C2_EQUITY", ["leak"]], ["F1_OUTER", ["spread_rumor", "sabotage"]]] as const) {
    const share = await shares("split", role, idle);
    near(deeds.reduce((sum, deed) => sum + share(deed), 0), 0.05);
    near(share("speak"), 0.95);
  }
});

const LEANINGS = [
  PARAMETERS.triage.leaning,
  PARAMETERS.coalition.leaning,
  PARAMETERS.auditor.leaning,
  PARAMETERS.broadcaster.leaning,
  PARAMETERS.chaser.leaning,
  PARAMETERS.camps.ring.leaning,
  PARAMETERS.camps.docks.leaning,
];

Deno.test("the parameters name roles and actions of the station: six in two camps, each with its schemes", () => {
  const { camps, split } = PARAMETERS;
  assert.deepEqual([...camps.ring.members, ...camps.docks.members].toSorted(), [...COUNCIL]);
  assert.deepEqual(Object.keys(split.schemes), [...COUNCIL]);
  for (const action of Object.values(split.schemes).flat()) assert.ok(ActionName.safeParse(action).success, action);
});

Deno.test("every plan keeps its budgets, fills the seats, and whoever knows the power keeps to it", () => {
  for (const power of [100, 83.7, 40]) {
    for (const role of COUNCIL) {
      const [system, user] = request(role, { state: stateOf({ power }) }).messages;
      const sight = readSight(user!.content, readSeat(system!.content));
      for (const leaning of LEANINGS) {
        for (let seed = 0; seed < 10; seed++) {
          const plan = Plan.parse(draftPlan(sight, leaning, createRng(seed)));
          assert.equal(planFlaw(plan), undefined);
          const seats = Object.values(plan.seats).reduce((a, b) => a + b);
          const units = Object.values(plan.power).reduce((a, b) => a + b);
          assert.deepEqual([seats, units], [100, role === "C3_ENGINEER" ? Math.floor(power) : 100]);
        }
      }
    }
  }
});

const amount = fc.nat(99);
const plain = { noNullPrototype: true };
const anyPlan = fc.record({
  seats: fc.record({ outer_ring: amount, crew: amount, sponsor_deck: amount, medical: amount }, plain),
  power: fc.record(
    { life_support: amount, docking: amount, outer_ring: amount, sponsor_deck: amount, comms: amount },
    plain,
  ),
}, plain);

Deno.test("the schema's shape is read strictly; no near miss is, but the normaliser reads each without moving a number", () => {
  fc.assert(fc.property(anyPlan, (plan) => {
    const strict = parseProposal(JSON.stringify(inSchema(plan)), { normaliser: false });
    assert.ok(strict.ok);
    assert.deepEqual(strict.value.plan, plan);
    for (const write of NEAR_MISSES) {
      const text = JSON.stringify(write(plan));
      assert.ok(!parseProposal(text, { normaliser: false }).ok, text);
      const lenient = parseProposal(text, { normaliser: true });
      assert.ok(lenient.ok, text);
      assert.deepEqual(lenient.value.plan, plan);
      assert.ok(lenient.value.repairs.length > 0);
    }
  }));
});

Deno.test("the dialect in full, by hand", () => {
  assert.deepEqual(inDialect(PLAN), {
    evacuation: [
      { group: "Outer Ring", seats: "44 seats" },
      { group: "Crew", seats: "28 seats" },
      { group: "Sponsor Deck", seats: "17 seats" },
      { group: "Medical", seats: "11 seats" },
    ],
    energy: {
      lifeSupport: "40 units",
      docking: "25 units",
      outerRing: "17 units",
      sponsorDeck: "10 units",
      comms: "8 units",
    },
  });
});

Deno.test("its own reply gives back the deed it meant, in whatever dialect", () => {
  fc.assert(fc.property(anyPlan, (plan) => {
    for (const write of [inSchema, ...NEAR_MISSES]) {
      const deed = { action: "fork_proposal", target: "P12", plan } as const;
      assert.deepEqual(readOwnReply(writeReply(deed, "So be it.", write)), { deed, statement: "So be it." });
    }
  }));
  assert.deepEqual(planIn({ seats: { crew: 1 } }), undefined, "too few amounts");
  for (const broken of ["", "null", "[]", '{"action":"dance"}', '{"action":"speak"']) {
    assert.equal(readOwnReply(broken), undefined);
  }
});

Deno.test("a garbled reply can be read by no parser", () => {
  const replies = [
    writeReply({ action: "propose", plan: PLAN }, "A plan, at last.", inSchema),
    writeReply({ action: "speak" }, "Nothing to add.", inSchema),
    writeReply({ action: "fact_check", target: "R1" }, undefined, inSchema),
  ];
  for (const reply of replies) {
    assert.ok(parseReply(reply, { normaliser: false }).ok);
    for (let seed = 0; seed < 60; seed++) {
      for (const spoil of [...BREAKS, garble]) {
        const text = spoil(reply, createRng(seed));
        assert.ok(!parseReply(text, { normaliser: true }).ok, text);
        assert.ok(!parseReply(text, { normaliser: false }).ok, text);
      }
    }
  }
});
