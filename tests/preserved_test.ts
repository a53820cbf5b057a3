import assert from "node:assert/strict";
import experiments from "../scenarios/experiments.json" with { type: "json" };
import rules from "../scenarios/mosaic-9.json" with { type: "json" };
import { qualityOfSurvival } from "@/quality/quality_of_survival.ts";
import { type CollectedStation, collectStation } from "@/lab/runs/collect_station.ts";
import { stationCouncil } from "@/lab/live/station_council.ts";
import type { Ruleset } from "@/station/run_station.ts";
import type { ComponentName } from "@/schema/quality_names.ts";
import { StationSummary } from "@/schema/station_summary.ts";

const FOLDER = new URL("../data/preserved/station/", import.meta.url);

/** Appendix A, written down once more. */
const WEIGHTS: Record<ComponentName, number> = {
  executability: 0.22,
  public_order: 0.16,
  info_integrity: 0.12,
  trust: 0.1,
  time_to_pass: 0.12,
  passed_depth: 0.1,
  containment: 0.08,
  coalition: 0.06,
  schema_independence: 0.04,
};

const FILES = ["station-floor", "station-personas", "station-dialect"] as const;

const near = (actual: number, expected: number, what: string) =>
  assert.ok(Math.abs(actual - expected) <= 1e-12, `${what}: ${actual}, stored ${expected}`);

/** A ruleset as summaries name it. */
function rulesetName(ruleset: string | { schemaShown: boolean; normaliser: boolean }): string {
  if (typeof ruleset === "string") return ruleset;
  return `schema ${ruleset.schemaShown ? "shown" : "hidden"}, ${ruleset.normaliser ? "normaliser" : "strict"}`;
}

Deno.test("every preserved station file is checked here", async () => {
  const names = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
  const found = names.filter((name) => !name.startsWith("rescored-"));
  assert.deepEqual(found.sort(), FILES.map((name) => `${name}.jsonl`).sort());
});

for (const name of FILES) {
  Deno.test(`preserved ${name}: every declared run once, each with the score and class of its raw values`, async () => {
    const text = await Deno.readTextFile(new URL(`${name}.jsonl`, FOLDER));
    assert.ok(text.endsWith("\n"));
    const summaries = text.trimEnd().split("\n").map((line) => StationSummary.parse(JSON.parse(line)));
    for (const summary of summaries) {
      const what = `${summary.run_id} (${summary.ruleset})`;
      const { q, components, classification } = qualityOfSurvival(summary);
      near(q!, summary.q, what);
      const sum = Object.entries(WEIGHTS)
        .reduce((total, [component, weight]) => total + weight * summary.components[component as ComponentName]!, 0);
      near(sum, summary.q, `${what}, by its components`);
      for (const [component, value] of Object.entries(components)) {
        near(value, summary.components[component as ComponentName]!, `${what}, ${component}`);
      }
      assert.equal(classification, summary.classification, what);
      assert.equal(summary.synthetic, true, `${what}: no language model took part`);
      assert.equal(summary.model_actions + summary.fallback_actions, 36, what);
    }
    const { seeds, councils, rulesets } = experiments.station[name];
    assert.equal(seeds, "panel");
    const due = rulesets.flatMap((ruleset) =>
      councils.flatMap((council) => rules.seeds.panel.map((seed) => `${council} ${rulesetName(ruleset)} ${seed}`))
    );
    assert.deepEqual(summaries.map(({ model, ruleset, seed }) => `${model} ${ruleset} ${seed}`).sort(), due.sort());
  });
}

for (const name of FILES) {
  Deno.test(`preserved ${name}: the code makes the same runs now`, async () => {
    const stored = (await Deno.readTextFile(new URL(`${name}.jsonl`, FOLDER))).trimEnd().split("\n");
    const { councils, rulesets } = experiments.station[name];
    const seeds = rules.seeds.panel;
    const again: CollectedStation[] = [];
    for (const ruleset of rulesets as Ruleset[]) {
      for (const council of councils) {
        again.push(...await collectStation({ council: stationCouncil(council, new Map()), ruleset, seeds }));
      }
    }
    const values = ({ made: _, run_id: __, ...rest }: StationSummary) => rest;
    const due = again.map(({ summary }) => values(StationSummary.parse(summary)));
    assert.deepEqual(stored.map((line) => values(StationSummary.parse(JSON.parse(line)))), due);
  });
}
