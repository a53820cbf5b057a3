import assert from "node:assert/strict";
import { type ClaimVerdict, evaluateClaims } from "@/lab/paper/claims.ts";
import { loadClaims } from "./format.ts";
import { STATION_QUANTITIES } from "./station.ts";
import { withValues } from "./values.ts";
import { loadStationTables, STATION_TABLES, type StationTables } from "@/lab/paper/published_station.ts";

const PUBLISHED = await loadStationTables();
const { claims } = await loadClaims("station");

type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;
type Tables = Writable<StationTables>;

const run = (tables: Tables, model: string, seed: number) =>
  tables.runs.find((one) => one.model.startsWith(model) && one.seed === seed)!;
const floor = (tables: Tables, seed: number) => tables.floor.find((one) => one.seed === seed)!;
const fact = (tables: Tables, id: string) => tables.facts.find((one) => one.id === id)!;
const family = (tables: Tables, model: string) => tables.models.find((one) => one.model.startsWith(model))!;

interface Expected {
  readonly verdict: ClaimVerdict;
  /** Numbers of the evidence that were worked out by hand from the printed tables. */
  readonly says: RegExp;
  /** Changes one cell, or as few as turn the verdict. */
  readonly change: (tables: Tables) => unknown;
  readonly then: ClaimVerdict;
}

const [YES, NO, OPEN] = ["supported", "contradicted", "not-checkable"] as const;

