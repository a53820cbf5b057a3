import assert from "node:assert/strict";
import process from "node:process";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { missingRuns } from "@/lab/notebook/missing_runs.ts";

const condition = await loadCondition({ scenario: "HL-01", agents: 2, roles: false, rounds: 2 });
const planned = (label: string, realised: number, causes: Record<string, number>) => ({
  ...{ label, condition, runs: [] },
  accounting: { name: label, target: 4, realised, deficit: 4 - realised, causes },
});

/** What is written to standard output outside a notebook. */
async function written(conditions: Parameters<typeof missingRuns>[0]): Promise<string> {
  const { write } = process.stdout, parts: string[] = [];
  process.stdout.write = (text: string | Uint8Array) => parts.push(String(text)) > 0;
  try {
    await missingRuns(conditions);
  } finally {
    process.stdout.write = write;
  }
  return parts.join("");
}

Deno.test("missing runs are listed by condition and cause, and counted", async () => {
  const text = await written([planned("a", 4, {}), planned("b", 1, { unfinished: 1, "unreadable_state:missing": 2 })]);
  assert.match(text, /^b +unfinished +1\nb +unreadable state \(missing\) +2$/m);
  assert.match(text, /3 of 8 runs are missing, in 1 of 2 conditions\.\n$/);
});

Deno.test("where no run is missing there is a sentence and no table", async () => {
  assert.equal(await written([planned("a", 4, {})]), "None of the 4 planned runs is missing.\n");
});
