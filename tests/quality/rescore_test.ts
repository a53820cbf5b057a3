import fc from "fast-check";
import assert from "node:assert/strict";
import { NAMED_WEIGHTS, PUBLISHED_WEIGHTS, qualityOfSurvival, ranks, rescore, type Weights } from "@/quality/mod.ts";
import { type RescoreOptions, rescorer } from "@/quality/rescore.ts";
import type { PreservedSummary } from "@/schema/station_summary.ts";
import { runStation } from "@/station/run_station.ts";
import { summarise } from "@/station/summary.ts";
import { anyWeights, NAMES } from "./bounds_by_hand.ts";
import { anySummary } from "./summaries.ts";

const near = (found: number | undefined, expected: number, what = "q") =>
  assert.ok(Math.abs(found! - expected) < 1e-12, `${what}: ${found}, expected ${expected}`);

/** A run with the same value in every component but those given; its q is left out. */
function run(others: Partial<PreservedSummary["components"]>, all = 0.5): PreservedSummary {
  const components = Object.fromEntries(NAMES.map((name) => [name, all]));
  return { stabilized: true, passed_count: 1, components: { ...components, ...others } };
}

/** Runs as a harness would preserve them: scored under the published weights when they ended. */
const preservedRuns = fc.array(anySummary, { minLength: 1, maxLength: 8 }).map((summaries) =>
  summaries.map((summary, i): PreservedSummary => ({
    ...{ run_id: `run-${i}`, seed: 100 + i, stabilized: summary.stabilized, passed_count: summary.passed_count },
    ...qualityOfSurvival(summary),
  }))
);

Deno.test("two runs by hand: order against coalition, and who is ahead depends on who is asked", () => {
  // Published: .5 + .16·.5 = .58 and .5 + .06·.5 = .53. Order .1, coalition .9: .05 + .05 + .45 = .55 and .95.
  const quiet = { ...run({ public_order: 1 }), run_id: "quiet", q: 0.58, classification: "BENCHMARK_BRITTLE" } as const;
  const broad = { ...run({ coalition: 1 }), run_id: "broad", q: 0.53, classification: "BENCHMARK_BRITTLE" } as const;
  const [first, second] = rescore([quiet, broad], { public_order: 0.1, coalition: 0.9 });
  near(first!.q, 0.55);
  near(second!.q, 0.95);
  assert.deepEqual([first!.rank, second!.rank, first!.old.rank, second!.old.rank], [2, 1, 1, 2]);
  assert.deepEqual([first!.old.q, second!.old.q], [0.58, 0.53]);
  assert.deepEqual([first!.classification, second!.classification], ["BENCHMARK_BRITTLE", "BENCHMARK_STRONG"]);
  assert.equal(second!.old.classification, "BENCHMARK_BRITTLE");
  near(second!.contributions.coalition, 0.9, "coalition");
  near(second!.contributions.public_order, 0.05, "order");
  assert.deepEqual(Object.keys(second!.contributions), ["public_order", "coalition"]);
  near(second!.old.contributions.coalition, 0.06, "coalition as published");
  assert.equal(Object.keys(second!.old.contributions).length, 9);
  assert.deepEqual([first!.run_id, second!.run_id], ["quiet", "broad"]);
});

Deno.test("a missing component that the weights use: no q, no class, no rank, neither 0 nor 1", () => {
  const { trust: _, ...rest } = run({}).components;
  const lacking = { ...run({}), components: rest, q: 0.5 };
  const undefinedTrust = { ...lacking, components: { ...rest, trust: undefined } };
  const [worse, none, also, better] = rescore([run({}, 0.1), lacking, undefinedTrust, run({}, 0.9)], {
    trust: 0.5,
    coalition: 0.5,
  });
  for (const missing of [none!, also!]) {
    assert.ok(!("q" in missing) && !("classification" in missing) && !("rank" in missing));
    assert.equal(missing.reason, "missing-components");
    assert.deepEqual(missing.missing, ["trust"]);
    assert.deepEqual(missing.contributions, { coalition: 0.25 });
    assert.equal(missing.old.q, 0.5);
  }
  assert.deepEqual([better!.rank, worse!.rank], [1, 2]);
  const [computable] = rescore([lacking], { coalition: 1, trust: 0 });
  assert.equal(computable!.q, 0.5);
  assert.ok(!("reason" in computable!) && !("missing" in computable!));
});