const EXPECTED: Readonly<Record<string, Expected>> = {
  // Table 11: .961 is first, .944 second; 1.000 three times, .987 and .986 are more public order than .963.
  "cleanest-run": {
    ...{ verdict: YES, says: /0\.961 with 0 rumours, the next 0\.944; 5 runs ended/, then: NO },
    change: (tables) => run(tables, "MIMO", 109).active_rumors = 1,
  },
  "floor-story": {
    ...{ verdict: YES, says: /seed 111: 0\.059 \+ 0\.35 = 0\.409/, then: NO },
    change: (tables) => floor(tables, 111).public_order = 0.41,
  },
  "every-slot": {
    ...{
      verdict: YES,
      says: /6 roles in 6 rounds are 36 slots; stated are 36 fallbacks and 0 model actions/,
      then: NO,
    },
    change: (tables) => fact(tables, "fallback-actions").value = 35,
  },
  "scraped-above-floor": {
    ...{ verdict: YES, says: /0\.409 on seed 111.*live run: 0\.538/, then: NO },
    change: (tables) => run(tables, "GLM", 108).public_order = 0.4,
  },
  // 17 − 6 − 0 = 11: 650, 641, 632, 551, 542, 533, 443; only 542 has no tie with 6, 0 or itself.
  "clean-model-ranking": {
    ...{ verdict: OPEN, says: /11 of 18 together: 7 ways to share them, 1 without a tie/, then: NO },
    change: (tables) => fact(tables, "strict-stabilized").value = 24,
  },
  "repair-saturates": {
    ...{ verdict: YES, says: /30 of 30 runs, of GLM's 6 of 6/, then: NO },
    change: (tables) => tables.phases[1]!.stabilized = 29,
  },
  // One of 60 fails: with these margins either batch may have it.
  "saturation-v2": {
    ...{ verdict: NO, says: /29 of 30 .*, not Gemini-2\.5-Pro 104; .* 30 of 30 \(Fisher p = 1\.000\)/, then: YES },
    change: (tables) => run(tables, "Gemini", 104).stabilized = true,
  },
  "weights-sum": {
    ...{ verdict: YES, says: /0\.22 \+ .* = 1\.00, over 9 components/, then: NO },
    change: (tables) => tables.weights[0]!.weight = 0.23,
  },
  // .22 + .16 and .10 + .06.
  "feasibility-first": {
    ...{
      verdict: YES,
      says: /Executability 0\.22 and Public order 0\.16, together 0\.38; .* together 0\.16/,
      then: NO,
    },
    change: (tables) => tables.weights.find(({ component }) => component === "coalition")!.weight = 0.16,
  },
  "classes-follow": {
    ...{ verdict: YES, says: /36 of 36.*4 of the 5 classes/, then: NO },
    change: (tables) => run(tables, "MIMO", 110).q = 0.82,
  },
  // With 0.66 Gemini's printed mean is already the lowest, so nothing can be turned round.
  "other-weights": {
    ...{ verdict: YES, says: /1 of 6 .*"order free" puts Gemini-2\.5-Pro below GLM-5V Turbo/, then: OPEN },
    change: (tables) => run(tables, "Gemini", 108).q = 0.66,
  },
  "four-means-strong": {
    ...{ verdict: YES, says: /4 of 5 means exceed 0\.82; not above it: GLM-5V Turbo 0\.814/, then: NO },
    change: (tables) => family(tables, "GPT").mean_q = 0.82,
  },
  // Without .659: mean .8908, squares .000783 of .04556.
  "gemini-one-seed": {
    ...{ verdict: YES, says: /from 0\.095 to 0\.014, and the sum of squares by 98\.3 %/, then: NO },
    change: (tables) => run(tables, "Gemini", 112).q = 0.7,
  },
  // .8915 − .81417; the narrowest family is GPT, .855 − .763.
  "means-narrow-ranges": {
    ...{ verdict: YES, says: /0\.077; q within a family over 0\.092 to 0\.250/, then: NO },
    change: (tables) => run(tables, "GPT", 111).q = 0.8,
  },
  // .891 − .814 = .077, and only .095 is larger. For all five the means would have to lie within .033.
  "means-narrow-sds": {
    ...{ verdict: NO, says: /0\.077, and 1 of 5 printed SDs are larger: Gemini-2\.5-Pro 0\.095/, then: YES },
    change: (tables) => {
      const means = { "GLM-5V Turbo": 0.87, "GPT-5.5": 0.87, "Gemini-2.5-Pro": 0.87 } as Record<string, number>;
      tables.models.forEach((row) => row.mean_q = means[row.model] ?? row.mean_q);
    },
  },
  // Without 104: Gemini 4.454 / 5 = .8908, MIMO 4.405 / 5 = .881.
  "order-not-stable": {
    ...{
      verdict: YES,
      says: /without 104 Gemini-2\.5-Pro comes first instead of MIMO-v2\.5\. .* F 1\.58 \(p = \.218\), .* 0\.37/,
      then: NO,
    },
    // Families apart by far, and a little noise to compare with.
    change: (tables) => tables.runs.forEach((one, i) => one.q = family(tables, one.model).mean_q + (i % 7) / 1e4),
  },
  // .8762 − .8396; narrowest seed 112: .917 − .822.
  "flat-difficulty": {
    ...{ verdict: YES, says: /over 0\.037; on one seed the families differ by at least 0\.095/, then: NO },
    change: (tables) => run(tables, "GLM", 108).q = 0.2,
  },
  // Survivors of 104: 3.425 / 4 = .856, above .8396, .8496 and .8538.
  "seed-104-hardest": {
    ...{ verdict: YES, says: /Lowest mean q: seed 104.*number 4 of 6 from below\. .* F 0\.58 \(p = \.714\)/, then: NO },
    change: (tables) => run(tables, "GLM", 108).q = 0.59,
  },
  // Of the other four: .856 against .822, .873, .8485, .837 and .868; .774 is the floor's highest.
  "hard-seed": {
    ...{
      verdict: NO,
      says: /average 0\.856 on seed 104, above 3 of their 5 .* 0\.774, above 5 of 5\. .* F 0\.58 \(p = \.714\)/,
      then: YES,
    },
    change: (tables) => {
      run(tables, "GLM", 104).q = 0.5;
      floor(tables, 104).q = 0.6;
    },
  },
  "floor-just-adequate": {
    ...{ verdict: YES, says: /0\.713, is 0\.013 above adequate and 0\.101 below .* within 0\.077/, then: NO },
    change: (tables) => floor(tables, 104).q = 0.95,
  },
  "floor-adequate-half": {
    ...{ verdict: YES, says: /3 of 6 .* seeds 104, 108 and 112/, then: NO },
    change: (tables) => floor(tables, 109).q = 0.7,
  },
  "degraded-outcomes": {
    ...{ verdict: YES, says: /0\.525 and 0\.768, active rumours 2\.50 and 1\.38/, then: NO },
    change: (tables) => floor(tables, 104).public_order = 2.35,
  },
  "floor-set-by-seed": {
    ...{ verdict: OPEN, says: /leaves 12 runs without a model; Table 8 prints 6, and no seed twice/, then: NO },
    change: (tables) => floor(tables, 108).seed = 104,
  },
  "every-floor-run": {
    ...{ verdict: OPEN, says: /6 of 6 printed .* has 12 of them, so 6 are not printed/, then: NO },
    change: (tables) => floor(tables, 111).stabilized = false,
  },
  // .817 − .774 = .043 is the least; mean of Table 7 less mean of Table 8 is .8511 − .713.
  "gap-is-deliberation": {
    ...{ verdict: OPEN, says: /6 of 6 seeds, by 0\.138 on average and 0\.043 at least \(seed 104\)/, then: NO },
    change: (tables) => floor(tables, 104).q = 0.9,
  },
  "adequate-or-better": {
    ...{ verdict: YES, says: /29 of 30 runs stabilised, 29 of them .* GLM-5V Turbo 108 with 0\.714/, then: NO },
    change: (tables) => run(tables, "GLM", 108).q = 0.699,
  },
  "runs-logged": {
    ...{ verdict: YES, says: /30 \+ 30 \+ 30 \+ 12 \+ 6 = 108/, then: NO },
    change: (tables) => tables.batches[3]!.runs = 11,
  },
  "batch-not-simultaneous": {
    ...{ verdict: YES, says: /5 of 5 families/, then: NO },
    change: (tables) => run(tables, "Sonnet", 104).batch = "primary",
  },
  // All else at its most: .22 + .1508 + .1 + .0745 + .06 + .04 = .6453, so info adds .0132 of .12: .40 + .45 · .109.
  "no-collapse": {
    ...{ verdict: YES, says: /0 plans passed; public order 0\.774 .* at least 0\.449/, then: NO },
    change: (tables) => Object.assign(run(tables, "Gemini", 104), { passed_count: 1, time_to_first_pass: 6 }),
  },
  // Below .774: all of GLM and GPT, MIMO 108, Sonnet 108 and 111.
  "decent-while-failing": {
    ...{ verdict: YES, says: /above 15 of 29 survivors .* 1 rumour \(median 1\)/, then: NO },
    change: (tables) => run(tables, "Gemini", 104).active_rumors = 2,
  },
  // The most it could score is .765; near that, nothing may be missing.
  "not-schema-artifact": {
    ...{ verdict: OPEN, says: /from 0\.000 to 1\.000/, then: YES },
    change: (tables) => run(tables, "Gemini", 104).q = 0.76,
  },
  // (1 + 1 + 3 + 2 + 3) / 5, and 75 rounds of the 24 others.
  // Spearman's ρ of 29 runs by another program: −.53, and −.28 without .12 · (7 − round) / 6; t = −1.51 of 27 degrees.
  "strongest-passed-early": {
    ...{
      verdict: YES,
      says: /strongest 2\.00, .* stabilised 3\.13 .* at 8 of 8 cuts.* −0\.53, without .* −0\.28\s+\(p = \.142\)/,
      then: OPEN,
    },
    change: (tables) => run(tables, "MIMO", 109).time_to_first_pass = 6,
  },
  // Five: 5 / 5 and 35 / 24; six: 9 / 6 and 31 / 23.
  "strongest-contained-rumours": {
    ...{
      verdict: OPEN,
      says:
        /strongest 1\.00, of the 24 others that stabilised 1\.46 \(runs that failed are left out\); .* 6 of 8 cuts .* not at 6 \(1\.50, 1\.35\)/,
      then: YES,
    },
    change: (tables) => run(tables, "Gemini", 111).active_rumors = 0,
  },
  "strongest-one-shape": {
    ...{ verdict: NO, says: /2 of 5 strongest .* MIMO-v2\.5 104 \(round 1, 3 rumours\)/, then: YES },
    change: (tables) =>
      tables.runs.filter(({ q }) => q > 0.905).forEach((one) => {
        one.time_to_first_pass = 1;
        one.active_rumors = 0;
      }),
  },
  // Sonnet 110 (.9115 or more, public order .801, round 2, 2 passed, 1 rumour): at most .22 + .16 + .12 + .10 + .10 + .0667
  // + .0745 + .06 + .04 = .9412, of which .0297 may be missing: of info's .12, or of coalition's .06.
  "strongest-integrity": {
    ...{ verdict: YES, says: /at 0\.753 or more in each of the five .* 0\.5 or more in 10 of 10/, then: OPEN },
    change: (tables) => run(tables, "Sonnet", 110).passed_count = 3,
  },
  "strongest-coalitions": {
    ...{ verdict: YES, says: /at 0\.506 or more in each of the five .* 0\.5 or more in 8 of 10/, then: OPEN },
    change: (tables) => run(tables, "Sonnet", 110).active_rumors = 0,
  },
  // The most it could score is .96051, so .9605 leaves .00012: of .06 and of .04.
  "example-broad-coalition": {
    ...{ verdict: YES, says: /from 0\.998\d to 1\.0000/, then: OPEN },
    change: (tables) => run(tables, "MIMO", 109).q = 0.94,
  },
  "example-not-normalised": {
    ...{ verdict: YES, says: /from 0\.997\d to 1\.0000/, then: OPEN },
    change: (tables) => run(tables, "MIMO", 109).q = 0.94,
  },
  // Sonnet 111 in round 2 has .821; the floor's best is .774.
  "early-against-mechanical": {
    ...{ verdict: YES, says: /The 8 live runs .* at least 0\.821, .* at most 0\.774/, then: NO },
    change: (tables) => floor(tables, 104).q = 0.83,
  },
  "score-discriminates": {
    ...{ verdict: NO, says: /GLM-5V Turbo 108 0\.714 and GPT-5\.5 111 0\.763\. .* 97\.7 %/, then: YES },
    change: (tables) => tables.floor.forEach((one) => one.q = 0.7),
  },
  "evidence-recomputes": {
    ...{
      verdict: YES,
      says: /51 come out as printed, 2 within .*MIMO-v2\.5 mean_q and .*Sonnet-4 mean_q\), 0 not/,
      then: NO,
    },
    change: (tables) => run(tables, "Gemini", 112).q = 0.89,
  },
  "scores-from-formula": {
    ...{ verdict: OPEN, says: /36 of 36/, then: NO },
    change: (tables) => run(tables, "GLM", 108).q = 0.99,
  },
};

