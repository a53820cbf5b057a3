import assert from "node:assert/strict";
import { type ClaimVerdict, evaluateClaims } from "@/lab/paper/claims.ts";
import { loadClaims } from "./format.ts";
import { DELIBERATION_QUANTITIES } from "./deliberation.ts";
import { withValues } from "./values.ts";
import { DELIBERATION_TABLES, type DeliberationEvidence, loadDeliberationEvidence } from "./deliberation_tables.ts";

const PUBLISHED = await loadDeliberationEvidence();
const { claims } = await loadClaims("deliberation");

type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;
type Tables = Writable<DeliberationEvidence>;

const only = <Row>(rows: readonly Row[], wanted: (row: Row) => boolean): Row => {
  const found = rows.filter(wanted);
  assert.equal(found.length, 1);
  return found[0]!;
};
const route = (tables: Tables, lineup: string, roles: boolean) =>
  only(tables.routes, (row) => row.lineup === lineup && row.roles === roles);
const cell = (tables: Tables, scenario: string, roles: boolean, temperature = 0) =>
  only(
    tables.landscape,
    (row) => row.scenario === scenario && row.roles === roles && row.temperature === temperature,
  );
const swept = (tables: Tables, roles: boolean) =>
  tables.conditions.filter((row) => row.experiment === "temperature" && row.roles === roles);
const at = (tables: Tables, temperature: number, roles: boolean) =>
  only(swept(tables, roles), (row) => row.temperature === temperature);
const ablated = (tables: Tables, role: string) =>
  only(tables.conditions, (row) => row.experiment === "ablation" && row.ablated === role);
const fact = (tables: Tables, id: string) => only(tables.facts, (one) => one.id === id);
/** Puts the slope with roles above the one without, in every scenario. */
const raiseAll = (tables: Tables, temperature: number) =>
  tables.landscape.filter((row) => row.roles && row.temperature === temperature).forEach((row) => row.lambda = 0.2);

