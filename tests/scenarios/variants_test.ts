import { distance } from "fastest-levenshtein";
import assert from "node:assert/strict";
import { listScenarios, loadScenario, loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import type { ScenarioPacket } from "@/schema/scenario.ts";
import { numbers, quantities } from "./quantities.ts";
import { conditionName } from "@/deliberation/condition_name.ts";
import { conditionHash } from "@/deliberation/deliberate.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { surrogateCouncil } from "@/lab/live/council.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";

/** The phrasings of S4.2 besides the canonical one. */
const KINDS = ["conversational", "formal", "legalistic", "passive-reframe", "synonym-swap"] as const;
/** Smallest share of characters in which two phrasings may differ. A phrasing with one word changed is below 0.01. */
const FLOOR = 0.25;

/** A form of "to be" and a participle within two words: rough, and the same for every text. */
const PASSIVE =
  /\b(?:is|are|was|were|be|been|being)(?: \w+){0,1} (?:\w+ed|held|given|found|set|made|lobbied|taken)\b/gi;

const canonical = await loadScenario("IM-01");
const variants = await Promise.all(KINDS.map((variant) => loadScenario("IM-01", { variant })));
const named = (kind: typeof KINDS[number]) => variants[KINDS.indexOf(kind)]!;

const whole = ({ title, background, options, question }: ScenarioPacket): string =>
  [title, background, ...options.map(({ label, text }) => `${label}: ${text}`), question].join("\n");
const difference = (a: string, b: string): number => distance(a, b) / Math.max(a.length, b.length);
const count = (packet: ScenarioPacket, words: RegExp): number => whole(packet).match(words)?.length ?? 0;

/** Mean words of a sentence of the background. */
function sentenceLength({ background }: ScenarioPacket): number {
  const sentences = background.split(/(?<=[.!?])\s+/);
  return sentences.reduce((sum, sentence) => sum + sentence.split(" ").length, 0) / sentences.length;
}

Deno.test("IM-01 has the five rewordings of S4.2, and no other scenario has any", async () => {
  for (const { id, variants } of await listScenarios()) {
    assert.deepEqual(variants, id === "IM-01" ? [...KINDS] : [], id);
  }
});

for (const variant of variants) {
  const name = `IM-01, ${variant.variant}`;

  Deno.test(`${name}: id, domain, type and option labels in order are the original's`, () => {
    const frame = ({ id, domain, type, options }: ScenarioPacket) => [id, domain, type, options.map((o) => o.label)];
    assert.deepEqual(frame(variant), frame(canonical));
  });

  Deno.test(`${name}: background and every option hold the original's quantities, no more and no fewer`, () => {
    assert.deepEqual(quantities(variant.background), quantities(canonical.background));
    canonical.options.forEach(({ text, label }, i) => {
      assert.deepEqual(quantities(variant.options[i]!.text), quantities(text), label);
    });
    assert.deepEqual([...quantities(variant.question), ...quantities(variant.title)], []);
  });

  Deno.test(`${name}: what the figures are of, and how sure they are, is kept`, () => {
    assert.match(variant.background, /\bmedian\b/);
    assert.equal(variant.background.match(/\bon average\b/g)?.length, 1);
    const hedged = /\b(estimated|about) (6|9) (percent|in 100)\b/g;
    assert.equal(variant.background.match(hedged)?.length, 2, "the audit's two estimates");
    assert.match(variant.options[0]!.text, /\b(about|approximately) 4(,000| thousand)\b/i);
    for (const { text } of variant.options) assert.match(text, /\b(expect|expected|projected)\b/);
  });

  Deno.test(`${name}: the question asks by which rule, for what, and in what order`, () => {
    assert.match(variant.question, /\b(rule|standard)\b.*\b(applications|petitions)\b.*\bin what (order|sequence)\?$/);
  });
}

Deno.test("every two phrasings of IM-01 differ in at least a quarter of their characters", () => {
  const texts = [canonical, ...variants].map(whole);
  texts.forEach((text, i) =>
    texts.slice(0, i).forEach((other, j) => {
      const share = difference(text, other);
      assert.ok(share >= FLOOR, `phrasings ${j} and ${i} differ by ${share.toFixed(3)}`);
    })
  );
  assert.ok(difference(texts[0]!, texts[0]!.replace("coastal", "seaside")) < 0.01);
});

Deno.test("phrasings are alike in length: at most a quarter from the original", () => {
  for (const variant of variants) {
    const ratio = whole(variant).split(/\s+/).length / whole(canonical).split(/\s+/).length;
    assert.ok(Math.abs(ratio - 1) <= 0.25, `${variant.variant}: ${ratio.toFixed(2)}`);
  }
});

Deno.test("formal: bureaucratic and passive", () => {
  const formal = named("formal");
  assert.ok(count(formal, /\bper annum\b|\bUpon\b|\bwhereas\b|\bensues\b|\bremunerated\b|\bcompetent\b/gi) >= 5);
  assert.ok(count(formal, PASSIVE) >= 2 * count(canonical, PASSIVE));
  assert.equal(count(formal, /\b(we|you|us|they tell)\b/gi), 0);
});

Deno.test("conversational: active voice, short sentences, simplified numbers", () => {
  const conversational = named("conversational");
  assert.ok(sentenceLength(conversational) < sentenceLength(canonical));
  assert.equal(count(conversational, /percent|\d,\d/g), 0);
  assert.ok(count(conversational, PASSIVE) <= 1);
  for (const { text } of conversational.options) assert.match(text, /^We would give\b/);
});

Deno.test("legalistic: cites sections, recites and conditions", () => {
  const legalistic = named("legalistic");
  const cited = new Set(whole(legalistic).match(/\bSection [IV]+\b/g));
  assert.deepEqual([...cited].toSorted(), ["Section I", "Section II", "Section III", "Section IV", "Section V"]);
  for (const { text } of legalistic.options) {
    assert.match(text, /\bshall be\b.*\bIf this rule is adopted, .*\bsubject,/);
  }
  assert.ok(sentenceLength(legalistic) > 2 * sentenceLength(canonical));
});

Deno.test("passive reframe: what a rule does is restated as what may be done under it", () => {
  for (const { text } of named("passive-reframe").options) assert.match(text, /^Permits may be granted\b/);
  assert.match(named("passive-reframe").question, /\bmay be granted\b/);
  assert.ok(count(named("passive-reframe"), PASSIVE) >= 2 * count(canonical, PASSIVE));
});

Deno.test("synonym swap: the sentences are the original's, the key nouns and verbs are not", () => {
  const swapped = named("synonym-swap");
  const sentences = ({ background }: ScenarioPacket) => background.split(/(?<=[.!?])\s+/).length;
  assert.equal(sentences(swapped), sentences(canonical));
  const key =
    /\b(applica\w+|granted|grants|refus\w+|caseworkers?|files?|false|rule|expected|evidence of|employment)\b/gi;
  assert.ok(count(canonical, key) >= 25);
  assert.equal(count(swapped, key), 0);
});

// A spoilt reply may flag a run by the luck of its seed; what is asked here is whether the packets can be played.
const { chat } = await surrogateCouncil({ ...await loadSurrogateParameters(), malformedShare: 0 });

for (const { id, variants } of await listScenarios()) {
  for (const variant of [undefined, ...variants]) {
    const name = [id, variant].filter(Boolean).join(", ");

    Deno.test(`${name}: a surrogate committee plays it, with a share for every option in every round`, async () => {
      const condition = await loadCondition({ scenario: id, variant, rounds: 2 });
      const { runs, accounting } = await collectRuns(condition, { chat, replicates: 1, seed: 1 });
      assert.deepEqual([accounting.realised, accounting.causes], [1, {}]);
      const { means, decision } = runs[0]!;
      assert.equal(means.length, 2);
      for (const shares of means) {
        assert.equal(shares.length, condition.packet.options.length);
        assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
      }
      assert.ok("ABCDE".slice(0, condition.packet.options.length).includes(decision!));
    });
  }
}

Deno.test("each rewording is a condition of its own in name and hash, with the original's seats and order", async () => {
  const { variants } = (await listScenarios()).find(({ id }) => id === "IM-01")!;
  const original = await loadCondition({ scenario: "IM-01" });
  const reworded = await Promise.all(variants.map((variant) => loadCondition({ scenario: "IM-01", variant })));
  assert.deepEqual(
    reworded.map(conditionName),
    variants.map((variant) => `IM-01__T0.0__N5__rolesTrue__variant-${variant}`),
  );
  assert.equal(new Set([original, ...reworded].map(conditionHash)).size, 1 + variants.length);
  for (const { packet, ...rest } of reworded) {
    assert.equal(packet.id, "IM-01");
    assert.deepEqual({ ...rest, packet: original.packet }, original);
  }
});

Deno.test("quantities() reads one quantity alike in every notation", () => {
  assert.deepEqual(quantities("18 thousand of 14.2 million, 44 in 100, for five years."), [
    "14.2 million",
    "18,000",
    "44 percent",
    "5",
  ]);
  assert.deepEqual(quantities("18,000 of 14.2 million; 44 percent; 5 years"), [
    "14.2 million",
    "18,000",
    "44 percent",
    "5",
  ]);
  assert.deepEqual(quantities("Seven, 7, and seventy"), ["7", "7"]);
  assert.deepEqual(quantities("40 points, 35, 25."), ["25", "35", "40"]);
});

Deno.test("numbers() gives values in order", () => {
  assert.deepEqual(numbers("88,000 people, 5.5 percent. Then 1,600,000."), [88_000, 5.5, 1_600_000]);
  assert.deepEqual(numbers("none"), []);
});
