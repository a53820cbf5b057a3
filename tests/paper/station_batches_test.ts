import assert from "node:assert/strict";
import { userErrorOf } from "../runs/user_error_of.ts";
import { stationBatches } from "@/paper/station_expectations.ts";
import { collectStation, stationCouncil } from "@/runs/collect_station.ts";

const NONE = new Map<string, string>();

Deno.test("stationBatches() are the runs of each council one by one, and onBatch is told of each batch", async () => {
  const seeds = [2, 9];
  let told = 0;
  const batches = await stationBatches(seeds, {
    personas: ["triage", "split"],
    dialect: "dialect",
    onBatch: () => void told++,
  });
  assert.equal(told, 5);
  const alone = async (name: string, ruleset: "v1" | "v2") =>
    (await collectStation({ council: stationCouncil(name, NONE), ruleset, seeds })).map(({ summary }) => summary);
  assert.deepEqual(batches, {
    floor: await alone("none", "v2"),
    personas: { triage: await alone("triage", "v2"), split: await alone("split", "v2") },
    dialect: { v1: await alone("dialect", "v1"), v2: await alone("dialect", "v2") },
  });
});

Deno.test("stationBatches() wait for onBatch before they go on", async () => {
  const order: string[] = [];
  await stationBatches([2], {
    personas: [],
    dialect: "silent",
    onBatch: async () => {
      order.push("told");
      await Promise.resolve();
      order.push("drawn");
    },
  });
  assert.deepEqual(order, ["told", "drawn", "told", "drawn", "told", "drawn"]);
});

Deno.test("stationBatches() refuse a live council: there is no key here to spend", async () => {
  const error = await userErrorOf(stationBatches([2], { personas: ["live:m"], dialect: "dialect" }));
  assert.match(error.message, /OPENAI_API_KEY/);
});