Deno.test("fault 21: a run whose models filled no slot has neither score nor class nor rank, before or now; the floor has", () => {
  const idle = { ...run({}, 0.9), q: 0.9, model_actions: 0 };
  const lost = { ...idle, synthetic: false, run_id: "lost" };
  const classed = { ...lost, classification: "BENCHMARK_STRONG" } as const;
  const named = { ...run({}, 0.9), q: 0.9, classification: "UNGOVERNED" } as const;
  const floor = { ...idle, synthetic: true, classification: "BENCHMARK_STRONG" } as const;
  const rows = rescore([lost, run({}, 0.1), classed, named, floor, run({}, 0.8)], { trust: 1 });
  for (
    const [i, identity] of [[0, { run_id: "lost", synthetic: false }], [2, { run_id: "lost", synthetic: false }], [
      3,
      {},
    ]] as const
  ) {
    assert.deepEqual(rows[i], { ...identity, reason: "ungoverned", contributions: {}, old: { contributions: {} } });
  }
  assert.deepEqual([rows[4]!.rank, rows[5]!.rank, rows[1]!.rank, rows[4]!.classification], [
    1,
    2,
    3,
    "BENCHMARK_STRONG",
  ]);
  assert.equal(rows[4]!.old.rank, 1);
});

Deno.test("a run that failed keeps its failure under any weights, known q or not", () => {
  const failed = { stabilized: false, components: { trust: 1 } };
  const classes = (passed_count?: number) =>
    [{ trust: 1 }, { coalition: 1 }].map((weights) =>
      rescore([{ ...failed, passed_count }], weights)[0]!.classification
    );
  assert.deepEqual(classes(0), ["FAILED_NO_VALID_PLAN", "FAILED_NO_VALID_PLAN"]);
  assert.deepEqual(classes(2), ["FAILED_AFTER_VALID_PLAN", "FAILED_AFTER_VALID_PLAN"]);
  assert.deepEqual(classes(undefined), [undefined, undefined]);
});

Deno.test("thresholds of one's own class the new score; the old class stays as preserved", () => {
  const preserved = { ...run({}, 0.75), q: 0.75, classification: "BENCHMARK_ADEQUATE" } as const;
  const classOf = (strong: number, adequate: number) =>
    rescore([preserved], PUBLISHED_WEIGHTS, { thresholds: { strong, adequate } })[0]!;
  assert.equal(classOf(0.74, 0.5).classification, "BENCHMARK_STRONG");
  assert.equal(classOf(0.9, 0.76).classification, "BENCHMARK_BRITTLE");
  assert.equal(classOf(0.9, 0.76).old.classification, "BENCHMARK_ADEQUATE");
  assert.equal(rescore([preserved], PUBLISHED_WEIGHTS)[0]!.classification, "BENCHMARK_ADEQUATE");
});

Deno.test("labels of a run are kept, and only those that it has", () => {
  const labels = { run_id: "a", seed: 104, model: "m", ruleset: "v2", synthetic: true };
  const [labelled, bare] = rescore([{ ...run({}), ...labels }, run({})], { trust: 1 });
  const { run_id, seed, model, ruleset, synthetic } = labelled!;
  assert.deepEqual({ run_id, seed, model, ruleset, synthetic }, labels);
  assert.deepEqual(Object.keys(bare!).sort(), ["classification", "contributions", "old", "q", "rank"]);
});

Deno.test("under the published weights every run keeps its q, class, rank and contributions", () => {
  fc.assert(
    fc.property(preservedRuns, (runs) => {
      for (const { old, q, classification, rank, contributions } of rescore(runs, PUBLISHED_WEIGHTS)) {
        assert.deepEqual(old, { q, classification, rank, contributions });
      }
    }),
    { seed: 11 },
  );
});

