import fc from "fast-check";
import assert from "node:assert/strict";
import type { ChatModel } from "@/model/chat_model.ts";
import { ModelError } from "@/model/chat_model.ts";
import { scripted } from "@/model/replay.ts";
import { cutWords } from "@/lab/live/preflight.ts";
import { speaking, spoken } from "@/model/spoken.ts";
import { assertLinear } from "../linear_time.ts";
import { rejection, request } from "./endpoint.ts";

const STATE = 'STATE: pref=[0.6,0.4]; conf=80; tags=["cost","reach"]';
const DRAFT = 'STATE: pref=[0.4,0.6]; conf=20; tags=["cost","reach"]';
const ANSWER = `Costs decide.\n${STATE}`;

for (
  const [name, written, repairs, text = ANSWER] of [
    ["a thought", `<think>\nLet me see.\n${DRAFT}\n</think>\n\n${ANSWER}`, ["thought_cut"]],
    ["an end whose beginning the prompt holds", `Let me see.\n${DRAFT}\n</think>\n${ANSWER}`, ["thought_cut"]],
    ["a thought that begins twice", `<think>\n<think>\n${DRAFT}</think>${ANSWER}`, ["thought_cut"]],
    ["a thought that ends twice", `<think>${DRAFT}</think>\n</think>\n${ANSWER}`, ["thought_cut"]],
    ["a thought after the words", `${ANSWER}\n<think>Was that right?</think>`, ["thought_cut"]],
    ["two thoughts", `<think>a</think>Costs decide.\n<think>${DRAFT}</think>${STATE}`, ["thought_cut"]],
    ["thoughts by other names", `<thinking>${DRAFT}</thinking>\n${ANSWER}`, ["thought_cut"]],
    ["those of Mistral", `[THINK]${DRAFT}[/THINK]${ANSWER}`, ["thought_cut"]],
    ["those of Kimi", `◁think▷${DRAFT}◁/think▷${ANSWER}`, ["thought_cut"]],
    ["those of Seed", `<seed:think>${DRAFT}</seed:think>${ANSWER}`, ["thought_cut"]],
    ["those of Cohere", `<|START_THINKING|>${DRAFT}<|END_THINKING|><|START_RESPONSE|>${ANSWER}<|END_RESPONSE|>`, [
      "thought_cut",
      "token_cut",
    ]],
    ["those of Gemma", `<|channel>thought\n${DRAFT}<channel|>${ANSWER}<turn|>`, ["thought_cut", "token_cut"]],
    ["an answer between tags", `<think>${DRAFT}</think>\n<answer>\n${ANSWER}\n</answer>`, ["thought_cut"]],
    ["a marked answer", `My steps:\n${DRAFT}\n[BEGIN FINAL RESPONSE]\n${ANSWER}\n[END FINAL RESPONSE]`, [
      "thought_cut",
      "token_cut",
    ]],
    [
      "channels",
      `<|channel|>analysis<|message|>${DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>${ANSWER}<|return|>`,
      ["channel_cut"],
    ],
    ["a channel with a form", `<|channel|>final <|constrain|>json<|message|>${ANSWER}`, ["channel_cut"]],
    ["channels without their tokens", `analysisLet me see. ${DRAFT}assistantfinal${ANSWER}`, ["channel_cut"]],
    ["a channel that words follow without a head", `<|channel|>analysis<|message|>${DRAFT}<|end|>\n${ANSWER}`, [
      "channel_cut",
    ]],
    ["thoughts in a scratchpad", `<scratchpad>${DRAFT}</scratchpad>\n${ANSWER}`, ["thought_cut"]],
    ["DeepSeek's head", `<｜Assistant｜>${ANSWER}<｜end▁of▁sentence｜>`, ["token_cut"]],
    ["another head", `<|bot|>${ANSWER}`, ["token_cut"]],
    ["llama.cpp's end", `${ANSWER} [end of text]`, ["token_cut"]],
    ["the end of a turn", `${ANSWER}<|im_end|>`, ["token_cut"]],
    ["several ends", `${ANSWER}<|eot_id|>\n<|end_of_text|>`, ["token_cut"]],
    ["an end of sentence", `${ANSWER}</s>`, ["token_cut"]],
    ["DeepSeek's end", `${ANSWER}<｜end▁of▁sentence｜>`, ["token_cut"]],
    ["Gemma's end", `${ANSWER}<end_of_turn>\n`, ["token_cut"]],
    ["a turn that goes on as somebody else", `${ANSWER}<|im_end|>\n<|im_start|>user\n${DRAFT}`, ["token_cut"]],
    ["the head of a turn", `<|start_header_id|>assistant<|end_header_id|>\n\n${ANSWER}<|eot_id|>`, ["token_cut"]],
    ["a thought and an end", `<think>a</think>${ANSWER}<|im_end|>`, ["thought_cut", "token_cut"]],
    ["a thought that never ends, on the line of the words", `${ANSWER} <think>\n${DRAFT}`, ["thought_cut"]],
    ["a thought that never ends, after the words", `${ANSWER}\n<think>\n${DRAFT}`, ["thought_cut"]],
  ] as const
) {
  Deno.test(`fault 55: what is spoken beside ${name} is the words alone`, () => {
    assert.deepEqual(spoken(written).text, text);
    assert.deepEqual(spoken(written).repairs, repairs);
    assert.deepEqual(spoken(text), { text, repairs: [], isOpen: false }, "what is spoken has nothing to cut");
  });
}

