import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { loadLineups, loadPromptPack, loadScenario } from "@/lab/live/scenarios.ts";
import { Condition, conditionKnobs, type ConditionSpec } from "@/schema/condition.ts";
import { ROLES } from "@/schema/scenario.ts";
import fc from "fast-check";
import { conditionName } from "@/deliberation/condition_name.ts";
import { conditionHash } from "@/deliberation/deliberate.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { surrogateCouncil } from "@/lab/live/council.ts";
import { userErrorOf } from "../runs/user_error_of.ts";

Deno.test("what is left out takes the paper's defaults, and the condition is of its schema", async () => {
  const condition = await loadCondition({ scenario: "HL-01" });
  const { packet, prompts, seats, order, ...rest } = condition;
  assert.deepEqual(rest, {
    schema: "condition/1",
    roles: true,
    lineup: "uniform",
    temperature: 0,
    window: 15,
    rounds: 20,
    maxTokens: 600,
  });
  assert.deepEqual(packet, await loadScenario("HL-01"));
  const { ablated: _, ...texts } = await loadPromptPack(), { mandates, ...others } = prompts;
  assert.deepEqual(others, texts, "what only an ablated seat is sent belongs to conditions that have one");
  assert.deepEqual(Object.keys(mandates!), ROLES);
  assert.deepEqual(
    seats,
    ROLES.map((role) => ({ label: role, role, mandate: mandates![role]!, model: "openai/gpt-4.1-mini" })),
  );
  assert.deepEqual(order.toSorted(), [0, 1, 2, 3, 4]);
  assert.deepEqual(Condition.parse(condition), condition);
});

Deno.test("each seat of a mixed line-up has its own model, with roles and without", async () => {
  const { models } = (await loadLineups()).lineups.mixed!;
  for (const roles of [true, false]) {
    const { seats } = await loadCondition({ scenario: "HL-01", lineup: "mixed", roles });
    assert.deepEqual(seats.map(({ model }) => model), ROLES.map((role) => models[role]));
  }
});

Deno.test("where roles are off, labels are neutral and nobody has a mandate", async () => {
  const { seats } = await loadCondition({ scenario: "HL-01", roles: false, agents: 7 });
  assert.deepEqual(seats.map(({ label }) => label), [1, 2, 3, 4, 5, 6, 7].map((n) => `Agent ${n}`));
  assert.ok(seats.every(({ mandate }) => mandate === ""));
});

Deno.test("an ablated role keeps label, model and place and loses its mandate alone", async () => {
  const full = await loadCondition({ scenario: "IM-01" });
  for (const ablate of ROLES) {
    const { ablate: named, seats, ...rest } = await loadCondition({ scenario: "IM-01", ablate });
    const { seats: before, ...same } = full;
    assert.equal(named, ablate);
    assert.deepEqual(rest, same);
    assert.deepEqual(seats, before.map((seat) => (seat.role === ablate ? { ...seat, mandate: "" } : seat)));
  }
});

Deno.test("seats beyond the five repeat the mandates other than the Chair's, numbered", async () => {
  const { seats, prompts } = await loadCondition({ scenario: "IM-01", agents: 14, lineup: "mixed" });
  assert.deepEqual(seats.map(({ label }) => label), [
    ...ROLES,
    "Welfare-2",
    "Rights-2",
    "Equity-2",
    "Security-2",
    "Welfare-3",
    "Rights-3",
    "Equity-3",
    "Security-3",
    "Welfare-4",
  ]);
  for (const { label, role, mandate, model } of seats) {
    assert.equal(role, label.replace(/-\d$/, ""));
    assert.equal(mandate, prompts.mandates![role]);
    assert.equal(model, seats.find((seat) => seat.label === role)!.model);
  }
  const three = await loadCondition({ scenario: "IM-01", agents: 3 });
  assert.deepEqual(three.seats.map(({ label }) => label), ["Chair", "Welfare", "Rights"]);
  const ablated = await loadCondition({ scenario: "IM-01", agents: 7, ablate: "Welfare" });
  const without = ablated.seats.filter(({ mandate }) => mandate === "").map(({ label }) => label);
  assert.deepEqual(without, ["Welfare", "Welfare-2"]);
});

