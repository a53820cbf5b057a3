import fc from "fast-check";
import assert from "node:assert/strict";
import { conditionName } from "@/deliberation/condition_name.ts";
import { conditionHash } from "@/deliberation/deliberate.ts";
import { collectRuns } from "@/runs/collect_runs.ts";
import { surrogateCouncil } from "@/runs/council.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { parseConditionName } from "@/runs/parse_condition_name.ts";
import { Condition, type ConditionSpec } from "@/schema/condition.ts";
import { ROLES } from "@/schema/scenario.ts";
import { userErrorOf } from "./user_error_of.ts";

const load = (spec: Partial<ConditionSpec>) => loadCondition({ scenario: "IM-01", ...spec });

Deno.test("several mandates taken away are one value, named by the ledger in the order of ROLES", async () => {
  const full = await load({});
  const condition = await load({ ablate: "Equity+Chair", temperature: 0.7 });
  assert.equal(conditionName(condition), "IM-01__T0.7__N5__rolesTrue__ablate-Chair+Equity");
  assert.equal(condition.ablate, "Chair+Equity");
  const expected = full.seats.map((seat) => ["Chair", "Equity"].includes(seat.role) ? { ...seat, mandate: "" } : seat);
  assert.deepEqual(condition.seats, expected);
  assert.deepEqual(Condition.parse(condition), condition);
});

Deno.test("none takes nothing away: the condition has no such key and the hash of the full committee", async () => {
  const [full, none] = [await load({}), await load({ ablate: "none", variant: "none" })];
  assert.ok(!("ablate" in none) && !("agents" in none));
  assert.equal(conditionHash(none), conditionHash(full));
});

Deno.test("who sits: labels stay apart, mandate and model go with the role, and the ledger's name tells", async () => {
  const { mixed } = { mixed: await load({ lineup: "mixed" }) };
  const condition = await load({ agents: "Welfare+Chair+Welfare", lineup: "mixed" });
  assert.equal(conditionName(condition), "IM-01__T0.0__N3__rolesTrue__seats-Chair+Welfare+Welfare__multimodel");
  const [chair, welfare] = mixed.seats;
  assert.deepEqual(condition.seats, [chair, welfare, { ...welfare, label: "Welfare-2" }]);
  assert.deepEqual(condition.order.toSorted(), [0, 1, 2]);
  assert.deepEqual(Condition.parse(condition), condition);
});

Deno.test("seats written out that a number would give are that number's condition", async () => {
  for (const agents of [2, 3, 5, 7]) {
    const { seats } = await load({ agents });
    const named = await load({ agents: seats.map(({ role }) => role).toReversed().join("+") });
    assert.equal(conditionHash(named), conditionHash(await load({ agents })));
  }
});

Deno.test("a committee of chosen seats runs to its end, and its runs are as wide as it", async () => {
  const { chat } = await surrogateCouncil();
  const condition = await load({ agents: "Chair+Chair+Rights+Rights", rounds: 2, ablate: "Chair" });
  const { runs } = await collectRuns(condition, { chat, replicates: 2, seed: 1 });
  for (const { preferences, state } of runs) {
    assert.deepEqual(preferences.map((round) => round.length), [4, 4]);
    assert.equal(state.decided!.votes.reduce((sum, n) => sum + n, 0), 4);
  }
  assert.equal(runs.length, 2);
});

Deno.test("what cannot be seated or taken away is refused, naming it", async () => {
  const refusals: readonly (readonly [Partial<ConditionSpec>, RegExp])[] = [
    [{ ablate: "Chair+Chair" }, /^ablate: Chair is named twice in Chair\+Chair/],
    [{ ablate: "Chair+Equty" }, /^unknown role "Equty": did you mean Equity/],
    [
      { ablate: "Equity", agents: "Chair+Welfare" },
      /^ablate: Equity does not sit, .* the seats are Chair and Welfare$/,
    ],
    [{ ablate: "Security", agents: 3 }, /^ablate: Security does not sit, .* Chair, Welfare and Rights$/],
    [{ roles: false, agents: "Chair+Rights" }, /^agents: roles are off, so no seat has a mandate: give the number/],
    [{ agents: "Chair" }, /^agents must be 2 to 26 agents, found 1$/],
    [{ agents: "Chair+Wellfare" }, /^unknown role "Wellfare": did you mean Welfare/],
  ];
  for (const [spec, message] of refusals) {
    const error = await userErrorOf(load(spec));
    assert.match(error.message, message);
    assert.equal(error.exitCode, 2);
  }
});

const written = fc.record({
  ablate: fc.option(fc.shuffledSubarray([...ROLES], { minLength: 1 }), { nil: undefined }),
  again: fc.option(fc.array(fc.constantFrom(...ROLES), { minLength: 1, maxLength: 6 }), { nil: undefined }),
});

Deno.test("ablate and seats come back from a ledger's name, and give the same condition again", async () => {
  await fc.assert(
    fc.asyncProperty(written, async ({ ablate, again }) => {
      // Whoever loses a mandate sits; others may sit once more.
      const agents = again && [...new Set([...ablate ?? [], "Chair"]), ...again].join("+");
      const condition = await load({
        rounds: 3,
        ...(ablate && { ablate: ablate.join("+") }),
        ...(agents && { agents }),
      });
      const read = parseConditionName(conditionName(condition));
      assert.deepEqual(read.ablate?.split("+"), ablate && ROLES.filter((role) => ablate.includes(role)));
      assert.equal(conditionHash(await loadCondition(read)), conditionHash(condition));
    }),
    { numRuns: 60 },
  );
});

for (
  const [name, message] of Object.entries({
    "HL-01__T0.0__N5__rolesTrue__ablate-Chair+Chair": /"ablate-Chair\+Chair" stands where Chair is named twice/,
    "HL-01__T0.0__N2__rolesTrue__seats-Chair+Rights__ablate-Equity": /"ablate-Equity" stands where Equity does not sit/,
    "HL-01__T0.0__N3__rolesTrue__seats-Chair+Rights": /"seats-Chair\+Rights" stands where the roles of 3 seats are/,
    "HL-01__T0.0__N2__rolesFalse__seats-Chair+Rights": /"seats-Chair\+Rights" stands where roles are off/,
  })
) {
  Deno.test(`parseConditionName() refuses "${name}"`, () => {
    assert.throws(() => parseConditionName(name), { name: "UserError", message });
  });
}