for (
  const text of [
    ANSWER,
    "  spaces stay  \n",
    "Prices <s>rise</s> fall.",
    "If a < b and c > d, then <b>B</b>.",
    "A vote [1] / <cite>x</cite> & more",
    'We say "analysis" first. assistants finally agree',
    "I think | we | should { } wait",
    "The word <think> alone is a word.",
    "So is <think /> here.",
  ]
) {
  Deno.test(`fault 55: ${JSON.stringify(text.slice(0, 40))} stays as it is`, () => {
    assert.deepEqual(spoken(text), { text, repairs: [], isOpen: false });
  });
}

for (
  const [name, written, isOpen] of [
    ["never ends", `<think>\n${DRAFT}`, true],
    ["is in a channel that no final one follows", `<|channel|>analysis<|message|>${DRAFT}`, true],
    ["begins behind a space and never ends", ` <think> ${DRAFT}`, true],
    ["is all", `<think>${DRAFT}</think>`, false],
    ["ends without a beginning", `${DRAFT}</think>\n`, false],
    ["is an end", "<|im_end|>", false],
  ] as const
) {
  Deno.test(`fault 55: where a thought ${name}, nothing is read`, async () => {
    assert.deepEqual([spoken(written).text, spoken(written).isOpen], ["", isOpen]);
    const usage = { promptTokens: 9, completionTokens: 64 };
    const ask = (completionTokens: number) =>
      rejection(speaking(scripted([{ text: written, usage: { ...usage, completionTokens } }]))(request()));
    const [cut, short] = [await ask(64), await ask(20)];
    assert.ok(cut instanceof ModelError && short instanceof ModelError);
    assert.deepEqual([cut.code, short.code], [isOpen ? "truncated" : "empty", "empty"]);
    assert.match(cut.message, isOpen ? /--max-tokens/ : /turn thinking off/);
    assert.deepEqual([short.received?.text, short.received?.written], ["", written], "the whole reply stays on record");
    assert.equal(short.after, "once more");
  });
}

Deno.test("fault 55: the whole reply stays on record, with what was cut by name", async () => {
  const written = `<think>\nHm.\n</think>\n\n${ANSWER}<|im_end|>`;
  const reply = await speaking(scripted([written]))(request());
  assert.deepEqual(reply, { text: ANSWER, written, repairs: ["thought_cut", "token_cut"], synthetic: true });
  assert.match(cutWords(reply)!, /thoughts and tokens \(<think> <\/think> <\|im_end\|>\)/);
  const again: ChatModel = () => Promise.resolve(reply);
  assert.equal(await speaking(again)(request()), reply, "what is cut already passes");
  assert.equal((await speaking(scripted([written]))(request(), { asWritten: true })).text, written);
});

Deno.test("fault 55: what is spoken is spoken, whatever was written", () => {
  const piece = fc.constantFrom(
    "<think>",
    "</think>",
    "<|im_end|>",
    "\n",
    "x",
    ANSWER,
    "<|channel|>final<|message|>",
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { text } = spoken(pieces.join(""));
      assert.equal(spoken(text).text, text);
    }),
    { seed: 55, numRuns: 2000 },
  );
});

Deno.test("fault 19: thoughts, channels and tokens are found in a time linear in the text", () => {
  for (
    const piece of ["<think>", "</think>", "<|channel|>analysis", "<|im_end|>", "assistantfinal", "<answer>", "</s> "]
  ) {
    assertLinear((fill) => `analysis${fill(piece)}`, spoken);
  }
});
