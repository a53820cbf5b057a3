import assert from "node:assert/strict";
import { componentsOf } from "@/quality/components.ts";
import { type RawValues } from "@/quality/components.ts";
import { type ComponentName, COMPONENTS } from "@/schema/station_summary.ts";
import { PERFECT } from "./summaries.ts";

/** By hand from Appendix A: around both ends of each clamp, and once or twice between them. */
const CASES: readonly [ComponentName, RawValues, number][] = [
  ["executability", { plan_executability: 0 }, 0],
  ["executability", { plan_executability: 0.58 }, 0.58],
  ["executability", { plan_executability: 1 }, 1],
  ["public_order", { public_order: 0.3 }, 0],
  ["public_order", { public_order: 0.35 }, 0],
  ["public_order", { public_order: 0.359 }, 0.02],
  ["public_order", { public_order: 0.5 }, 1 / 3],
  ["public_order", { public_order: 0.791 }, 0.98],
  ["public_order", { public_order: 0.8 }, 1],
  ["public_order", { public_order: 0.9 }, 1],
  ["info_integrity", { info_integrity: 0.39 }, 0],
  ["info_integrity", { info_integrity: 0.4 }, 0],
  ["info_integrity", { info_integrity: 0.409 }, 0.02],
  ["info_integrity", { info_integrity: 0.841 }, 0.98],
  ["info_integrity", { info_integrity: 0.85 }, 1],
  ["info_integrity", { info_integrity: 1 }, 1],
  ["trust", { trust: 0.34 }, 0],
  ["trust", { trust: 0.35 }, 0],
  ["trust", { trust: 0.359 }, 0.02],
  ["trust", { trust: 0.791 }, 0.98],
  ["trust", { trust: 0.8 }, 1],
  ["trust", { trust: 1 }, 1],
  ["time_to_pass", { time_to_first_pass: 1 }, 1],
  ["time_to_pass", { time_to_first_pass: 2 }, 5 / 6],
  ["time_to_pass", { time_to_first_pass: 6 }, 1 / 6],
  ["time_to_pass", { time_to_first_pass: 7 }, 0],
  ["time_to_pass", { time_to_first_pass: 8 }, 0],
  ["time_to_pass", { time_to_first_pass: null }, 0],
  ["passed_depth", { passed_count: 0 }, 0],
  ["passed_depth", { passed_count: 1 }, 1 / 3],
  ["passed_depth", { passed_count: 2 }, 2 / 3],
  ["passed_depth", { passed_count: 3 }, 1],
  ["passed_depth", { passed_count: 4 }, 1],
  ["containment", { active_rumors: 0, scandal_load: 0 }, 1],
  ["containment", { active_rumors: 8, scandal_load: 0 }, 0.45],
  ["containment", { active_rumors: 0, scandal_load: 6 }, 0.55],
  ["containment", { active_rumors: 2, scandal_load: 1 }, 1 - 0.1375 - 0.075],
  ["containment", { active_rumors: 7, scandal_load: 6 }, 0.06875],
  ["containment", { active_rumors: 9, scandal_load: 6 }, 0],
  ["containment", { active_rumors: 16, scandal_load: 0 }, 0],
  ["coalition", { coalition_edges: 0 }, 0],
  ["coalition", { coalition_edges: 7 }, 0.875],
  ["coalition", { coalition_edges: 8 }, 1],
  ["coalition", { coalition_edges: 15 }, 1],
  ["schema_independence", { raw_validity: 1, norm_dependency: 0 }, 1],
  ["schema_independence", { raw_validity: 1, norm_dependency: 1 }, 0.65],
  ["schema_independence", { raw_validity: 0.5, norm_dependency: 0.4 }, 0.36],
  ["schema_independence", { raw_validity: 0.36, norm_dependency: 1 }, 0.01],
  ["schema_independence", { raw_validity: 0.34, norm_dependency: 1 }, 0],
];

Deno.test("each component is that of Appendix A, at both sides of both ends", () => {
  for (const [name, raw, expected] of CASES) {
    const components = componentsOf(raw);
    assert.deepEqual(Object.keys(components), [name], JSON.stringify(raw));
    assert.ok(Math.abs(components[name]! - expected) < 1e-12, `${JSON.stringify(raw)}: ${components[name]}`);
  }
  assert.equal(new Set(CASES.map(([name]) => name)).size, 9);
});

Deno.test("the nine come in the order of the schema", () => {
  assert.deepEqual(Object.keys(componentsOf(PERFECT)), [...COMPONENTS]);
});

Deno.test("what is not known stays absent: nothing, undefined, and one of a pair", () => {
  assert.deepEqual(componentsOf({}), {});
  assert.deepEqual(componentsOf({ trust: undefined, time_to_first_pass: undefined }), {});
  for (const half of ["active_rumors", "scandal_load", "raw_validity", "norm_dependency"]) {
    assert.deepEqual(componentsOf({ [half]: 0 }), {}, half);
  }
});

Deno.test("a raw value that is no finite number is refused by name; null only means no first pass", () => {
  for (const name of Object.keys(PERFECT).filter((name) => name !== "stabilized")) {
    const wrong: unknown[] = [NaN, Infinity, "0.5", ...(name === "time_to_first_pass" ? [] : [null])];
    for (const value of wrong) {
      const raw = { [name]: value } as RawValues;
      assert.throws(() => componentsOf(raw), { name: "RangeError", message: new RegExp(`^${name} must be a finite`) });
    }
  }
});

Deno.test("executability, for which the formula has no clamp, is refused outside [0, 1]", () => {
  for (const value of [-0.01, 1.01]) {
    assert.throws(
      () => componentsOf({ plan_executability: value }),
      /^RangeError: plan_executability must be in \[0, 1\]/,
    );
  }
});