const judge = (id: string, published: StationTables, facts = published.facts) => {
  const claim = claims.find((claim) => claim.id === id)!;
  return evaluateClaims([withValues(claim, STATION_QUANTITIES, published)], { facts })[0]!;
};

Deno.test("the values on file are those of the published tables", () => {
  for (const claim of claims) {
    const made = withValues(claim, STATION_QUANTITIES, PUBLISHED);
    assert.deepEqual(claim.values, made.values, `${claim.id}: stale: run deno task dev claims`);
  }
});

Deno.test("every claim that is checked is expected to find something, and nothing is expected of others", () => {
  const checked = claims.filter(({ quantity }) => quantity !== undefined).map(({ id }) => id);
  assert.deepEqual(Object.keys(EXPECTED).sort(), checked.sort());
});

for (const [check, { verdict, says, change, then }] of Object.entries(EXPECTED)) {
  Deno.test(`${check}: ${verdict} as published, ${then} when the numbers change`, () => {
    const found = judge(check, PUBLISHED);
    assert.equal(found.verdict, verdict, found.evidence!);
    assert.match(found.evidence!, says);
    assert.doesNotMatch(found.evidence!, /NaN|undefined|Infinity/);
    const changed = structuredClone(PUBLISHED) as Tables;
    change(changed);
    const other = judge(check, changed);
    assert.equal(other.verdict, then, other.evidence!);
    assert.notEqual(other.evidence, found.evidence);
  });
}

