import assert from "node:assert/strict";
import { loadWordingJudge, parseMeaning, WordingJudge } from "@/runs/judge_wording.ts";
import { loadLineups, loadPromptPack } from "@/runs/scenarios.ts";

const judge = await loadWordingJudge();

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
