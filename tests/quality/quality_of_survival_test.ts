import fc from "fast-check";
import assert from "node:assert/strict";
import { PUBLISHED_WEIGHTS, qualityOfSurvival } from "@/quality/mod.ts";
import { type CompleteSummary, componentsOf, type RawSummary, type RawValues } from "@/quality/quality_of_survival.ts";
import { type ComponentName, COMPONENTS } from "@/schema/quality_names.ts";
import { anySummary, PERFECT } from "./summaries.ts";

const near = (found: number | undefined, expected: number, what = "q") =>
  assert.ok(Math.abs(found! - expected) < 1e-12, `${what}: ${found}, expected ${expected}`);

Deno.test("a perfect run has q = 1, the worst has 0", () => {
  const perfect = qualityOfSurvival(PERFECT);
  near(perfect.q, 1);
  assert.equal(perfect.classification, "BENCHMARK_STRONG");
  const worst = qualityOfSurvival({
    ...PERFECT,
    stabilized: false,
    plan_executability: 0,
    public_order: 0,
    info_integrity: 0,
    trust: 0,
    time_to_first_pass: null,
    passed_count: 0,
    active_rumors: 8,
    scandal_load: 6,
    coalition_edges: 0,
    raw_validity: 0,
    norm_dependency: 1,
  });
  near(worst.q, 0);
  assert.equal(worst.classification, "FAILED_NO_VALID_PLAN");
});

Deno.test("a middling run, added up by hand", () => {
  // .22·.8 = .176; .16·(.27/.45 = .6) = .096; .12·(.36/.45 = .8) = .096; .10·(.09/.45 = .2) = .02; .12·(4/6) = .08;
  // .10·(1/3) = .03333…; .08·(1 − .1375 − .225 = .6375) = .051; .06·(6/8) = .045; .04·(.75 − .35·.2 = .68) = .0272.
  const { q, components, classification } = qualityOfSurvival({
    stabilized: true,
    plan_executability: 0.8,
    public_order: 0.62,
    info_integrity: 0.76,
    trust: 0.44,
    time_to_first_pass: 3,
    passed_count: 1,
    active_rumors: 2,
    scandal_load: 3,
    coalition_edges: 6,
    raw_validity: 0.75,
    norm_dependency: 0.2,
  });
  near(q, 0.5912 + 0.1 / 3);
  assert.equal(classification, "BENCHMARK_BRITTLE");
  near(components.containment, 0.6375);
  near(components.schema_independence, 0.68);
});

Deno.test("losing one component wholly costs exactly its weight", () => {
  const lost: Readonly<Record<ComponentName, Partial<CompleteSummary>>> = {
    executability: { plan_executability: 0 },
    public_order: { public_order: 0 },
    info_integrity: { info_integrity: 0 },
    trust: { trust: 0 },
    time_to_pass: { time_to_first_pass: null },
    passed_depth: { passed_count: 0 },
    containment: { active_rumors: 8, scandal_load: 6 },
    coalition: { coalition_edges: 0 },
    schema_independence: { raw_validity: 0 },
  };
  const cost = [0.22, 0.16, 0.12, 0.10, 0.12, 0.10, 0.08, 0.06, 0.04];
  COMPONENTS.forEach((name, i) => near(qualityOfSurvival({ ...PERFECT, ...lost[name] }).q, 1 - cost[i]!, name));
});

Deno.test("fault 41: a used component that is not known leaves q absent, with the reason and the names", () => {
  const { trust: _, scandal_load: __, ...rest } = PERFECT;
  const scored = qualityOfSurvival(rest);
  assert.ok(!("q" in scored) && !("classification" in scored));
  assert.equal(scored.reason, "missing-components");
  assert.deepEqual(scored.missing, ["trust", "containment"]);
  assert.deepEqual(
    Object.keys(scored.components),
    COMPONENTS.filter((name) => !["trust", "containment"].includes(name)),
  );
  const failed = qualityOfSurvival({ ...rest, stabilized: false });
  assert.equal(failed.q, undefined);
  assert.equal(failed.classification, "FAILED_AFTER_VALID_PLAN");
});

