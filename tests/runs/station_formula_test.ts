import assert from "node:assert/strict";
import { clamp01 } from "@/core/numbers.ts";
import type { RawValues } from "@/quality/components.ts";
import { qualityOfSurvival } from "@/quality/quality_of_survival.ts";
import { formulaText } from "@/runs/station_bundle.ts";

/** The formula as its text gives it. The text is this library's own, so it may be evaluated. */
function byText(raw: Record<string, number>): number {
  const rows = [...formulaText().matchAll(/^\| (\w+) \| (\d\.\d\d) \| ([^;|]+)/gm)];
  assert.equal(rows.length, 9);
  return rows.reduce((q, [, , weight, definition]) => {
    const value = new Function("clamp", ...Object.keys(raw), `return ${definition}`)(clamp01, ...Object.values(raw));
    return q + Number(weight) * value;
  }, 0);
}

const raw = {
  plan_executability: 0.9,
  public_order: 0.6,
  info_integrity: 0.7,
  trust: 0.55,
  time_to_first_pass: 3,
  passed_count: 2,
  active_rumors: 3,
  scandal_load: 1.5,
  coalition_edges: 5,
  raw_validity: 0.8,
  norm_dependency: 0.5,
};

Deno.test("the formula as published in words gives the q that the library computes", () => {
  for (
    const change of [{}, { public_order: 0.2 }, { trust: 1, passed_count: 6 }, { scandal_load: 20 }, {
      raw_validity: 0,
    }]
  ) {
    const values = { ...raw, ...change };
    const { q } = qualityOfSurvival({ ...values as RawValues, stabilized: true });
    assert.ok(Math.abs(byText(values) - q!) < 1e-12, JSON.stringify(change));
  }
});
