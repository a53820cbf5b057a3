import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { GroupReasons, loadGroupReasons } from "@/paper/group_reasons.ts";
import { missing } from "@/record/files.ts";
import { plannedConditions, RECORDS } from "./planned.ts";
import { reasonsOf } from "./reasons.ts";

/** A small condition of each set; `deno task test-full` makes all of them. */
const CONDITIONS = [
  "output_game2_57_18_gpt4_allcoop__game2_output_57_18",
  "base__output__llama_2_13b__coop_multi_agent_row5",
];
const ignore = await missing(fileURLToPath(RECORDS));

for (const condition of CONDITIONS) {
  const words = `data/groups/reasons.json has of ${condition} what its records give`;
  Deno.test({
    name: ignore ? `${words} (skipped: ../shared/groups is not there)` : words,
    ignore,
    async fn() {
      const row = (await plannedConditions()).find((planned) => planned.condition === condition)!;
      const stored = (await loadGroupReasons()).find((one) => one.condition === condition);
      assert.deepEqual(GroupReasons.parse(await reasonsOf(row)), stored);
    },
  });
}

Deno.test("of local greedy games with the same speakers nearly all agree in every word, of hosted ones few", async () => {
  // The counts of the records' README, which other code made: 652 of 683 and 137 of 137 first calls; 17 of 728 and 3 of 91.
  const rows = await plannedConditions(), all = await loadGroupReasons();
  const first = (set: string, decoding: string) => {
    const own = all.filter((one) =>
      one.set === set && rows.find(({ condition }) => condition === one.condition)?.decoding === decoding
    );
    return [0, 1].map((at) => own.reduce((sum, { parting: [turn] }) => sum + (turn?.[at] ?? 0), 0));
  };
  const found = [["negotiation", "local"], ["reproduction", "local"], ["negotiation", "hosted"], [
    "reproduction",
    "hosted",
  ]]
    .map(([set, decoding]) => first(set!, decoding!));
  console.log(found);
});