/** Gives Table S1 a row. */
const account = (tables: Tables, condition: string) => tables.accounting.push({ ...tables.accounting[0]!, condition });
const ABLATIONS = ["Welfare", "Rights", "Security"].map((role) => `Ablate ${role} (IM-01, T = 0)`);
const SWEEP = ["0.7", "0.2", "0.1", "0.05", "0.01", "1e-4", "1e-5"].map((t) => `Uniform roles (IM-01, T = ${t})`);

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
  // .0541 − .0221 and .0947 − .0221.
  "two-routes": {
    ...{ verdict: YES, says: /0\.0221 with neither, 0\.0541 .*\(\+0\.0320\), 0\.0947 .*\(\+0\.0726\)/, then: NO },
    change: (tables) => route(tables, "mixed", false).lambda = 0.022,
  },
  // .0519 − .0947 − .0541 + .0221; .0541 + .0947 − .0221; .0541 · .0947 / .0221.
  "non-additive": {
    ...{ verdict: YES, says: /give 0\.1267, multiplying them 0\.2318.* −0\.0748, .* −1\.4967; .* is below/, then: NO },
    change: (tables) => route(tables, "mixed", true).lambda = 0.1267,
  },
  // .0748 / 2 / 1.96; √(2 · .0181² + 2 · .0096²) = .0290.
  "non-additive-beyond-chance": {
    ...{ verdict: OPEN, says: /below 0\.0191\..* 0\.0181 with roles, 0\.0096 without, .* 2\.6 standard/, then: NO },
    change: (tables) => route(tables, "mixed", true).lambda = 0.1267,
  },
  // .0519 − .0947 and .0519 − .0541.
  "routes-independent": {
    ...{ verdict: NO, says: /\+0\.0320 .* −0\.0428 .* \+0\.0726 .* −0\.0022/, then: YES },
    change: (tables) => route(tables, "mixed", true).lambda = 0.1,
  },
  "baseline-positive": {
    ...{
      verdict: YES,
      says: /24 of 24 .* 0\.0045 \(IM-01, T = 0\).* 7 of 8, not Claude .* T = 0\.1 with −0\.0079/,
      then: NO,
    },
    change: (tables) => tables.landscape.forEach((row) => row.lambda = row.temperature === 0 ? row.lambda : -0.01),
  },
  // The twelve differences add up to .1385, without .0793 to .0592 over eleven.
  "roles-raise-t0": {
    ...{
      verdict: OPEN,
      says: /6 of 12 .*p = 1\.000\. Mean change \+0\.0115 .*p = \.144\), median \+0\.0056; without IM-01.* \+0\.0054/,
      then: YES,
    },
    change: (tables) => raiseAll(tables, 0),
  },
  // 2 · (495 + 220 + 66 + 12 + 1) / 4096.
  "roles-raise-t01": {
    ...{
      verdict: OPEN,
      says: /8 of 12 .*CL-01, SP-01, SP-03 and AI-02\); .*p = \.388\. Mean change \+0\.0188/,
      then: YES,
    },
    change: (tables) => raiseAll(tables, 0.1),
  },
  // Six remain against six: p = 1.
  "no-roles-lowest": {
    ...{
      verdict: OPEN,
      // .0308 − .0311 and .0202 − .0216.
      says:
        /\(IM-02, IN-02, CL-01, CL-04, SP-03 and AI-01\).* at most 6; .* 2 of 24 .* SP-03 by 0\.0003 and IM-02 by 0\.0014, .*: near-ties\./,
      then: NO,
    },
    // Two remain against ten: p = 2 · (1 + 12 + 66) / 4096 = .039.
    change: (tables) => ["HL-01", "HL-02", "IN-01", "SP-01"].forEach((id) => cell(tables, id, true).lambda = 0),
  },
  // Roles are above in the six others.
  "routes-elevated": {
    ...{ verdict: OPEN, says: /6 of 12 scenarios, .* 1 of 1 .* At T = 0\.1 .* 8\./, then: NO },
    // Two are above and ten below: p = .039.
    change: (tables) => ["HL-01", "HL-02", "IN-01", "SP-01"].forEach((id) => cell(tables, id, true).lambda = 0),
  },
  // .0947 − .0221; GPT-4.1-mini and Gemini at T = 0.
  "causal-decomposition": {
    ...{ verdict: OPEN, says: /by \+0\.0726, .* 0\.0045 to 0\.0693, by model/, then: YES },
    change: (tables) => tables.models.forEach((row) => row.lambda = 0.0045),
  },
  "benchmark-level": {
    ...{ verdict: OPEN, says: /1 of 12 scenarios \(HL-01\); of these it is so in 1\./, then: YES },
    change: (tables) => tables.mixed.forEach((row) => row.lambda = row.roles ? -0.1 : 0.2),
  },
  "im01-typical": {
    ...{
      verdict: NO,
      says: /\+0\.0793, number 1 of 12 .* \+0\.0320 \(HL-01\).* number 1 with roles and number 12 without/,
      then: YES,
    },
    change: (tables) => cell(tables, "IM-01", true).lambda = 0.01,
  },
  "signature-persists": {
    ...{ verdict: YES, says: /6 of 6 scenarios; .* in 2 of 6 \(CL-01 and SP-03\).* 8 of 8 temperatures/, then: NO },
    change: (tables) => cell(tables, "HL-01", true, 0.1).lambda = 0.0144,
  },
  "three-options": {
    ...{
      verdict: NO,
      says: /11 of 12 .* CL-04 has 5; .* −0\.0204 at T = 0 \(number 1 of 12 .* −0\.0203 at T = 0\.1/,
      then: YES,
    },
    change: (tables) => only(tables.scenarios, ({ id }) => id === "CL-04").options.length = 3,
  },
  "chair-largest": {
    ...{
      verdict: YES,
      says: /0\.0534 \(Chair\), 0\.0425 \(Equity\), .* 0\.0016 \(Security\); .* 80 % of the first/,
      then: NO,
    },
    change: (tables) => ablated(tables, "Equity").lambda = 0.0304,
  },
  // .0838 − .0045 = .0793; .0534 and .0425 of it; .1260 / .0793.
  "chair-dominant": {
    ...{ verdict: NO, says: /by 0\.0793; .* Chair \(67 %\) and Equity \(54 %\).* 1\.6 times/, then: YES },
    change: (tables) => ablated(tables, "Equity").lambda = 0.045,
  },
  "chair-over-scenarios": {
    ...{
      verdict: OPEN,
      says: /5 of 5 .*p = \.063\), 2 of 5 .*\(IM-01 and HL-01\).* AI-01 starts from 0\.0032/,
      then: YES,
    },
    change: (tables) =>
      only(tables.effects, (row) => row.figure === "2B" && row.scenario === "CL-01").excludes_zero = true,
  },
  "chair-switches": {
    ...{ verdict: YES, says: /2\.76 of 4\.17 .*\(66 %\); next is Welfare with 0\.71/, then: NO },
    change: (tables) => only(tables.switches, ({ role }) => role === "Welfare").mean_switches = 1,
  },
  // (.34 − .27) / √((.54² + .56²) / 120) = .986.
  "security-stable": {
    ...{
      verdict: OPEN,
      says: /Security switches 0\.34 .* Equity, not called\s+stable, 0\.27: 1\.0 standard/,
      then: NO,
    },
    change: (tables) => only(tables.switches, ({ role }) => role === "Security").mean_switches = 0.44,
  },
  // Of ten pairs seven agree; of the other roles' six, three.
  "chair-source": {
    ...{
      verdict: OPEN,
      says: /fall in slope: Chair, Equity, .*switches: Chair, Welfare, .* 0\.40 .* 0\.00 without/,
      then: NO,
    },
    change: (tables) => ablated(tables, "Chair").lambda = 0.08,
  },
  // 2 · C(20, 9) / C(40, 9) = .00123.
  "chair-deliberates": {
    ...{ verdict: YES, says: /0 of 20 runs .* 9 of 20 \(Fisher p = \.001\), .* 16 rounds instead of 2/, then: NO },
    change: (tables) => ablated(tables, "Chair").ttm = 1,
  },
  "shorter-memory": {
    ...{ verdict: OPEN, says: /6 of 6 .* 5 of 5 .*p = \.063\).* AI-01 starts from 0\.0032/, then: NO },
    change: (tables) => only(tables.effects, (row) => row.figure === "3A" && row.scenario === "HL-01").sign = undefined,
  },
  // Of 28 pairs 14 rise with temperature and 14 fall; the seven others add up to .5818.
  "sweep-flat": {
    ...{
      verdict: OPEN,
      says: /0\.0400 \(T = 1e-4\) to 0\.0971 .*SD 0\.0181; .* 0\.00\. .* 4\.1 SDs .*0\.0831, SD 0\.0106/,
      then: NO,
    },
    change: (tables) => swept(tables, true).forEach((row, i) => row.lambda = i / 100),
  },
  // .0400 − .0201.
  "no-roles-suppressed": {
    ...{ verdict: YES, says: /8 of 8 .* 0\.0199 at least \(T = 1e-4\); at most 0\.0317 .* at least 0\.0400/, then: NO },
    change: (tables) => at(tables, 1e-5, false).lambda = 0.0401,
  },
  "no-roles-zero": {
    ...{ verdict: NO, says: /8 of 8 .*p = \.008\), 0\.0187 on average, 0\.0045 to 0\.0317/, then: YES },
    change: (tables) => at(tables, 0, false).lambda = -0.0045,
  },
  // .0317 − .0308; 1.96 · .0096 = .0188, below which are .0045, .0079, .0164 and .0178.
  "no-roles-zero-singly": {
    ...{ verdict: OPEN, says: /7 of 8, .* lie 0\.0009 apart.* 0\.0096, .* 4 of 8 lie within 1\.96/, then: NO },
    change: (tables) => fact(tables, "sweep-no-roles-zero").value = 9,
  },
  // Lower with roles: IM-01, HL-02, CL-01, SP-01, SP-03, AI-01, AI-02; without: IM-01, IN-02, CL-01, SP-01, AI-01, AI-02.
  "zero-keeps-instability": {
    ...{ verdict: YES, says: /24 of 24 .*; 13 of 24 .*p = \.839/, then: NO },
    change: (tables) => tables.landscape.forEach((row) => row.lambda += row.temperature),
  },
  // 1.96 · √2 = 2.77, beyond which lie .0056.
  "overlap-equality": {
    ...{ verdict: NO, says: /touch .* 2\.77 standard errors .*\(p = \.006\).* 0\.0838\s+and 0\.0822/, then: OPEN },
    change: (tables) => at(tables, 0.7, true).lambda = 0.0838,
  },
  "identical-calls": {
    ...{ verdict: OPEN, says: /8 to 10 of 20 calls/, then: NO },
    change: (tables) => fact(tables, "identical-calls").value = 1,
  },
  // e^(17 · .0838) = e^1.4246; ln 100 / 17.
  "noise-amplified": {
    ...{ verdict: OPEN, says: /by 4\.2 from round 3 to round 20; a hundredfold needs 0\.2709/, then: YES },
    change: (tables) => ablated(tables, "none").lambda = 0.271,
  },
  // Claude .0626 − .0479 and Grok .0982 − .0348.
  "every-model": {
    ...{
      verdict: YES,
      says: /10 of 10 .* 5 of 5 .*p = \.063\).* GPT-4\.1-mini \(\+0\.0793\), by \+0\.0147 to \+0\.0634/,
      then: NO,
    },
    change: (tables) =>
      only(tables.models, (row) => row.model.startsWith("Claude") && row.roles && row.temperature === 0).lambda =
        0.0479,
  },
  "attrition-cause": {
    ...{
      verdict: OPEN,
      says: /13 runs are missing in 7 of 20 cells .*Grok-3 with roles at T = 0\..* partially known/,
      then: YES,
    },
    change: (tables) => tables.failures.forEach((row) => row.status = "Known"),
  },
  "gamma-positive": {
    ...{ verdict: YES, says: /5 of 5 .* 0\.054 is 6\.75 standard errors \(0\.008\)/, then: NO },
    change: (tables) => fact(tables, "branching-gamma-se").value = 0.02,
  },
  "gamma-certifies": {
    ...{ verdict: OPEN, says: /5 of 5 are positive, which is nearly vacuous: .* initial distance is 0 /, then: NO },
    change: (tables) => fact(tables, "branching-positive").value = 4,
  },
  // Both stay √(.2² + .2²) apart.
  "gamma-goes-on": {
    ...{ verdict: NO, says: /have 0\.28, .*; 5 of 5 .* 0\.054 on average/, then: OPEN },
    change: (tables) => fact(tables, "branching-positive").value = 0,
  },
  // (.6, .4) · (.4, .6) / (.36 + .16) = .48 / .52.
  "cosine-structure": {
    ...{ verdict: NO, says: /of 5 of 5 replicates, .* 1\.00 within and 0\.92 across/, then: OPEN },
    change: (tables) => fact(tables, "branching-cosine").value = 4,
  },
  // Two of six and nine of twenty is the likeliest table of its margins.
  "wording-affects": {
    ...{ verdict: OPEN, says: /2 of 6 .* 9 of 20 \(Fisher p = 1\.000\)/, then: YES },
    change: (tables) => ablated(tables, "none").flip_rate = 0,
  },
  "wording-smaller": {
    ...{ verdict: OPEN, says: /0\.0300 over 6 phrasings .* 0\.0838 over 20 runs/, then: NO },
    change: (tables) => only(tables.conditions, ({ experiment }) => experiment === "semantic").lambda = 0.09,
  },
  "mixed-estimated": {
    ...{ verdict: YES, says: /24 of 24 mixed cells have 20 runs, 480 of 480 .* 2 of 24/, then: NO },
    change: (tables) => tables.mixed[3]!.n = 19,
  },
  // 7 of 960; Table S1 falls short in five rows that lack at least 1.25 %, of which 3 of 240 and 4 of 240 lack less than 2.
  "parse-failures": {
    ...{ verdict: OPEN, says: /0\.7 % of the landscape's 960 runs and 20 % in Grok-3.*; 10 of 39 rows/, then: YES },
    change: (tables) => {
      tables.accounting.forEach((row) => row.realised = row.target);
      tables.models.forEach((row) => row.n = 20);
    },
  },
  "accounting-covers": {
    ...{
      verdict: NO,
      says: /2 of 5 ablated roles .*\(Chair and Equity\) and of 1 of 8 temperatures \(T = 0\)/,
      then: YES,
    },
    change: (tables) => [...ABLATIONS, ...SWEEP].forEach((condition) => account(tables, condition)),
  },
  "switches-pooled": {
    ...{ verdict: YES, says: /6 temperatures of 20 runs give 120; 5 of 5 rows .* 2 of the 8 temperatures/, then: NO },
    change: (tables) => only(tables.switches, ({ role }) => role === "Chair").n = 160,
  },
  "references-resolve": {
    ...{ verdict: NO, says: /10 of 12 .* S1-S3, printed as S1-S5\) .* Table S1, printed as Table S4/, then: YES },
    change: (tables) => tables.references.forEach((row) => row.named = row.stands),
  },
  "positive-exponential": {
    ...{
      verdict: NO,
      says:
        /slope 0\.0509 and .* 0\.1018: .* 3 of 4 .* 11 of 23 .* 10 of 19 .* 9 of 48 .*; .* 3 of 19 in Table S6 and 0 of 48/,
      then: YES,
    },
    change: ({ routes, landscape, conditions, models }) =>
      [routes, landscape, conditions, models].forEach((rows) => rows.forEach((row) => row.lambda = 0.102)),
  },
  // 86, 383, 562 and, of fewer runs, 321 to 364 of 2000; three standard errors of .05 are .0146.
  "permutation-null": {
    ...{
      verdict: NO,
      says:
        /can give is 0\.0005; stated is p < 0\.001\. .* 4 % \(independent rounds, 20 runs\), 19 % .* 28 % \(AR\(1\) 0\.95, 20 runs\).* 16 % .* in 6 of 7 regimes, up to 28 %/,
      then: OPEN,
    },
    change: (tables) => tables.study.forEach(({ counts }) => counts["rounds shuffled"] &&= 100),
  },
  "consensus-round-one": {
    ...{ verdict: OPEN, says: /8 of 8 temperatures; .* 1 of 20 runs at T = 0\.1\./, then: NO },
    change: (tables) => at(tables, 0.1, false).ttm = 2,
  },
  "consensus-delayed": {
    ...{ verdict: YES, says: /within rounds 2 to 3 at 8 of 8 temperatures \(round 2\)/, then: NO },
    change: (tables) => at(tables, 0.2, true).ttm = 4,
  },
  "never-majority": {
    ...{ verdict: OPEN, says: /2 to 4\. The median is round 2 at all 8/, then: NO },
    change: (tables) => at(tables, 0.2, true).ttm = 21,
  },
  // Seven without roles, and the Chair's ablation.
  "slope-means-decisions": {
    ...{ verdict: NO, says: /In 8 of 22 .* up to 0\.0317; .* r = 0\.46/, then: YES },
    change: (tables) => tables.conditions.forEach((row) => row.flip_rate ||= 0.05),
  },
};

