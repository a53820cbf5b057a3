import assert from "node:assert/strict";
import fc from "fast-check";
import { ModelError } from "@/model/chat_model.ts";
import { scripted } from "@/model/replay.ts";
import { surrogateCouncil } from "@/live/council.ts";
import {
  type JudgedWording,
  judgeWording,
  loadWordingJudge,
  parseMeaning,
  WordingJudge,
} from "@/runs/judge_wording.ts";
import { loadLineups, loadPromptPack, loadScenario } from "@/live/scenarios.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import type { ScenarioPacket } from "@/schema/scenario.ts";

const original = await loadScenario("IM-01");
const [formal, legalistic] = await Promise.all(
  ["formal", "legalistic"].map((variant) => loadScenario("IM-01", { variant })),
) as [ScenarioPacket, ScenarioPacket];
const judge = await loadWordingJudge();

/** Judges with replies in order, keeping the requests. */
async function judged(
  rewordings: readonly ScenarioPacket[],
  replies: readonly (string | ModelError)[],
  seed = 1,
): Promise<{ scores: JudgedWording[]; requests: ChatRequest[] }> {
  const requests: ChatRequest[] = [];
  const chat = scripted((request, index) => {
    requests.push(request);
    return replies[index]!;
  });
  return { scores: await judgeWording(original, rewordings, { chat, seed }), requests };
}

const codeOf = (
  { score }: JudgedWording,
) => (score.ok ? `${score.value.meaning} ${score.value.preserved}` : score.issue.code);

Deno.test("each rewording gets the score of its own call; 8.5 and above count as the same meaning", async () => {
  const { scores } = await judged([formal, legalistic, original, formal], [
    '{"meaning": 8.5}',
    '{"meaning": 8.49}',
    '{"meaning": 10}',
    '{"meaning": 0}',
  ]);
  assert.deepEqual(scores.map(codeOf), ["8.5 true", "8.49 false", "10 true", "0 false"]);
  assert.deepEqual(scores.map(({ variant }) => variant), ["formal", "legalistic", undefined, "formal"]);
});

