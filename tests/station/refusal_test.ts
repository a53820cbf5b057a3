import assert from "node:assert/strict";
import { ACTIONS, COUNCIL } from "@/schema/station_ids.ts";
import { refusal } from "@/station/fill_slot.ts";
import { proposal, rumor, station } from "./fixtures.ts";

const room = station({
  proposals: [
    proposal({ id: "P1", by: "C3_ENGINEER" }),
    proposal({ id: "P2", status: "invalid" }),
    proposal({ id: "P3", status: "executed" }),
  ],
  rumors: [rumor("R1", 0.5)],
});

Deno.test("refusal(): auction and sabotage are open to some roles, all else to everyone", () => {
  const only: Record<string, string[]> = {
    auction: ["C1_COMMAND", "F2_SPONSOR"],
    sabotage: ["C3_ENGINEER", "F1_OUTER", "F2_SPONSOR"],
  };
  for (const action of ACTIONS) {
    const target = action === "bribe" || action === "form_coalition" ? undefined : "P1";
    for (const role of COUNCIL) {
      const refused = refusal(room, role, { action, target }) === "action_not_allowed";
      assert.equal(refused, only[action]?.includes(role) === false, `${action} by ${role}`);
    }
  }
});

Deno.test("refusal(): actions upon a proposal need one that is open", () => {
  for (const action of ["endorse", "oppose", "vote", "fork_proposal"] as const) {
    const code = (target?: string) => refusal(room, "C1_COMMAND", { action, target });
    assert.equal(code("P1"), undefined);
    assert.equal(code("P2"), "proposal_not_open");
    assert.equal(code("P3"), "proposal_not_open");
    for (const target of ["P4", "p1", " P1", "R1", "C3_ENGINEER", "__proto__", "constructor", "", undefined]) {
      assert.equal(code(target), "unknown_proposal", `${action} ${target}`);
    }
  }
});

Deno.test("refusal(): nobody endorses their own proposal; opposing, forking or voting on it is theirs to do", () => {
  const own = (action: "endorse" | "oppose" | "vote" | "fork_proposal") =>
    refusal(room, "C3_ENGINEER", { action, target: "P1" });
  assert.equal(own("endorse"), "own_proposal");
  assert.deepEqual([own("oppose"), own("vote"), own("fork_proposal")], [undefined, undefined, undefined]);
});

Deno.test("refusal(): ties and bribes need another role of the council", () => {
  for (const action of ["form_coalition", "bribe"] as const) {
    const code = (target?: string) => refusal(room, "C2_EQUITY", { action, target });
    assert.equal(code("C1_COMMAND"), undefined);
    assert.equal(code("C2_EQUITY"), "own_role");
    for (const target of ["X1_RUMOR", "C9", "P1", "__proto__", "", undefined]) {
      assert.equal(code(target), "unknown_role");
    }
  }
});

Deno.test("refusal(): a fact-check names a rumour that is about, or none", () => {
  const code = (target?: string) => refusal(room, "C4_CIVIL", { action: "fact_check", target });
  assert.deepEqual([code("R1"), code(undefined), code("R2"), code("P1")], [
    undefined,
    undefined,
    "unknown_rumor",
    "unknown_rumor",
  ]);
});

Deno.test("refusal(): with one token too few", () => {
  for (const [action, price] of [["fact_check", 1], ["poll", 1], ["audit", 2]] as const) {
    assert.equal(refusal({ ...room, tokens: price - 1 }, "C1_COMMAND", { action }), "no_tokens");
    assert.equal(refusal({ ...room, tokens: price }, "C1_COMMAND", { action }), undefined);
  }
  for (const action of ACTIONS) {
    if (["fact_check", "poll", "audit"].includes(action)) continue;
    assert.notEqual(refusal({ ...room, tokens: 0 }, "C1_COMMAND", { action, target: "P1" }), "no_tokens");
  }
});