const judge = (id: string, published: DeliberationEvidence, facts = published.facts) => {
  const claim = claims.find((claim) => claim.id === id)!;
  return evaluateClaims([withValues(claim, DELIBERATION_QUANTITIES, published)], { facts })[0]!;
};

Deno.test("the values on file are those of the published tables", () => {
  for (const claim of claims) {
    const made = withValues(claim, DELIBERATION_QUANTITIES, PUBLISHED);
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
    assert.equal(found.verdict, verdict, found.evidence ?? "no evidence");
    assert.match(found.evidence!, says);
    assert.doesNotMatch(found.evidence!, /NaN|undefined|Infinity|-\d\.\d{4}/);
    const changed = structuredClone(PUBLISHED) as Tables;
    change(changed);
    const other = judge(check, changed);
    assert.equal(other.verdict, then, other.evidence ?? "no evidence");
    assert.notEqual(other.evidence, found.evidence);
  });
}

/** What else a check can find. */
const ELSEWHERE:
  readonly (readonly [check: string, when: string, change: (tables: Tables) => unknown, ClaimVerdict])[] = [
    ["non-additive", "0.2 is above the sum and below the product", (tables) => {
      route(tables, "mixed", true).lambda = 0.2;
    }, NO],
    ["non-additive", "it is within rounding", (tables) => route(tables, "mixed", true).lambda = 0.1266, NO],
    ["routes-independent", "mixing adds to roles alone", (tables) => route(tables, "mixed", true).lambda = 0.07, NO],
    ["roles-raise-t01", "7 of 12 rise", (tables) => cell(tables, "CL-01", true, 0.1).lambda = 0.06, OPEN],
    ["roles-raise-t01", "none changes", (tables) => tables.landscape.forEach((row) => row.lambda = 0), OPEN],
    ["roles-raise-t01", "two rise and ten fall", (tables) => {
      const fallen = ["HL-01", "HL-02", "IN-01", "CL-01", "SP-01", "SP-03"];
      fallen.forEach((id) => cell(tables, id, true, 0.1).lambda = 0);
    }, NO],
    ["no-roles-lowest", "all are known and higher", (tables) => {
      raiseAll(tables, 0);
      tables.mixed.forEach((row) => row.lambda = 0.2);
    }, YES],
    ["no-roles-lowest", "mixed slopes are lower", (tables) => {
      raiseAll(tables, 0);
      tables.mixed.forEach((row) => row.lambda = 0);
    }, NO],
    ["benchmark-level", "mixed slopes are lower", (tables) => tables.mixed.forEach((row) => row.lambda = 0), NO],
    ["benchmark-level", "mixing lowers and the contrast is below zero", (tables) => {
      tables.mixed.forEach((row) => row.lambda = row.roles ? -1 : 0);
    }, NO],
    ["benchmark-level", "mixing raises and the contrast is above zero", (tables) => {
      tables.mixed.forEach((row) => row.lambda = row.roles ? 1 : 0.2);
    }, NO],
    ["signature-persists", "the sweep has one exception", (tables) => at(tables, 0.7, true).lambda = 0.0164, NO],
    ["chair-over-scenarios", "no effect is positive", (tables) => {
      tables.effects.forEach((row) => row.sign = undefined);
    }, NO],
    ["sweep-flat", "slopes rise with temperature", (tables) => {
      swept(tables, true).forEach((row, i) => row.lambda = -i / 100);
    }, NO],
    [
      "wording-affects",
      "2 of 6 stand against 2 of 20",
      (tables) => ablated(tables, "none").flip_rate = 0.1,
      OPEN,
    ],
    // None of six against twelve of twenty: (C(14, 6) + C(12, 6)) / C(26, 6) = .017.
    ["wording-affects", "one phrasing leaves it far more often", (tables) => {
      tables.phrasings.forEach((row) => row.decision = "A");
      ablated(tables, "none").flip_rate = 0.6;
    }, NO],
    ["security-stable", "all others switch far more", (tables) => {
      only(tables.switches, ({ role }) => role === "Equity").mean_switches = 0.7;
    }, YES],
    ["gamma-positive", "one is not positive", (tables) => fact(tables, "branching-positive").value = 4, NO],
    ["parse-failures", "Table S1 alone lacks runs", (tables) => tables.models.forEach((row) => row.n = 20), OPEN],
    ["mixed-estimated", "the totals lack runs", (tables) => tables.accounting.forEach((row) => row.realised = 0), NO],
    ["chair-deliberates", "the slope rises", (tables) => ablated(tables, "Chair").lambda = 0.09, NO],
    ["zero-keeps-instability", "all slopes fall", (tables) => {
      tables.landscape.forEach((row) => row.lambda = -0.01 - row.temperature);
    }, NO],
    ["accounting-covers", "temperatures lack", (tables) => ABLATIONS.forEach((name) => account(tables, name)), NO],
    ["accounting-covers", "ablations lack", (tables) => SWEEP.forEach((name) => account(tables, name)), NO],
    ["positive-exponential", "all are between walk and drift", ({ routes, landscape, conditions, models }) => {
      [routes, landscape, conditions, models].forEach((rows) => rows.forEach((row) => row.lambda = 0.06));
    }, OPEN],
    ["permutation-null", "the p stated cannot come from that many", (tables) => {
      tables.study.length = 0;
      fact(tables, "permutations").value = 999;
    }, NO],
    ["routes-elevated", "both are known and above", (tables) => {
      raiseAll(tables, 0);
      tables.mixed.forEach((row) => row.lambda = 0.2);
    }, YES],
    ["routes-elevated", "mixed slopes are lower", (tables) => {
      raiseAll(tables, 0);
      tables.mixed.forEach((row) => row.lambda = 0);
    }, NO],
    ["chair-deliberates", "as many runs flip", (tables) => ablated(tables, "Chair").flip_rate = 0.45, NO],
  ];

