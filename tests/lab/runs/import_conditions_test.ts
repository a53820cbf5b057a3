import assert from "node:assert/strict";
import { importConditions } from "@/lab/runs/import_conditions.ts";
import { importRuns } from "@/lab/runs/import_runs.ts";
import type { RunSourceChoices } from "@/record/run_source.ts";
import { withFiles } from "./with_files.ts";

const mapping: RunSourceChoices = {
  schema: "run-source/2",
  name: "two jurors",
  unit: "file",
  observations: { layout: "by-round", states: "" },
  state: { kind: "vote", options: ["yes", "no"] },
};

const run = (...rounds: Record<string, string>[]) => JSON.stringify(rounds);
const files = {
  "a/1.json": run({ Ann: "yes", Bob: "no" }),
  "a/2.json": run({ Ann: "no", Bob: "no" }),
  "b/1.json": run({ Ann: "yes", Bob: "yes" }),
  "c.jsonl": [run({ Ann: "yes", Bob: "yes" }), run({ Ann: "yes", Bob: "no" })].join("\n"),
};

Deno.test("with a mapping each folder is a condition, and single files of one run are one together", async () => {
  await withFiles(files, async (folder) => {
    const two = await importConditions([`${folder}/a`, `${folder}/b`], mapping);
    assert.deepEqual(two.map(({ name, runs }) => [name, runs.length]), [["two jurors, a", 2], ["two jurors, b", 1]]);
    const together = await importConditions([`${folder}/a/1.json`, `${folder}/b/1.json`], mapping);
    assert.deepEqual(together.map(({ name, runs }) => [name, runs.length]), [["two jurors", 2]]);
    const lines = { ...mapping, unit: "line" as const };
    const apart = await importConditions([`${folder}/c.jsonl`, `${folder}/a/1.json`], lines);
    assert.deepEqual(apart.map(({ name }) => name), ["two jurors, c", "two jurors, 1"]);
  });
});

Deno.test("choices of a mapping can be replaced by their paths, and a wrong one is refused", async () => {
  await withFiles({ ...files, "d.json": run({ Ann: "yes" }, { Ann: "perhaps" }) }, async (folder) => {
    const read = (choices: Record<string, unknown>) => importRuns(`${folder}/d.json`, mapping, { choices });
    await assert.rejects(read({}), /round 2, agent Ann: "perhaps" .*choice: state\.options or outside/);
    const held = await read({ outside: "missing", hold: "last" });
    assert.deepEqual([held.unread, held.runs[0]!.means], [1, [[1, 0], [1, 0]]]);
    const more = await read({ "state.options": ["yes", "no", "perhaps"], name: "one juror" });
    assert.deepEqual([more.name, more.runs[0]!.means[1]], ["one juror", [0, 0, 1]]);
    await assert.rejects(read({ endd: "carry" }), { exitCode: 2, message: /did you mean ended/ });
    await assert.rejects(read({ "__proto__.polluted": 1 }));
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });
});
