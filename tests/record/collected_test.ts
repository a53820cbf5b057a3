import assert from "node:assert/strict";
import { conditionRuns } from "@/lab/live/run_experiment.ts";
import type { LedgerEntry } from "@/schema/ledger_line.ts";
import { cutRun, declared, flaggedRun, parse, wholeRun } from "../lab/runs/ledgers.ts";

/** A whole run whose two agents end with these preferences. */
function runWith(replicate: number, attempt: number, preferences: readonly number[][]): LedgerEntry[] {
  let turns = 0;
  return wholeRun(replicate, attempt).map((line) => {
    const { event } = line;
    if (event.kind !== "turn.answered" || event.reading.kind !== "read") return line;
    const value = { ...event.reading.value, preferences: preferences[turns++]! };
    return { ...line, event: { ...event, reading: { kind: "read", value } } };
  });
}

Deno.test("committeeRuns() gives the complete runs by replicate, with the committee's mean worked out by hand", () => {
  const lines = [
    declared({ target: 4 }),
    ...runWith(2, 1, [[1, 0, 0], [0, 0.5, 0.5]]),
    ...flaggedRun(1, 1, "unreadable_state:missing"),
    ...flaggedRun(0, 1, "no_reply:timeout"),
    ...cutRun(3, 1, 5),
    ...runWith(0, 2, [[0.5, 0.25, 0.25], [0.25, 0.75, 0]]),
  ];
  const runs = conditionRuns(parse(lines)).runs;
  assert.deepEqual(runs.map(({ replicate, decision }) => [replicate, decision]), [[0, "A"], [2, "A"]]);
  assert.deepEqual(runs.map(({ means }) => means), [[[0.375, 0.5, 0.125]], [[0.5, 0.25, 0.25]]]);
  assert.deepEqual(runs[1]!.preferences, [[[1, 0, 0], [0, 0.5, 0.5]]]);
});

Deno.test("committeeRuns() gives no decision where no ballot could be read, rather than one of the options", () => {
  const undecided = wholeRun(0).map((line): LedgerEntry => {
    if (line.event.kind === "ballot.answered") {
      const reading = { kind: "invalid" as const, code: "not_json", message: "the reply is not a JSON object" };
      return { ...line, event: { ...line.event, reading } };
    }
    if (line.event.kind !== "run.decided") return line;
    return { ...line, event: { kind: "run.decided", by: "none", votes: [0, 0, 0], clerk: "unreadable" } };
  });
  const [run] = conditionRuns(parse([declared(), ...undecided])).runs;
  assert.equal(run!.decision, undefined);
});