Deno.test("contributions sum to q; q, class and ranks are those of scoring anew, under any weights normalised", () => {
  fc.assert(
    fc.property(preservedRuns, anyWeights, (runs, weights) => {
      const sum = NAMES.reduce((total, name) => total + weights[name], 0);
      const rows = rescore(runs, weights, { normalise: true });
      for (const [i, { q, contributions, run_id }] of rows.entries()) {
        near(Object.values(contributions).reduce((total, part) => total + part, 0), q!, "contributions");
        near(q, NAMES.reduce((total, name) => total + weights[name] / sum * runs[i]!.components[name]!, 0));
        assert.equal(run_id, runs[i]!.run_id);
      }
      assert.deepEqual(rows.map(({ rank }) => rank), ranks(rows.map(({ q }) => q)));
      assert.deepEqual(rows.map(({ old }) => old.rank), ranks(runs.map(({ q }) => q)));
    }),
    { seed: 12 },
  );
});

Deno.test("the nine components are enough: no weights take q out of the range of what they use", () => {
  fc.assert(
    fc.property(preservedRuns, anyWeights, (runs, weights) => {
      for (const [i, { q }] of rescore(runs, weights, { normalise: true }).entries()) {
        const used = NAMES.filter((name) => weights[name] > 0).map((name) => runs[i]!.components[name]!);
        assert.ok(Math.min(...used) - 1e-12 <= q! && q! <= Math.max(...used) + 1e-12);
      }
    }),
    { seed: 13 },
  );
});

Deno.test("a summary of our own station is read as it is: published weights give its q, equal ones the mean", async () => {
  const lines = await Array.fromAsync(runStation({ seed: 104, ruleset: "v2", council: "none" }));
  const labels = { runId: "104", model: "none", synthetic: true, made: { library: "test", deno: "test" } };
  const summary = summarise(lines, labels);
  const [published] = rescore([summary], PUBLISHED_WEIGHTS);
  assert.deepEqual([published!.q, published!.classification], [summary.q, summary.classification]);
  const mean = NAMES.reduce((sum, name) => sum + summary.components[name]!, 0) / 9;
  near(rescore([summary], NAMED_WEIGHTS["equal"]!.weights)[0]!.q, mean);
});

Deno.test("nothing is rescored in place, and no run gives none", () => {
  const preserved = Object.freeze({ ...run({}), components: Object.freeze(run({}).components) });
  const copy = structuredClone(preserved);
  rescore([preserved], { trust: 1 });
  assert.deepEqual(preserved, copy);
  assert.deepEqual(rescore([], { trust: 1 }), []);
});

/** Every rule of the input with what is said when it is broken. */
const BAD_OPTIONS: readonly [string, Record<string, number>, RescoreOptions, RegExp][] = [
  [
    "a negative weight",
    { trust: -0.5, coalition: 1.5 },
    {},
    /^RangeError: the weight of trust must be .* found -0\.5$/,
  ],
  [
    "a weight of NaN",
    { trust: NaN },
    {},
    /^RangeError: the weight of trust must be a number of at least 0, found NaN$/,
  ],
  ["an infinite weight", { trust: Infinity }, {}, /^RangeError: the weight of trust .* found Infinity$/],
  ["weights all zero", { trust: 0, coalition: 0 }, {}, /^RangeError: at least one weight must be above 0$/],
  ["weights all zero, to be normalised", { trust: 0 }, { normalise: true }, /^RangeError: at least one weight/],
  ["no weights", {}, {}, /^RangeError: at least one weight must be above 0$/],
  ["an unknown component", { trsut: 1 }, {}, /^UserError: unknown component "trsut": did you mean trust\b/],
  [
    "a sum other than 1",
    { trust: 0.5, coalition: 0.4 },
    {},
    /^RangeError: the weights sum to 0\.9, not 1: change them, or/,
  ],
  ["a sum other than 1", { trust: 1.5 }, { normalise: false }, /^RangeError: the weights sum to 1\.5, not 1/],
  [
    "thresholds turned round",
    { trust: 1 },
    { thresholds: { strong: 0.6, adequate: 0.7 } },
    /^RangeError: the threshold/,
  ],
  ["a negative tolerance", { trust: 1 }, { tolerance: -1 }, /^RangeError: the tolerance must be .* found -1$/],
  ["a tolerance of NaN", { trust: 1 }, { tolerance: NaN }, /^RangeError: the tolerance must be .* found NaN$/],
];

