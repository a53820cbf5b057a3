import assert from "node:assert/strict";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { importConditions } from "@/lab/runs/import_conditions.ts";
import { type ImportedRuns, importRuns, loadRunSource } from "@/lab/runs/import_runs.ts";
import { missing } from "@/record/files.ts";
import { differences, importerResults, type ReadRuns } from "./importer_results.ts";
import { plannedConditions, RECORDS } from "./planned.ts";
import { readParties } from "./scores.ts";

const results = await importerResults(), planned = await plannedConditions();
const ignore = await missing(fileURLToPath(RECORDS));
const named = (id: string) => basename(id, ".json");

const readOf = ({ agents, excluded, runs }: ImportedRuns): ReadRuns => ({
  agents,
  excluded: excluded.map(({ id }) => named(id)),
  runs: runs.map(({ id, states, means }) => ({ run: named(id), states, means })),
});

const examples = (name: string) => fileURLToPath(new URL(`../../../data/examples/${name}`, import.meta.url));

async function published(set: string, condition: string): Promise<ImportedRuns> {
  const row = planned.find((row) => row.set === set && row.condition === condition)!;
  const path = fileURLToPath(new URL(`${row.folder}/${condition}`, RECORDS));
  if (set === "naming") return await importRuns(`${path}.jsonl`, "naming-games");
  const { rename } = await readParties(row.game);
  const five = row.set === "reproduction" ? "negotiations-reproduced" : "negotiations";
  const source = await loadRunSource(row.agents === 7 ? "negotiations-seven-parties" : five);
  return await importRuns(path, { ...source, agents: { rename, different: "exclude" } });
}

async function read(set: string, condition: string): Promise<ImportedRuns> {
  if (set === "jury") return await importRuns(examples("jury.csv"), "csv");
  if (set === "plain") return await importRuns(examples("plain.jsonl"), "plain");
  if (set === "inspect") {
    const [only] = await importConditions(examples("jury_inspect.json"), "inspect", {
      options: ["guilty", "not guilty"],
    });
    return only!;
  }
  if (set === "debate") {
    return await importRuns(examples("debate"), {
      schema: "run-source/2",
      name: "a debate",
      files: "*.json",
      unit: "file",
      observations: { layout: "turns", list: "log", agent: "who" },
      round: { by: "count", every: "agents" },
      agents: { leaveOut: ["Moderator"] },
      state: { kind: "vote", at: "text", options: ["A", "B"], pattern: String.raw`\b(A|B)\b` },
      outside: "missing",
      hold: "last",
    });
  }
  if (set !== "frameworks") return await published(set, condition);
  const options = condition === "autogen" ? { options: ["park", "housing"] } : {};
  return await importRuns(examples(condition), condition === "autogen" ? "messages" : condition, options);
}

for (const [set, conditions] of Map.groupBy(results, ({ set }) => set)) {
  const isPublished = ["naming", "negotiation", "reproduction"].includes(set), skipped = isPublished && ignore;
  const name = `${set}: means, states and excluded runs are those of the former importer`;
  Deno.test({
    name: skipped ? `${name} (skipped: ../shared/groups is not there)` : name,
    ignore: skipped,
    async fn() {
      const largest = { means: 0, states: 0 };
      for (const expected of conditions) {
        const { words, means, states } = differences(expected, readOf(await read(set, expected.condition)));
        assert.deepEqual(words, [], expected.condition);
        largest.means = Math.max(largest.means, means);
        largest.states = Math.max(largest.states, states);
      }
      assert.deepEqual(largest, { means: 0, states: 0 }, "largest differences");
    },
  });
}