for (const [check, when, change, verdict] of ELSEWHERE) {
  Deno.test(`${check}: ${verdict} when ${when}`, () => {
    const changed = structuredClone(PUBLISHED) as Tables;
    change(changed);
    const found = judge(check, changed);
    assert.equal(found.verdict, verdict, found.evidence ?? "no evidence");
  });
}

Deno.test("every quantity is used by a claim", () => {
  assert.deepEqual(
    [...new Set(claims.flatMap(({ quantity }) => quantity ?? []))].sort(),
    Object.keys(DELIBERATION_QUANTITIES).sort(),
  );
});

Deno.test("a quantity reads the files that its claim names, all of them and no other", () => {
  for (const { id, quantity, needs } of claims) {
    if (quantity === undefined) continue;
    const read = new Set<string>();
    const watched = new Proxy(PUBLISHED, {
      get(tables, key: keyof DeliberationEvidence) {
        read.add(key === "study" ? "../estimators/coverage.json" : DELIBERATION_TABLES[key].file);
        return tables[key];
      },
    });
    const facts = new Proxy(PUBLISHED.facts, {
      get(rows, key) {
        read.add("deliberation/facts.csv");
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
  const verdicts = evaluateClaims(claims, PUBLISHED);
  for (const { id, verdict, missing } of verdicts) {
    if (verdict === "not-checkable") assert.ok(missing, id);
  }
});

Deno.test("a claim states, in words of ours; its numbers are those of the paper's sentence", () => {
  const numbers = claims.flatMap(({ claim }) => claim.match(/\d+\.\d+|\d+(?= %)/g) ?? []);
  assert.deepEqual(
    numbers.sort(),
    ["0.1", "0.7", "0.7", "2", "20", "50", "8.5", "95"],
    "what was computed belongs in the evidence",
  );
});