Deno.test("a component that no weight uses may be unknown", () => {
  const { trust: _, ...rest } = PERFECT;
  const scored = qualityOfSurvival({ ...rest, public_order: 0.575 }, { public_order: 0.5, coalition: 0.25, trust: 0 });
  near(scored.q, 0.5);
  assert.ok(!("reason" in scored) && !("missing" in scored));
});

Deno.test("weights are used as they are: not normalised, and the clamp cuts a sum above 1", () => {
  near(qualityOfSurvival(PERFECT, { trust: 0.3 }).q, 0.3);
  assert.equal(qualityOfSurvival(PERFECT, { trust: 3 }).q, 1);
});

Deno.test("a stabilized that is not a boolean is refused: a text would count as true", () => {
  for (const stabilized of [undefined, "false", 0]) {
    const summary = { ...PERFECT, stabilized } as unknown as RawSummary;
    assert.throws(() => qualityOfSurvival(summary), /^RangeError: stabilized must be true or false/);
  }
});

Deno.test("q is in [0, 1], the sum of weight times component, and agrees with the class", () => {
  fc.assert(fc.property(anySummary, (summary) => {
    const { q, components, classification } = qualityOfSurvival(summary);
    assert.ok(q >= 0 && q <= 1);
    let sum = 0;
    for (const name of COMPONENTS) {
      assert.ok(components[name] >= 0 && components[name] <= 1, name);
      sum += PUBLISHED_WEIGHTS[name] * components[name];
    }
    near(q, sum);
    assert.equal(classification.startsWith("FAILED"), !summary.stabilized);
  }));
});

/** Which way each raw value moves q, by Appendix A. */
const DIRECTION = {
  plan_executability: 1,
  public_order: 1,
  info_integrity: 1,
  trust: 1,
  time_to_first_pass: -1,
  passed_count: 1,
  active_rumors: -1,
  scandal_load: -1,
  coalition_edges: 1,
  raw_validity: 1,
  norm_dependency: -1,
} as const;

for (const [name, direction] of Object.entries(DIRECTION)) {
  Deno.test(`q never falls where ${name} ${direction > 0 ? "rises" : "falls"}`, () => {
    fc.assert(fc.property(anySummary, anySummary, (summary, other) => {
      const value = (run: CompleteSummary) => run[name as keyof typeof DIRECTION] ?? 7; // no pass is later than any
      const worse = direction * value(summary) <= direction * value(other) ? summary : other;
      const better = worse === summary ? other : summary;
      const at = (from: CompleteSummary) =>
        qualityOfSurvival({ ...summary, [name]: from[name as keyof CompleteSummary] }).q;
      assert.ok(at(better) >= at(worse));
    }));
    const between = { ...BETWEEN, stabilized: true };
    const gain = qualityOfSurvival({ ...between, [name]: between[name as keyof typeof BETWEEN] + 0.125 }).q -
      qualityOfSurvival(between).q;
    assert.equal(Math.sign(gain), direction, "between the ends of its clamp it moves q for certain");
  });
}

/** Values between the ends of every clamp. */
const BETWEEN = {
  plan_executability: 0.5,
  public_order: 0.5,
  info_integrity: 0.5,
  trust: 0.5,
  time_to_first_pass: 4,
  passed_count: 1,
  active_rumors: 2,
  scandal_load: 1,
  coalition_edges: 4,
  raw_validity: 0.75,
  norm_dependency: 0.25,
};

Deno.test("a count below zero and a first pass before round 1 are refused by name", () => {
  const wrong = { time_to_first_pass: 0, passed_count: -1, active_rumors: -2, scandal_load: -0.5, coalition_edges: -1 };
  for (const [name, value] of Object.entries(wrong)) {
    const least = name === "time_to_first_pass" ? 1 : 0;
    assert.throws(
      () => qualityOfSurvival({ stabilized: false, [name]: value }),
      new RegExp(`^RangeError: ${name} must be at least ${least}, found ${value}$`),
    );
    assert.doesNotThrow(() => qualityOfSurvival({ stabilized: false, [name]: least }));
  }
});

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
