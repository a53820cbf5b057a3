import assert from "node:assert/strict";
import { qualityOfSurvival } from "@/quality/quality_of_survival.ts";
import { PUBLISHED_WEIGHTS } from "@/quality/weights.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";
import { StationSummary } from "@/schema/station_summary.ts";
import { executability } from "@/station/executability.ts";
import { rulesetName, summarise } from "@/station/summary.ts";
import { council, LABELS, lively, near, ofKind, PLAN, replay, RULESETS, run, say, V1, V2 } from "./fixtures.ts";

const summary = (events: readonly StationEvent[]) => summarise(events, LABELS);
const floor = await run({ seed: 1 });
const live = await run({ seed: 6, council: lively().chat });

Deno.test("rulesetName() names the four rulesets", () => {
  assert.deepEqual(RULESETS.map(rulesetName), ["v1", "v2", "schema shown, strict", "schema hidden, normaliser"]);
});

Deno.test("a summary has the schema's form, the labels, and the levels at the close", () => {
  for (const [events, seed] of [[floor, 1], [live, 6]] as const) {
    const made = summary(events);
    assert.deepEqual(StationSummary.parse(made), made);
    const { order, info, trust, authority, rumors, edges, manipulation, scandals, stabilized } = replay(events);
    assert.deepEqual([made.run_id, made.seed, made.model, made.ruleset, made.synthetic], ["r", seed, "m", "v2", true]);
    assert.deepEqual(made.made, LABELS.made);
    assert.deepEqual(
      [made.public_order, made.info_integrity, made.trust, made.command_authority, made.manipulation_pressure],
      [order, info, trust, authority, manipulation],
    );
    assert.deepEqual([made.active_rumors, made.coalition_edges, made.stabilized], [
      rumors.length,
      edges.length,
      stabilized,
    ]);
    near(made.scandal_load, scandals.reduce((sum, { load }) => sum + load, 0));
  }
});

Deno.test("q comes out again from the stored values, by Appendix A written out anew", () => {
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  for (const events of [floor, live]) {
    const made: StationSummary = JSON.parse(JSON.stringify(summary(events)));
    const again = qualityOfSurvival(made);
    near(again.q!, made.q);
    assert.equal(again.classification, made.classification);
    const weighted = COMPONENTS.reduce((sum, name) => sum + PUBLISHED_WEIGHTS[name] * made.components[name]!, 0);
    near(clamp(weighted), made.q);
    near(made.components.passed_depth!, clamp(made.passed_count / 3));
    near(made.components.coalition!, clamp(made.coalition_edges / 8));
    near(made.components.executability!, made.plan_executability);
  }
});

