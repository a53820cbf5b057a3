import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { missing } from "@/record/files.ts";
import { conditionLine } from "./count_condition.ts";
import { DATA, plannedConditions, RECORDS } from "./planned.ts";

/** A small condition of each set; `deno task test-full` makes all of them. */
const CONDITIONS = {
  naming: "llama31_female_male_5mem_24ps",
  negotiation: "output_game2_57_18_gpt4_allcoop__game2_output_57_18",
  reproduction: "base__output__llama_2_13b__coop_multi_agent_row5",
};
const ignore = await missing(fileURLToPath(RECORDS));

for (const [set, condition] of Object.entries(CONDITIONS)) {
  const words = `data/groups/${set}.jsonl has of ${condition} what its records give`;
  Deno.test({
    name: ignore ? `${words} (skipped: ../shared/groups is not there)` : words,
    ignore,
    async fn() {
      const row = (await plannedConditions()).find((planned) => planned.condition === condition)!;
      const lines = (await Deno.readTextFile(new URL(`${set}.jsonl`, DATA))).split("\n");
      // A boolean: the difference of two such lines would fill the screen.
      assert.ok(lines.includes((await conditionLine(row)).trimEnd()));
    },
  });
}
