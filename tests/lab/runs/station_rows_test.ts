import assert from "node:assert/strict";
import { states } from "../../station/fixtures.ts";
import { qualityOfSurvival } from "@/quality/quality_of_survival.ts";
import { PUBLISHED_WEIGHTS } from "@/quality/weights.ts";
import { collectStation } from "@/lab/runs/collect_station.ts";
import { stationCouncil } from "@/lab/live/station_council.ts";
import { componentRows, stationRows } from "@/lab/runs/station_rows.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";
import { applyEvent, initialState } from "@/station/apply_event.ts";

const council = stationCouncil("coalition", new Map());
const runs = await collectStation({ council, ruleset: "v2", seeds: [109, 110] });
const fallback = await collectStation({ council: stationCouncil("none", new Map()), ruleset: "v1", seeds: [109] });

Deno.test("stationRows() has the start and six rounds a run, and ends as the summary says", () => {
  for (const run of [...runs, ...fallback]) {
    const rows = stationRows([run]);
    assert.deepEqual(rows.map(({ round }) => round), [0, 1, 2, 3, 4, 5, 6]);
    const { summary } = run;
    for (const row of rows) {
      assert.deepEqual([row.run, row.model, row.seed, row.ruleset, row.synthetic], [
        ...[summary.run_id, summary.model, summary.seed, summary.ruleset, true],
      ]);
    }
    const { order, trust, information, authority, rumors, scandal, passed, coalition, manipulation } = rows.at(-1)!;
    assert.deepEqual([order, trust, information, authority], [
      ...[summary.public_order, summary.trust, summary.info_integrity, summary.command_authority],
    ]);
    assert.deepEqual([rumors, scandal, coalition], [
      ...[summary.active_rumors, summary.scandal_load, summary.coalition_edges],
    ]);
    assert.equal(passed, summary.passed_count);
    assert.equal(manipulation, summary.manipulation_pressure);
    assert.equal(rows.reduce((sum, row) => sum + row.fallbacks, 0), summary.fallback_actions);
    assert.equal(rows.findIndex((row) => row.passed > 0), summary.time_to_first_pass ?? -1);
  }
  assert.equal(stationRows(fallback).reduce((sum, row) => sum + row.fallbacks, 0), 36);
});

Deno.test("stationRows() has the panic and the offers that the folded events leave", () => {
  const [start] = stationRows(runs);
  assert.deepEqual(
    [start!.panic, start!.offers],
    [0.30, 0],
    "the rules begin with both factions at 0.30, without offers",
  );
  for (const run of runs) {
    const { factions, offers } = run.events.reduce((state, event) => applyEvent(state, event), initialState());
    const last = stationRows([run]).at(-1)!;
    assert.equal(last.panic, (factions.outer.panic + factions.sponsor.panic) / 2);
    assert.equal(last.offers, offers.reduce((sum, { pressure }) => sum + pressure, 0));
    assert.ok(stationRows([run]).some(({ offers }) => offers > 0), "both seeds bring a market offer");
  }
});

Deno.test("stationRows() has the levels of the last state of each round, after the close and the moderator", () => {
  const all = states(runs[0]!.events);
  const ends = [0, 1, 2, 3, 4, 5, 6].map((round) => all.findLast((state) => state.round === round)!);
  assert.deepEqual(
    stationRows(runs).slice(0, 7).map(({ round, order, trust, information: info, authority, power, manipulation }) => ({
      ...{ round, order, trust, info, authority, power, manipulation },
    })),
    ends.map(({ round, order, trust, info, authority, power, manipulation }) => ({
      ...{ round, order, trust, info, authority, power, manipulation },
    })),
  );
});

Deno.test("stationRows() of a run cut off ends with its last whole round, and knows no more than its events", () => {
  const { events } = runs[0]!;
  const third = events.findIndex((event) => event.kind === "round.opened" && event.round === 3);
  const rows = stationRows([{ events: events.slice(0, third + 3) }]);
  assert.deepEqual(rows.map(({ round }) => round), [0, 1, 2]);
  assert.ok(rows.every((row) => row.seed === 109 && !("model" in row) && !("run" in row)));
});

Deno.test("componentRows() has nine rows a run, whose contributions sum to q", () => {
  const summaries = runs.map(({ summary }) => summary);
  const rows = componentRows(summaries);
  assert.equal(rows.length, 18);
  for (const summary of summaries) {
    const own = rows.filter(({ run }) => run === summary.run_id);
    assert.deepEqual(own.map(({ component }) => component), [...COMPONENTS]);
    assert.deepEqual(own.map(({ weight }) => weight), COMPONENTS.map((name) => PUBLISHED_WEIGHTS[name]));
    const q = own.reduce((sum, { contribution }) => sum + contribution!, 0);
    assert.ok(Math.abs(q - qualityOfSurvival(summary).q) < 1e-12);
  }
});

Deno.test("componentRows(): an unknown component has no value, one of value 0 has it, an unused one adds nothing", () => {
  const rows = componentRows([{ seed: 1, components: { trust: 0, coalition: 0.5 } }], { weights: { trust: 0.4 } });
  const of = (name: string) => rows.find(({ component }) => component === name);
  assert.deepEqual(of("trust"), { seed: 1, component: "trust", weight: 0.4, value: 0, contribution: 0 });
  assert.deepEqual(of("coalition"), { seed: 1, component: "coalition", weight: 0, value: 0.5, contribution: 0 });
  assert.deepEqual(of("executability"), { seed: 1, component: "executability", weight: 0 });
  assert.throws(() => componentRows([{ components: {} }], { weights: { trsut: 1 } as never }), { name: "UserError" });
});

Deno.test("fault 21: rows of a run whose models filled no slot say so, and have no values of components to average", () => {
  const { events, summary } = fallback[0]!;
  const lost = { ...summary, synthetic: false, classification: "UNGOVERNED" } as const;
  const words = "ungoverned: no slot was filled by the model";
  assert.ok(stationRows([{ events, summary: lost }]).every(({ ungoverned }) => ungoverned === words));
  assert.ok(stationRows(fallback).every((row) => !("ungoverned" in row)), "the floor is a condition of its own");
  const rows = componentRows([lost]);
  assert.equal(rows.length, COMPONENTS.length);
  assert.ok(rows.every((row) => row.ungoverned === words && !("value" in row) && !("contribution" in row)));
});

Deno.test("componentRows(): a component of one's own is the tenth row, and lacks a value where its field is absent", () => {
  const components = { calm: { field: "manipulation_pressure", worst: 4, best: 0 } },
    weights = { trust: 0.5, calm: 0.5 };
  const runs = [{ seed: 1, components: { trust: 1 }, manipulation_pressure: 1 }, { seed: 2, components: { trust: 1 } }];
  const rows = componentRows(runs, { weights, components });
  assert.equal(rows.length, 20);
  assert.deepEqual(rows[9], { seed: 1, component: "calm", weight: 0.5, value: 0.75, contribution: 0.375 });
  assert.deepEqual(rows[19], { seed: 2, component: "calm", weight: 0.5 });
});