Deno.test("without a council: no plan of its own, both shares 0 by rule, which the note says", () => {
  const made = summary(floor);
  assert.deepEqual([made.raw_validity, made.norm_dependency], [0, 0]);
  assert.match(made.validity_note!, /by rule, not by measurement/);
  assert.deepEqual(made.proposals, { filed: 0, raw_valid: 0, normalised_valid: 0, infeasible: 0 });
  assert.deepEqual([made.model_actions, made.fallback_actions], [0, 36]);
  assert.deepEqual(made.fallback_reasons, { "model_error:empty_model_output": 36 });
  assert.deepEqual(made.degraded_rounds, [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([made.time_to_first_pass, made.passed_count], [3, 2]);
  assert.equal(made.components.schema_independence, 0);
});

Deno.test("the final plan's executability is that of the best plan that passed", () => {
  const state = replay(floor);
  const passed = state.proposals.filter(({ status }) => status === "executed");
  assert.equal(passed.length, 2);
  near(summary(floor).plan_executability, Math.max(...passed.map((one) => executability(one, state))));
});

/** Six slots of round 1 as given, then nothing said. */
const scriptedRun = (replies: string[], ruleset = V2) => {
  let asked = 0;
  return run({ seed: 1, ruleset, council: council(() => replies[asked++] ?? say("observe")).chat });
};

const dialect = { ...PLAN, seats: { ...PLAN.seats, crew: "27" } };
const unread = { ...PLAN, seats: {} };
const over = { ...PLAN, power: { ...PLAN.power, comms: 99 } };
const put = (proposal: unknown) => say("propose", { proposal });

Deno.test("shares are over the plans that the council put up: read as written, by the normaliser, over budget, not at all", async () => {
  const made = summary(await scriptedRun([put(PLAN), put(dialect), put(over), put(unread), put(unread)]));
  assert.deepEqual(made.proposals, { filed: 4, raw_valid: 2, normalised_valid: 3, infeasible: 1 });
  assert.deepEqual([made.raw_validity, made.norm_dependency, made.validity_note], [0.5, 0.25, undefined]);
  near(made.components.schema_independence!, 0.5 - 0.35 * 0.25);
});

Deno.test("without the normaliser nothing depends on it", async () => {
  const replies = [put(PLAN), put(dialect), put(dialect), put(over), put(unread), put(unread)];
  const made = summary(await scriptedRun(replies, V1));
  assert.deepEqual(made.proposals, { filed: 4, raw_valid: 2, normalised_valid: 3, infeasible: 1 });
  assert.deepEqual([made.raw_validity, made.norm_dependency], [0.5, 0]);
  assert.equal(made.ruleset, "v1");
  for (const ruleset of RULESETS.filter(({ normaliser }) => !normaliser)) {
    for (const seed of [1, 2, 3]) {
      assert.equal(summary(await run({ seed, ruleset, council: lively().chat })).norm_dependency, 0);
    }
  }
});

Deno.test("a refused plan is none of those put up", async () => {
  const made = summary(await scriptedRun([say("fork_proposal", { target: "P9", proposal: PLAN })]));
  assert.equal(made.proposals.filed, 0);
  assert.ok(made.validity_note);
});

Deno.test("nothing passed: first pass is null, the class is that of no valid plan", async () => {
  const made = summary(await scriptedRun([]));
  assert.deepEqual([made.time_to_first_pass, made.passed_count, made.plan_executability], [null, 0, 0]);
  assert.deepEqual([made.stabilized, made.classification], [false, "FAILED_NO_VALID_PLAN"]);
});

Deno.test("fault 21: acts and fallbacks are counted by origin, fallbacks by cause, degraded rounds are those of the clerk alone", async () => {
  const round1 = ["no", "no", ...Array(5).fill("")];
  const made = summary(await scriptedRun([...round1, ""]));
  // Round 1: one unreadable twice, five empty; round 2: one empty.
  assert.deepEqual(made.fallback_reasons, { "unreadable_action:not_json": 1, "model_error:empty_model_output": 6 });
  assert.deepEqual([made.model_actions, made.fallback_actions, made.degraded_rounds], [29, 7, [1]]);
  const acts = ofKind(live, "action.taken");
  assert.equal(summary(live).fallback_actions, acts.filter(({ origin }) => origin.kind === "fallback").length);
});

Deno.test("fault 21: a class is the models' only where they acted; a program's idle run and the floor keep theirs", async () => {
  const events = await run({ seed: 7 });
  const of = (synthetic: boolean) => summarise(events, { ...LABELS, synthetic }).classification;
  assert.deepEqual([of(false), of(true)], ["UNGOVERNED", qualityOfSurvival(summarise(events, LABELS)).classification]);
});

Deno.test("a summary names its replicate and the slots that were opened again, where there are any", async () => {
  const events = await run({ seed: 7, replicate: 2 });
  const { replicate, reopened_slots } = summarise(events, { ...LABELS, reopened: 3 });
  assert.deepEqual([replicate, reopened_slots], [2, 3]);
  const plain = summarise(await run({ seed: 7 }), { ...LABELS, reopened: 0 });
  assert.ok(!("replicate" in plain) && !("reopened_slots" in plain));
});

Deno.test("a run that is not closed, or has lost its opening, is not summarised", () => {
  for (const events of [[], floor.slice(0, -1), floor.slice(1)]) {
    assert.throws(() => summary(events), { name: "RangeError", message: /when it is closed/ });
  }
});
