import fc from "fast-check";
import assert from "node:assert/strict";
import { parseBallot, parseClerkReport } from "@/deliberation/parse_vote.ts";

const BALLOT = '{"decision": "B", "confidence": 70}';
const REPORT = '{"decision": "B", "majority_count": 3, "total": 5}';
const asWritten = { value: { decision: "B", confidence: 70 }, repairs: [] };

/** What was read, or the code of the issue. */
function reading(text: string, optionCount = 3, parse: typeof parseBallot | typeof parseClerkReport = parseBallot) {
  const result = parse(text, { optionCount, seats: 5, normaliser: false });
  return result.ok ? result.value : result.issue.code;
}

Deno.test("parseBallot() and parseClerkReport() read the published JSON", () => {
  for (const text of [BALLOT, `\n  ${BALLOT}\r\n`, '{"confidence":70,"decision":"B"}', `\uFEFF${BALLOT}`]) {
    assert.deepEqual(reading(text), asWritten, text);
  }
  assert.deepEqual(reading(REPORT, 3, parseClerkReport), {
    value: { decision: "B", majority_count: 3, total: 5 },
    repairs: [],
  });
});

Deno.test("fault 15: a code fence is taken off and named as a repair", () => {
  const fenced = [
    `\`\`\`json\n${BALLOT}\n\`\`\``,
    `\`\`\`\n${BALLOT}\n\`\`\``,
    `\`\`\`json\r\n${BALLOT}\r\n\`\`\`\r\n`,
  ];
  for (const text of fenced) assert.deepEqual(reading(text), { ...asWritten, repairs: ["code_fence"] }, text);
});

Deno.test("fault 15: anything else around or inside the object is refused", () => {
  const refused = [
    "",
    "B",
    `My ballot: ${BALLOT}`,
    `${BALLOT} That is my vote.`,
    `${BALLOT}\n${BALLOT}`,
    `Here:\n\`\`\`json\n${BALLOT}\n\`\`\``,
    `\`\`\`js\n${BALLOT}\n\`\`\``,
    '{"decision": "B", "confidence": 70,}',
    "{“decision”: “B”, “confidence”: 70}",
    "{'decision': 'B', 'confidence': 70}",
    '{"decision": "B", "confidence": NaN}',
    '{"decision": "B", "confidence": N}',
    '{"decision": "B", "confidence": 070}',
    '{"decision": "B", /* sure */ "confidence": 70}',
    "[".repeat(100_000),
  ];
  for (const text of refused) assert.equal(reading(text), "not_json", text.slice(0, 100));
});

Deno.test("fault 17: wrong, missing and extra fields and numbers out of range are refused", () => {
  const refused = [
    "null",
    "70",
    '"B"',
    `[${BALLOT}]`,
    "{}",
    '{"decision": "B"}',
    '{"decision": "B", "confidence": "70"}',
    '{"decision": "B", "confidence": null}',
    '{"decision": "B", "confidence": -1}',
    '{"decision": "B", "confidence": 100.5}',
    '{"decision": "B", "confidence": 1e999}',
    '{"decision": 1, "confidence": 70}',
    '{"decision": ["B"], "confidence": 70}',
    '{"Decision": "B", "confidence": 70}',
    '{"decision": "B", "confidence": 70, "reason": "costs"}',
    `{"decision": ${"[".repeat(1000)}${"]".repeat(1000)}, "confidence": 70}`,
  ];
  for (const text of refused) assert.equal(reading(text), "wrong_fields", text.slice(0, 100));
  for (
    const report of [
      '{"decision": "B", "majority_count": 2.5, "total": 5}',
      '{"decision": "B", "majority_count": -1, "total": 5}',
      '{"decision": "B", "total": 5}',
      BALLOT,
    ]
  ) assert.equal(reading(report, 3, parseClerkReport), "wrong_fields", report);
  assert.equal(reading(REPORT), "wrong_fields");
});

Deno.test("confidence runs from 0 to 100", () => {
  for (const confidence of [0, 70.5, 100]) {
    assert.deepEqual(reading(`{"decision":"B","confidence":${confidence}}`), {
      value: { decision: "B", confidence },
      repairs: [],
    });
  }
});

Deno.test("fault 48: a __proto__ key is an extra field like any other", () => {
  for (
    const text of [
      '{"decision": "B", "confidence": 70, "__proto__": {"decision": "A"}}',
      '{"confidence": 70, "__proto__": {"decision": "A"}}',
      '{"decision": "B", "confidence": 70, "constructor": 1}',
    ]
  ) assert.equal(reading(text), "wrong_fields", text);
  assert.equal(({} as { decision?: string }).decision, undefined);
});

Deno.test("the decision is one of the first K letters", () => {
  const vote = (letter: string) => `{"decision": "${letter}", "confidence": 70}`;
  for (const [letter, fewest] of [["A", 2], ["B", 2], ["C", 3], ["E", 5]] as const) {
    for (const optionCount of [2, 3, 5]) {
      const read = reading(vote(letter), optionCount);
      assert.equal(read === "unknown_option", optionCount < fewest, `${letter} of ${optionCount}`);
    }
  }
  for (const letter of ["", "b", " B", "AB", "Option B", "B\\u0000", "undefined"]) {
    assert.equal(reading(vote(letter)), "unknown_option", letter);
  }
});

Deno.test("fault 16: a field given twice is ambiguous, though JSON itself would keep the last", () => {
  for (
    const text of [
      '{"decision": "A", "decision": "B", "confidence": 70}',
      '{"decision": "B", "decision": "B", "confidence": 70}',
      '{"decision": "A", "\\u0064ecision": "B", "confidence": 70}',
      '{"confidence": {"a": [1]}, "decision": "B", "confidence": 70}',
    ]
  ) assert.equal(reading(text), "ambiguous", text);
  const twice = '{"decision": "B", "majority_count": 3, "total": 4, "total": 5}';
  assert.equal(reading(twice, 3, parseClerkReport), "ambiguous");
});

Deno.test("fault 19: the message of an issue stays short whatever the reply", () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `"key${i}": 1`).join(", ");
  for (
    const text of [
      `{${keys}}`,
      `{"${"k".repeat(1_000_000)}": 1}`,
      `{"decision": "${"A".repeat(1_000_000)}", "confidence": 1}`,
    ]
  ) {
    const result = parseBallot(text, { optionCount: 3, seats: 5, normaliser: false });
    assert.ok(!result.ok && result.issue.message.length <= 300);
  }
});

Deno.test("fault 20: parseBallot() never throws, and what it reads is a ballot", () => {
  const damaged = fc.tuple(fc.nat(BALLOT.length), fc.nat(5), fc.string({ unit: "binary", maxLength: 4 })).map(
    ([at, length, put]) => BALLOT.slice(0, at) + put + BALLOT.slice(at + length),
  );
  const near = fc.record({
    decision: fc.oneof(fc.constantFrom("A", "B", "C"), fc.jsonValue()),
    confidence: fc.jsonValue(),
  });
  const texts = fc.oneof(damaged, fc.json(), near.map((value) => JSON.stringify(value)), fc.string({ unit: "binary" }));
  fc.assert(
    fc.property(texts, (text) => {
      const result = parseBallot(text, { optionCount: 3, seats: 5, normaliser: false });
      if (!result.ok) return;
      const { decision, confidence } = result.value.value;
      assert.ok(["A", "B", "C"].includes(decision) && confidence >= 0 && confidence <= 100);
    }),
    { numRuns: 500, seed: 1 },
  );
});