/** The mistake in a specification, which is always a bad argument. */
async function mistake(spec: Record<string, unknown>): Promise<string> {
  try {
    await loadCondition({ scenario: "IM-01", ...spec } as ConditionSpec);
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    assert.equal(error.exitCode, 2);
    return error.message;
  }
  throw new Error(`${JSON.stringify(spec)} was accepted`);
}

Deno.test("an unknown name is answered with the nearest known ones", async () => {
  assert.match(await mistake({ scenario: "HL01" }), /^unknown scenario "HL01": did you mean HL-01\b/);
  assert.match(await mistake({ lineup: "mxied" }), /^unknown line-up "mxied": did you mean mixed\b/);
  assert.match(await mistake({ ablate: "chair" }), /^unknown role "chair": did you mean Chair\b/);
  assert.match(
    await mistake({ temprature: 0.7 }),
    /^unknown condition parameter "temprature": did you mean temperature\b/,
  );
  assert.match(await mistake({ prompts: "standrad" }), /^unknown prompt pack "standrad": did you mean standard\b/);
  assert.match(await mistake({ variant: "fromal" }), /^unknown variant of IM-01 "fromal":/);
});

Deno.test("fault 48: names of an object's own workings are unknown names too", async () => {
  for (const name of ["constructor", "__proto__", "toString", "../lineups"]) {
    assert.match(await mistake({ lineup: name }), /^unknown line-up/);
    assert.match(await mistake({ prompts: name }), /^unknown prompt pack/);
    assert.match(await mistake({ scenario: name }), /^unknown scenario/);
    assert.match(await mistake({ ablate: name }), /^unknown role/);
  }
});

Deno.test("a value out of range is refused, naming the parameter", async () => {
  const outOfRange: readonly [keyof ConditionSpec, unknown[]][] = [
    ["temperature", [-0.1, 2.1, NaN, Infinity, "0.7", null]],
    ["window", [-1, 2.5]],
    ["agents", [1, 0, 27, 5.5]],
    ["rounds", [0, -3, 1.5]],
    ["maxTokens", [0, 0.5]],
    ["roles", ["yes", 1]],
    ["lineup", ["", 3]],
    ["variant", [""]],
  ];
  for (const [name, values] of outOfRange) {
    for (const value of values) {
      const message = await mistake({ [name]: value });
      assert.match(message, new RegExp(`^${name} must `), `${name}: ${value}`);
    }
  }
  for (
    const spec of [{ temperature: 2 }, { window: 0 }, { agents: 2 }, { agents: 26 }, { rounds: 1 }, { maxTokens: 1 }]
  ) {
    await loadCondition({ scenario: "IM-01", ...spec });
  }
});

Deno.test("no mandate can be taken away where roles are off", async () => {
  assert.match(await mistake({ roles: false, ablate: "Chair" }), /no mandate to take away where roles are off/);
});

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

Deno.test("ablate and seats come back among a condition's knobs, and give the same condition again", async () => {
  await fc.assert(
    fc.asyncProperty(written, async ({ ablate, again }) => {
      // Whoever loses a mandate sits; others may sit once more.
      const agents = again && [...new Set([...ablate ?? [], "Chair"]), ...again].join("+");
      const condition = await load({
        rounds: 3,
        ...(ablate && { ablate: ablate.join("+") }),
        ...(agents && { agents }),
      });
      const read = conditionKnobs(condition);
      assert.deepEqual(read.ablate?.split("+"), ablate && ROLES.filter((role) => ablate.includes(role)));
      assert.equal(conditionHash(await loadCondition(read)), conditionHash(condition));
    }),
    { numRuns: 60 },
  );
});
