import assert from "node:assert/strict";
import { collectShown } from "@/lab/notebook/collect_shown.ts";
import { collectStation, stationCouncil } from "@/mod.ts";

Deno.test("collectShown() gives the runs of every batch in its order, as collectStation() makes them, and keeps one's own keys", async () => {
  const batches = await collectShown([
    { label: "alone", council: "none", ruleset: "v2", seeds: [104] },
    { label: "led", council: "triage", ruleset: "v1", seeds: [108, 104], replicates: 2 },
  ]);
  assert.deepEqual(batches.map(({ label, runs }) => [label, runs.length]), [["alone", 1], ["led", 4]]);
  const council = stationCouncil("triage", new Map());
  const expected = await collectStation({ council, ruleset: "v1", seeds: [108, 104], replicates: 2 });
  assert.deepEqual(batches[1]!.summaries, expected.map(({ summary }) => summary));
});

Deno.test("collectShown() refuses a council that does not exist", async () => {
  await assert.rejects(collectShown([{ council: "triag", ruleset: "v2", seeds: [104] }]), /triage/);
});
