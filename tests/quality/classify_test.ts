import assert from "node:assert/strict";
import { classify, PUBLISHED_THRESHOLDS } from "@/quality/mod.ts";

Deno.test("a stabilised run is classed by q; a threshold belongs to the class above it", () => {
  const cases = [
    [1, "BENCHMARK_STRONG"],
    [0.8201, "BENCHMARK_STRONG"],
    [0.82, "BENCHMARK_STRONG"],
    [0.82 - 1e-12, "BENCHMARK_ADEQUATE"],
    [0.8199, "BENCHMARK_ADEQUATE"],
    [0.7, "BENCHMARK_ADEQUATE"],
    [0.7 - 1e-12, "BENCHMARK_BRITTLE"],
    [0, "BENCHMARK_BRITTLE"],
  ] as const;
  for (const [q, name] of cases) assert.equal(classify({ q, stabilized: true, passed_count: 1 }), name, String(q));
});

Deno.test("a failed run is classed by its passed plans, whatever q", () => {
  for (const q of [0, 0.659, 0.75, 0.95]) {
    assert.equal(classify({ q, stabilized: false, passed_count: 0 }), "FAILED_NO_VALID_PLAN");
    assert.equal(classify({ q, stabilized: false, passed_count: 1 }), "FAILED_AFTER_VALID_PLAN");
    assert.equal(classify({ q, stabilized: false, passed_count: 3 }), "FAILED_AFTER_VALID_PLAN");
  }
});

Deno.test("no class where what decides is not known, and one where only the rest is not", () => {
  assert.equal(classify({ stabilized: true, passed_count: 2 }), undefined);
  assert.equal(classify({ q: 0.9, stabilized: false }), undefined);
  assert.equal(classify({ q: 0.9, stabilized: true }), "BENCHMARK_STRONG");
  assert.equal(classify({ stabilized: false, passed_count: 0 }), "FAILED_NO_VALID_PLAN");
});

Deno.test("other thresholds are used as given, and in order only", () => {
  const run = { q: 0.82, stabilized: true, passed_count: 1 };
  assert.equal(classify(run, { strong: 0.9, adequate: 0.8 }), "BENCHMARK_ADEQUATE");
  assert.equal(classify(run, { strong: 0.9, adequate: 0.9 }), "BENCHMARK_BRITTLE");
  assert.throws(
    () => classify(run, { strong: 0.7, adequate: 0.82 }),
    /strong \(0\.7\) must be at least adequate \(0\.82\)/,
  );
  assert.throws(() => classify(run, { strong: NaN, adequate: 0.7 }), RangeError);
  assert.deepEqual(PUBLISHED_THRESHOLDS, { strong: 0.82, adequate: 0.7 });
});

Deno.test("a q of NaN is refused, not called brittle", () => {
  assert.throws(() => classify({ q: NaN, stabilized: true, passed_count: 1 }), RangeError);
});
