import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { GroupReasons, loadGroupReasons } from "@/lab/paper/group_reasons.ts";
import { loadGroups } from "@/lab/paper/groups.ts";
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

Deno.test("first turns with the same speakers are the identical first calls that the counts hold", async () => {
  // Two routes: digests of one round of all games there, the words of every turn here.
  const groups = (await loadGroups()).filter(({ set, runs }) => set !== "naming" && runs.length > 1);
  const all = await loadGroupReasons();
  assert.equal(all.length, groups.length);
  for (const { set, condition, calls, decoding, name } of groups) {
    const { parting } = all.find((one) => one.set === set && one.condition === condition)!;
    assert.deepEqual(parting[0] ?? [0, 0], [calls!.pairs, calls!.words], name);
    assert.ok(parting.every(([pairs, alike]) => alike <= pairs), name);
    if (decoding === "hosted") assert.ok(parting.slice(1).every(([, alike]) => alike === 0), name);
  }
});