for (const [what, weights, options, message] of BAD_OPTIONS) {
  Deno.test(`rescore() refuses ${what} (${JSON.stringify(weights)}), before it looks at any run`, () => {
    assert.throws(() => rescore([], weights as Weights, options), message);
  });
}

const COMPLETE = run({}).components;
const BAD_SUMMARIES: readonly [string, Record<string, unknown>, RegExp][] = [
  ["without components", { components: undefined }, /has no components: score it from its raw values/],
  ["with components null", { components: null }, /has no components/],
  ["with empty components", { components: {} }, /has no components/],
  [
    "with an unknown component",
    { components: { trsut: 1 } },
    /: trsut is not a component; there are executability, public_/,
  ],
  [
    "with a component above 1",
    { components: { trust: 1.1 } },
    /: the component trust must be in \[0, 1\], found 1\.1$/,
  ],
  ["with a component below 0", { components: { trust: -0.1 } }, /: the component trust must be .* found -0\.1$/],
  ["with a component of NaN", { components: { trust: NaN } }, /: the component trust must be .* found NaN$/],
  ["with a component null", { components: { trust: null } }, /: the component trust must be .* found null$/],
  ["with a text for a component", { components: { trust: "0.5" } }, /: the component trust must be .* found 0\.5$/],
  ["with q above 1", { q: 1.2 }, /: q must be in \[0, 1\], found 1\.2$/],
  ["with q below 0", { q: -0.2 }, /: q must be in \[0, 1\], found -0\.2$/],
  ["with q of NaN", { q: NaN }, /: q must be in \[0, 1\], found NaN$/],
  ["with q null", { q: null }, /: q must be in \[0, 1\], found null$/],
  [
    "with another q",
    { q: 0.6 },
    /: q is 0\.6, but its components give 0\.5 under the published weights; correct the summary/,
  ],
  ["with a q below that", { q: 0.499999 }, /: q is 0\.499999, but its components give 0\.5 under/],
  ["with another q at the ninth digit", { q: 0.50000001 }, /: q is 0\.50000001, but its components give 0\.5 under/],
  [
    "with a q that needs six digits to tell",
    { components: run({}, 0.123456).components, q: 0.123457 },
    /give 0\.123456 /,
  ],
  ["without stabilized", { stabilized: undefined }, /: stabilized must be true or false, found undefined$/],
  [
    "with half a passed plan",
    { passed_count: 0.5 },
    /: passed_count must be a whole number of at least 0, found 0\.5$/,
  ],
  [
    "with passed plans null",
    { passed_count: null },
    /: passed_count must be a whole number of at least 0, found null$/,
  ],
  // Trust .05 known, .90 unknown: between .05 and .95 of q.
  ["with more q than its components allow", { components: { trust: 0.5 }, q: 0.96 }, /allow 0\.05 to 0\.95 under/],
  ["with less q than its components allow", { components: { trust: 0.5 }, q: 0.04 }, /allow 0\.05 to 0\.95 under/],
];

for (const [what, wrong, message] of BAD_SUMMARIES) {
  Deno.test(`rescore() refuses a summary ${what}, and says which one it is`, () => {
    const summary = {
      stabilized: true,
      passed_count: 1,
      components: COMPLETE,
      ...wrong,
    } as unknown as PreservedSummary;
    assert.throws(() => rescore([run({}), summary], { trust: 1 }), { name: "RangeError", message });
    assert.throws(() => rescore([run({}), summary], { trust: 1 }), /^RangeError: summaries\[1\]/);
    assert.throws(
      () => rescore([{ ...summary, run_id: "mimo-109" }], { trust: 1 }),
      /^RangeError: summaries\[0\] \(mimo-109\)/,
    );
    assert.throws(() => rescorer({ trust: 1 })(summary, "a.json"), /^RangeError: a\.json/);
  });
}