Deno.test("the judge reads both wordings whole, the original first, and neither name", async () => {
  const { requests } = await judged([formal], ['{"meaning": 9}']);
  const [system, user] = requests[0]!.messages;
  assert.deepEqual([system!.role, user!.role], ["system", "user"]);
  let from = 0;
  for (const { title, background, options, question } of [original, formal]) {
    const lines = options.map(({ label, text }, i) => `${"ABC"[i]}. ${label}: ${text}`);
    for (const part of [title, background, ...lines, question]) {
      from = user!.content.indexOf(part, from);
      assert.ok(from >= 0, part);
    }
  }
  assert.doesNotMatch(requests[0]!.messages.map(({ content }) => content).join(), /\{\{|IM-01|canonical|variant/i);
  assert.equal(user!.content.split("\n").at(-1), '{"meaning": N}');
  const { model, temperature, maxTokens } = requests[0]!;
  assert.deepEqual([model, temperature, maxTokens], ["openai/gpt-4o", 0, judge.maxTokens]);
});

Deno.test("text that looks like a placeholder is shown, not filled in", async () => {
  const odd = { ...formal, title: "{{rewording}} $& {{packet}}" };
  const { requests } = await judged([odd], ['{"meaning": 9}']);
  assert.ok(requests[0]!.messages[1]!.content.includes("{{rewording}} $& {{packet}}"));
});

Deno.test("what cannot be read or did not come is an issue in its place, with what was received; nothing is asked twice", async () => {
  const received = { text: '{"mean', finishReason: "length" };
  const { scores, requests } = await judged([formal, legalistic, original, formal], [
    "I would say 9.",
    new ModelError("truncated", "cut off", { received }),
    new ModelError("timeout", "no answer within 60 s"),
    '{"meaning": 9}',
  ]);
  assert.deepEqual(scores.map(codeOf), ["not_json", "truncated", "timeout", "9 true"]);
  assert.deepEqual(scores.map(({ reply }) => reply?.text), ["I would say 9.", '{"mean', undefined, '{"meaning": 9}']);
  assert.equal(scores[0]!.reply?.synthetic, true);
  assert.equal(requests.length, 4);
});

Deno.test("an endpoint that refuses every call ends the judging", async () => {
  for (const code of ["auth", "quota"] as const) {
    const refusal = new ModelError(code, "no");
    await assert.rejects(judged([formal, legalistic], [refusal, '{"meaning": 9}']), refusal);
  }
});

Deno.test("a call's seed depends on master seed and wording, not on its place", async () => {
  const reply = '{"meaning": 9}';
  const seeds = async (rewordings: readonly ScenarioPacket[], seed?: number) =>
    (await judged(rewordings, [reply, reply], seed)).requests.map(({ seed }) => seed);
  const [first, second] = await seeds([formal, legalistic]);
  assert.deepEqual(await seeds([legalistic, formal]), [second, first]);
  assert.notEqual(first, second);
  assert.notDeepEqual(await seeds([formal, legalistic], 2), [first, second]);
});

Deno.test("another scenario or other options are refused before any call is made", async () => {
  const health = await loadScenario("HL-01");
  await assert.rejects(judged([formal, health], []), {
    name: "RangeError",
    message: "a rewording must be of IM-01, got HL-01",
  });
  const turned = { ...formal, options: formal.options.toReversed() };
  await assert.rejects(judged([turned], []), {
    name: "RangeError",
    message: "IM-01, formal: a rewording's options must be Humanitarian / Balanced points / Deterrence+verification, " +
      "in this order, got Deterrence+verification / Balanced points / Humanitarian",
  });
});

Deno.test("an abort ends the judging with its reason", async () => {
  const chat = scripted(['{"meaning": 9}']);
  await assert.rejects(
    judgeWording(original, [formal], { chat, seed: 1, judge, signal: AbortSignal.abort(new Error("stop")) }),
    /stop/,
  );
});

Deno.test("a surrogate gives no opinion on wordings: it says that it cannot read the request", async () => {
  const { chat } = await surrogateCouncil();
  await assert.rejects(
    judgeWording(original, [formal], { chat, seed: 1 }),
    /surrogate council cannot read this prompt/,
  );
});

const codeOfText = (text: string) => {
  const read = parseMeaning(text);
  return read.ok ? `read ${read.value.meaning}` : read.issue.code;
};

Deno.test("parseMeaning() reads the object and nothing but it", () => {
  const replies = {
    '{"meaning": 0}': "read 0",
    '{"meaning": 10}': "read 10",
    ' {"meaning":8.5}\n': "read 8.5",
    '{"meaning": 10.01}': "wrong_fields",
    '{"meaning": -0.1}': "wrong_fields",
    '{"meaning": 1e999}': "wrong_fields",
    '{"meaning": "9"}': "wrong_fields",
    '{"meaning": null}': "wrong_fields",
    '{"meaning": [9]}': "wrong_fields",
    '{"score": 9}': "wrong_fields",
    '{"meaning": 9, "why": "close"}': "wrong_fields",
    '{"meaning": 2, "meaning": 9}': "ambiguous",
    '{"\\u006deaning": 2, "meaning": 9}': "ambiguous",
    "{}": "wrong_fields",
    "9": "wrong_fields",
    "": "not_json",
    "9/10": "not_json",
    "9 out of 10": "not_json",
    'Score: {"meaning": 9}': "not_json",
    '{"meaning": N}': "not_json",
    '{"meaning": 9}{"meaning": 3}': "not_json",
  };
  for (const [text, outcome] of Object.entries(replies)) assert.equal(codeOfText(text), outcome, text);
});

Deno.test("parseMeaning() takes a code fence off and says so", () => {
  const fenced = '```json\n{"meaning": 9}\n```';
  assert.deepEqual(parseMeaning(fenced), { ok: true, value: { meaning: 9, repairs: ["code_fence"] } });
  assert.equal(codeOfText(`Here:\n${fenced}`), "not_json");
});

Deno.test("parseMeaning() gives back any score from 0 to 10 unrounded, and no score outside", () => {
  fc.assert(fc.property(fc.double({ min: 0, max: 10, noNaN: true }), (meaning) => {
    const read = parseMeaning(JSON.stringify({ meaning }));
    assert.ok(read.ok && read.value.meaning === meaning + 0);
  }));
  fc.assert(fc.property(fc.double({ noNaN: true }).filter((x) => x < 0 || x > 10), (meaning) => {
    assert.equal(codeOfText(`{"meaning": ${meaning}}`).startsWith("read"), false);
  }));
});

// Deliberation paper, S4.2.
Deno.test("judge, model and bar are the published ones, and the judge has a price", async () => {
  assert.deepEqual([judge.model, judge.preserved, judge.temperature], ["openai/gpt-4o", 8.5, 0]);
  assert.ok(judge.model in (await loadLineups()).prices);
});

for (
  const [fact, words] of Object.entries({
    "a pair of wordings of one scenario": /\btwo wordings of one policy scenario\b/,
    "a scale of meaning preserved": /\bpreserves the meaning\b.*\bscale from 0 to 10\b/,
    "both ends are said": /\b0 says that nothing\b.*\b10 that all of it is\b/,
    "decimals, as the published bar has one": /\bDecimals such as 8\.5 are allowed\b/,
    "semantic content, not surface":
      /\bsemantic content alone\b[^]*\bregister, vocabulary, voice or sentence structure\b/,
    "figures, options in order and question": /\bevery figure\b.*\border of the options\b.*\bdecision question\b/,
    "JSON alone": /\bReturn ONLY a JSON object\b/,
  })
) {
  Deno.test(`the judge's request (S4.2): ${fact}`, () => assert.match(judge.request, words));
}

Deno.test("the judge takes no side: its words name no role, no option's worth and no kind of wording", () => {
  const words = `${judge.system}\n${judge.request}`;
  assert.doesNotMatch(words, /\b(formal|conversational|legalistic|passive|synonym|canonical|chair|good|bad)\b/i);
  assert.match(judge.system, /neither answer the policy question nor say which wording reads better/);
});

Deno.test("the format asked for is the one that is read", () => {
  assert.deepEqual(parseMeaning(judge.request.split("\n").at(-1)!.replace("N", "9.5")), {
    ok: true,
    value: { meaning: 9.5, repairs: [] },
  });
});

Deno.test("the judge's file is no prompt pack, and is not offered as one", async () => {
  await assert.rejects(
    loadPromptPack("wording"),
    /^UserError: unknown prompt pack "wording": did you mean standard\?$/,
  );
});

for (
  const [field, text, message] of [
    ["request", "Compare {{original}}.", "lacks {{rewording}}"],
    ["packet", "{{title}} {{background}} {{options}} {{question}} {{id}}", "holds {{id}}, which nothing fills in"],
  ] as const
) {
  Deno.test(`a judge whose ${field} ${message} is refused before any call`, () => {
    const checked = WordingJudge.safeParse({ ...judge, [field]: text });
    assert.deepEqual(checked.error?.issues.map(({ path, message }) => [path, message]), [[[field], message]]);
  });
}
