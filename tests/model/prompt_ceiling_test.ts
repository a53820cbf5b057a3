import assert from "node:assert/strict";
import { PromptCeilings } from "@/model/prompt_ceiling.ts";

for (
  const [what, prompts, ceiling] of [
    ["grow with their tokens", [[4000, 1000], [5000, 1250], [6000, 1500]], []],
    ["stay at a count while they grow by a fifth", [[3000, 750], [4000, 1000], [4400, 1000], [4800, 1000]], [[
      "m",
      1000,
    ]]],
    ["stay at it twice", [[4000, 1000], [4800, 1000]], []],
    ["stay at it and grow by less", [[4000, 1000], [4400, 1000], [4700, 1000]], []],
    ["come back to a count below the largest", [[4000, 1000], [4400, 1000], [4800, 1000], [6000, 1400]], []],
    ["are of one length", [[4000, 1000], [4000, 1000], [4000, 1000]], []],
    ["have no count", [[4000, undefined], [4400, undefined], [4800, undefined]], []],
  ] as const
) {
  Deno.test(`fault 60: prompts that ${what} have ${ceiling.length === 0 ? "no" : "a"} ceiling`, () => {
    const ceilings = new PromptCeilings();
    for (const [size, tokens] of prompts) {
      ceilings.add({ model: "m", messages: [{ role: "user", content: "x".repeat(size) }] }, tokens);
      ceilings.add({ model: "other", messages: [{ role: "user", content: "x" }] }, 1);
    }
    assert.deepEqual([...ceilings], ceiling);
  });
}