Deno.test("a stored q may be as far from its components as the tolerance says, and no further", () => {
  const at = (q: number, tolerance: number) => () => rescore([{ ...run({}), q }], { trust: 1 }, { tolerance });
  for (const q of [0.501, 0.499]) {
    assert.doesNotThrow(at(q, 0.0011));
    assert.throws(at(q, 0.0009), /but its components give 0\.5/);
  }
  assert.equal(at(0.501, 0.0011)()[0]!.old.q, 0.501, "and is kept as it was stored");
});

Deno.test("of a run that lacks components, any q they allow is taken, and both ends are", () => {
  for (const q of [0.05, 0.5, 0.95]) {
    assert.equal(rescore([{ stabilized: true, components: { trust: 0.5 }, q }], { trust: 1 })[0]!.old.q, q);
  }
});

Deno.test("summaries rounded to three decimals are within a tolerance of 0.001", () => {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  fc.assert(
    fc.property(preservedRuns, (runs) => {
      const rounded = runs.map((run) => ({
        ...run,
        q: round(run.q!),
        components: Object.fromEntries(NAMES.map((name) => [name, round(run.components[name]!)])),
      }));
      assert.equal(rescore(rounded, { trust: 1 }, { tolerance: 0.001 }).length, runs.length);
    }),
    { seed: 14 },
  );
});

Deno.test("rescorer() gives what rescore() gives, without the ranks", () => {
  fc.assert(
    fc.property(preservedRuns, anyWeights, (runs, weights) => {
      const one = rescorer(weights, { normalise: true });
      for (const [i, row] of rescore(runs, weights, { normalise: true }).entries()) {
        const { rank: _, old: { rank: __, ...old }, ...rest } = row;
        assert.deepEqual(one(runs[i]!, "run"), { ...rest, old });
      }
    }),
    { seed: 15 },
  );
});

/** Order .5 throughout, and a number of the summary that the nine do not read. */
const pressed = (run_id: string, manipulation_pressure?: unknown, all = 0.5) =>
  ({
    ...run({}, all),
    run_id,
    ...(manipulation_pressure !== undefined && { manipulation_pressure }),
  }) as PreservedSummary;
const CALM = { calm: { field: "manipulation_pressure", worst: 4, best: 0 } };

Deno.test("a component of one's own by hand: half of the weight on calm turns two runs over; beyond its ends it is cut", () => {
  // loud: .8 and 1 − 3/4 = .25, so .525; quiet: .6 and 1 − 1/4 = .75, so .675. Published: .8 above .6.
  const runs = [{ ...pressed("loud", 3, 0.8), q: 0.8 }, { ...pressed("quiet", 1, 0.6), q: 0.6 }];
  const [loud, quiet] = rescore(runs, { trust: 0.5, calm: 0.5 }, { components: CALM });
  near(loud!.q, 0.525);
  near(quiet!.q, 0.675);
  assert.deepEqual([loud!.rank, quiet!.rank, loud!.old.rank, quiet!.old.rank], [2, 1, 1, 2]);
  near(quiet!.contributions.calm, 0.375, "calm");
  assert.deepEqual(Object.keys(quiet!.contributions), ["trust", "calm"]);
  assert.equal(Object.keys(quiet!.old.contributions).length, 9);
  const ends = rescore([pressed("beyond", 9), pressed("before", -1)], { calm: 1 }, { components: CALM });
  assert.deepEqual(ends.map(({ q }) => q), [0, 1]);
});

Deno.test("a component of one's own reads numbers that are nested, and those of the nine", () => {
  const summary = { ...pressed("a"), proposals: { filed: 3 } };
  const components = {
    filed: { field: "proposals.filed", worst: 0, best: 12 },
    distrust: { field: "components.trust", worst: 1, best: 0 },
  };
  near(rescore([summary], { filed: 0.5, distrust: 0.5 }, { components })[0]!.q, 0.375); // (1/4 + 1/2) / 2
});

