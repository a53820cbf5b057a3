import assert from "node:assert/strict";
import { runCondition } from "@/runs/run_condition.ts";
import { condition, council } from "./councils.ts";
import { withFiles } from "./with_files.ts";

Deno.test("fault 30: a ledger only grows: what more runs cost does not depend on how many it holds", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const settings = { council: council(), seed: 1, path };
    const written: { bytes: Uint8Array; inode: number | null }[] = [];
    for (const replicates of [1, 2, 6]) {
      await runCondition(condition, { ...settings, replicates });
      written.push({ bytes: await Deno.readFile(path), inode: (await Deno.stat(path)).ino });
    }
    const [one, two, six] = written.map(({ bytes }) => bytes);
    assert.deepEqual(two!.subarray(0, one!.length), one);
    assert.deepEqual(six!.subarray(0, two!.length), two);
    assert.equal(new Set(written.map(({ inode }) => inode)).size, 1, "the file is written anew");
    // Each further runs come with one declaration of the longer plan: four runs take less than four times one such growth.
    const [first, later] = [two!.length - one!.length, six!.length - two!.length];
    assert.ok(later < 4 * first, `${later} bytes for four runs, ${first} for one`);
  });
});