Deno.test("a q that says nothing of information integrity leaves open whether the state collapsed", () => {
  const changed = structuredClone(PUBLISHED) as Tables;
  run(changed, "Gemini", 104).q = 0.6;
  const { verdict, evidence } = judge("no-collapse", changed);
  assert.equal(verdict, OPEN);
  assert.match(evidence!, /information integrity not bounded by its q/);
});

Deno.test("an order that one seed changes is stable all the same where the families' means differ beyond chance", () => {
  const changed = structuredClone(PUBLISHED) as Tables;
  const place = { "MIMO-v2.5": 0.9, "Sonnet-4": 0.6, "Gemini-2.5-Pro": 0.4, "GPT-5.5": 0.2 } as Record<string, number>;
  changed.runs.forEach((one) => one.q = place[one.model] ?? 0.2);
  // GLM is level with GPT but for two seeds, and above it by one of them alone.
  run(changed, "GLM", 104).q = 0.23;
  run(changed, "GLM", 108).q = 0.18;
  const { verdict, evidence } = judge("order-not-stable", changed);
  assert.equal(verdict, NO);
  assert.match(evidence!, /changes when one of 1 of 6 seeds is left out \(104\).* \(p < \.001\)/);
});

Deno.test("what q excludes refutes that the strongest kept integrity and formed coalitions", () => {
  const changed = structuredClone(PUBLISHED) as Tables;
  // With executability .58 and nothing else they score .22 · .58 + .02 + .10 / 3 = .181: at most .0095 is left.
  const poor = { q: 0.19, public_order: 0.35, time_to_first_pass: 6, passed_count: 1, active_rumors: 8 };
  changed.runs.forEach((one) => Object.assign(one, poor));
  for (const check of ["strongest-integrity", "strongest-coalitions"]) {
    assert.equal(judge(check, changed).verdict, NO, check);
  }
});

