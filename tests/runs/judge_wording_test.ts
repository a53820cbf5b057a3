import assert from "node:assert/strict";
import { ModelError } from "@/model/chat_model.ts";
import { scripted } from "@/model/scripted.ts";
import { surrogateCouncil } from "@/runs/council.ts";
import { type JudgedWording, judgeWording, loadWordingJudge } from "@/runs/judge_wording.ts";
import { loadScenario } from "@/runs/scenarios.ts";
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
