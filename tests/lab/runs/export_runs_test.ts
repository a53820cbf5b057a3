import assert from "node:assert/strict";
import { conditionName } from "@/deliberation/condition_name.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { exportRuns } from "@/lab/runs/export_runs.ts";
import { readTable, runsOf } from "@/record/mod.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { runCondition } from "@/lab/live/run_condition.ts";
import { conditionRuns } from "@/lab/live/run_experiment.ts";
import type { ConditionSpec } from "@/schema/condition.ts";
import { council } from "./councils.ts";
import { withFiles } from "./with_files.ts";

const CONDITIONS: readonly ConditionSpec[] = [
  { scenario: "HL-01", rounds: 3 },
  { scenario: "HL-01", rounds: 2, roles: false, agents: 12 },
  { scenario: "CL-04", rounds: 2, agents: 11, lineup: "mixed", temperature: 0.7 },
  { scenario: "IM-01", rounds: 2, ablate: "Chair", window: 3, variant: "formal" },
];

for (const spec of CONDITIONS) {
  Deno.test(`exported runs come back as they were: ${JSON.stringify(spec)}`, async () => {
    const condition = await loadCondition(spec);
    const name = conditionName(condition), names = condition.seats.map(({ label }) => label);
    const { runs } = await collectRuns(condition, { chat: council().chat, replicates: 3, seed: 1 });
    const text = exportRuns({ name, condition, runs, synthetic: true }).map((line) => `${line}\n`).join("");
    assert.ok(text.split("\n").slice(0, -1).every((line) => JSON.parse(line).synthetic === true));
    await withFiles({ [`${name}.jsonl`]: text }, (folder) => {
      const back = runsOf(readTable(`${folder}/${name}.jsonl`));
      assert.deepEqual(back.runs.map(({ run }) => run), ["0", "1", "2"]);
      assert.deepEqual(back.agents, names);
      assert.deepEqual(
        back.runs.map(({ means, preferences, decision }) => [means, preferences, decision]),
        runs.map(({ means, preferences, decision }) => [means, preferences, decision]),
      );
      return Promise.resolve();
    });
  });
}

Deno.test("exportRuns() of a ledger leaves out what is not complete", async () => {
  const condition = await loadCondition({ scenario: "HL-01", agents: 2, rounds: 2 });
  const silent = council((chat) => (request, options) =>
    request.seed % 5 === 0 ? Promise.resolve({ text: "no state", synthetic: true as const }) : chat(request, options)
  );
  await withFiles({}, async (folder) => {
    const ledger = await runCondition(condition, {
      council: silent,
      replicates: 12,
      seed: 1,
      path: `${folder}/x.jsonl`,
    });
    const runs = conditionRuns(ledger);
    const lines = exportRuns(runs).map((line) => JSON.parse(line));
    assert.ok(runs.accounting.deficit > 0 && runs.accounting.realised > 0);
    assert.deepEqual(lines.map(({ run }) => run), runs.runs.map(({ replicate }) => replicate));
    assert.deepEqual(Object.keys(lines[0].rounds[1].states), ["Chair", "Welfare"]);
    const { pref, conf, tags } = lines[0].rounds[0].states.Chair;
    assert.deepEqual([pref.length, typeof conf, tags.length], [3, "number", 2]);
  });
});