Deno.test("checks of the failed run say so where not exactly one failed", () => {
  const changed = structuredClone(PUBLISHED) as Tables;
  run(changed, "Gemini", 104).stabilized = true;
  for (const check of ["no-collapse", "decent-while-failing", "not-schema-artifact"]) {
    assert.deepEqual(judge(check, changed).evidence, "0 of 30 clean-live runs failed, not one.");
  }
});

Deno.test("every quantity is used by a claim", () => {
  assert.deepEqual(
    [...new Set(claims.flatMap(({ quantity }) => quantity ?? []))].sort(),
    Object.keys(STATION_QUANTITIES).sort(),
  );
});

Deno.test("a quantity reads the files that its claim names, all of them and no other", () => {
  for (const { id, quantity, needs } of claims) {
    if (quantity === undefined) continue;
    const read = new Set<string>();
    const watched = new Proxy(PUBLISHED, {
      get(tables, key: keyof StationTables) {
        read.add(STATION_TABLES[key].file);
        return tables[key];
      },
    });
    const facts = new Proxy(PUBLISHED.facts, {
      get(rows, key) {
        read.add("station/facts.csv");
        return Reflect.get(rows, key);
      },
    });
    judge(id, watched, facts);
    assert.deepEqual([...read].sort(), needs!.toSorted(), id);
  }
});

Deno.test("the files that claims need exist", async () => {
  for (const file of new Set(claims.flatMap(({ needs }) => needs ?? []))) {
    assert.ok((await Deno.stat(new URL(`../../../data/published/${file}`, import.meta.url))).isFile, file);
  }
});

Deno.test("what is not decided says what is missing", () => {
  for (
    const { id, verdict, missing } of evaluateClaims(claims, PUBLISHED)
  ) {
    if (verdict === "not-checkable") assert.ok(missing, id);
  }
});

Deno.test("a claim states, in words of ours; its numbers are those of the paper's sentence", () => {
  const numbers = claims.flatMap(({ claim }) => claim.match(/0\.\d+/g) ?? []);
  assert.deepEqual(numbers, ["0.409"], "what was computed belongs in the evidence");
});