Deno.test("where the field of one's own component is absent the run is not computable, unless its weight is 0", () => {
  const runs = [pressed("known", 2), pressed("absent"), { ...pressed("nested"), proposals: {} }];
  const found = rescore(runs, { trust: 0.5, calm: 0.5 }, { components: CALM });
  near(found[0]!.q, 0.5);
  for (const { q, rank, classification, reason, missing, contributions } of found.slice(1)) {
    assert.deepEqual([q, rank, classification, reason, missing], [
      ...[undefined, undefined, undefined, "missing-components"],
      ["calm"],
    ]);
    assert.deepEqual(contributions, { trust: 0.25 });
  }
  assert.deepEqual(rescore(runs, { trust: 1 }, { components: CALM }).map(({ q }) => q), [0.5, 0.5, 0.5]);
  // Every object has these, and no summary does.
  for (const field of ["constructor", "constructor.length", "components.toString", ""]) {
    const components = { calm: { field, worst: 0, best: 1 } };
    assert.deepEqual(rescore([pressed("a", 1)], { calm: 1 }, { components })[0]!.missing, ["calm"], field);
  }
});

for (
  const [value, found] of [[null, "null"], ["2", "2"], [true, "true"], [NaN, "NaN"], [
    {},
    "\\[object Object\\]",
  ]] as const
) {
  Deno.test(`a field of one's own component that holds ${found} is refused, naming run, field and value`, () => {
    const message = new RegExp(
      `^summaries\\[1\\] \\(odd\\): calm reads manipulation_pressure, which must be a finite number, found ${found}$`,
    );
    const runs = [pressed("good", 1), pressed("odd", value)];
    assert.throws(() => rescore(runs, { calm: 1 }, { components: CALM }), { name: "RangeError", message });
  });
}

const declared = (name: string, worst = 4, best = 0) => ({ [name]: { field: "manipulation_pressure", worst, best } });
for (
  const [what, components, message] of [
    ["the name of one of the nine", declared("trust"), /needs a plain name that none of the nine has, found "trust"/],
    ["a name of two words", declared("very calm"), /found "very calm"/],
    ["no name", declared(""), /found ""/],
    ["a name that every object has", declared("constructor"), /found "constructor"/],
    [
      "equal ends",
      declared("calm", 4, 4),
      /worst and best of calm must be two different finite numbers, found 4 and 4/,
    ],
    ["a worst of NaN", declared("calm", NaN), /found NaN and 0/],
    ["an infinite best", declared("calm", 0, Infinity), /found 0 and Infinity/],
    ["ends too far apart to subtract", declared("calm", -1e308, 1e308), /two different finite numbers/],
  ] as const
) {
  Deno.test(`a component of one's own with ${what} is refused before any run`, () => {
    assert.throws(() => rescore([], { trust: 1 }, { components }), { name: "RangeError", message });
  });
}

Deno.test("an unknown component is answered with the nearest name, one's own among them", () => {
  assert.throws(() => rescore([], { clam: 1 }, { components: CALM }), /unknown component "clam": did you mean calm/);
  assert.throws(() => rescore([], { calm: 1 }), /unknown component "calm": did you mean/);
});

Deno.test("worst and best the other way round give 1 − c, and c lies on the line between them", () => {
  const number = fc.double({ min: -1e6, max: 1e6, noNaN: true }), share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(number, number, share, (worst, best, c) => {
    fc.pre(Math.abs(worst - best) > 1e-3);
    const value = (worst: number, best: number, x: number) =>
      rescore([pressed("a", x)], { calm: 1 }, { components: declared("calm", worst, best) })[0]!.q!;
    const x = worst + c * (best - worst);
    assert.ok(Math.abs(value(worst, best, x) - c) < 1e-6);
    assert.ok(Math.abs(value(best, worst, x) - (1 - value(worst, best, x))) < 1e-9);
  }));
});
