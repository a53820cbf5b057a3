import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readStationBatch, runStationBatch } from "@/runs/station_batch.ts";
import { readManifest } from "@/runs/station_manifest.ts";
import { council, interrupted, Interruption } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const room = { label: "room", chat: council(), synthetic: true };
const none = { label: "none", chat: "none", synthetic: true } as const;
const seeds = [104, 109];

Deno.test("a batch runs every council on every seed and lists each run with the hash of its events", async () => {
  await withFiles({}, async (out) => {
    const seen: unknown[] = [];
    const councils = [none, room];
    const runs = await runStationBatch({ seeds, ruleset: "v2" }, { out, councils, onRun: (run) => seen.push(run) });
    const ids = ["none_seed104", "none_seed109", "room_seed104", "room_seed109"];
    assert.deepEqual(seen, ids.map((runId, i) => ({ runId, found: 0, done: i + 1, total: 4 })));
    const manifest = await readManifest(`${out}/MANIFEST.tsv`);
    assert.deepEqual(manifest.map(({ run_id }) => run_id), ids);
    for (const [i, row] of manifest.entries()) {
      const { summary } = runs[i]!;
      const bytes = await Deno.readFile(`${out}/${row.run_id}/events.jsonl`);
      assert.equal(row.events_sha256, createHash("sha256").update(bytes).digest("hex"));
      assert.deepEqual([row.q, row.seed, row.council], [summary.q, summary.seed, summary.model]);
      assert.equal(row.fallback_actions + row.model_actions, 36);
    }
    assert.deepEqual((await readStationBatch(out)).summaries, runs.map(({ summary }) => summary));
  });
});

Deno.test("runs under way at once come out as they do one by one", async () => {
  await withFiles({}, async (out) => {
    const councils = [none, room];
    await runStationBatch({ seeds, ruleset: "v2" }, { out: `${out}/one`, councils });
    await runStationBatch({ seeds, ruleset: "v2" }, { out: `${out}/many`, councils, concurrency: 3 });
    assert.equal(
      await Deno.readTextFile(`${out}/many/MANIFEST.tsv`),
      await Deno.readTextFile(`${out}/one/MANIFEST.tsv`),
    );
  });
});

Deno.test("fault 34: a batch is extended, and what is there is neither run again nor taken off the manifest", async () => {
  await withFiles({}, async (out) => {
    await runStationBatch({ seeds, ruleset: "v2" }, { out, councils: [none] });
    const before = await readManifest(`${out}/MANIFEST.tsv`);
    const found: number[] = [];
    const more = { out, councils: [none, room], onRun: (run: { found: number }) => found.push(run.found) };
    await runStationBatch({ seeds: [109, 110], ruleset: "v2" }, more);
    const after = await readManifest(`${out}/MANIFEST.tsv`);
    assert.deepEqual(after.map(({ run_id }) => run_id).toSorted(), [
      "none_seed104",
      "none_seed109",
      "none_seed110",
      "room_seed109",
      "room_seed110",
    ]);
    for (const row of before) assert.deepEqual(after.find(({ run_id }) => run_id === row.run_id), row);
    assert.deepEqual(found.map((events) => events > 0), [true, false, false, false]);
  });
});

Deno.test("where a run fails the manifest names the runs finished so far, and the batch can be gone on with", async () => {
  await withFiles({}, async (out) => {
    const { chat } = interrupted(council(), 3);
    const run = runStationBatch({ seeds, ruleset: "v2" }, { out, councils: [none, { ...room, chat }] });
    await assert.rejects(run, Interruption);
    assert.deepEqual((await readManifest(`${out}/MANIFEST.tsv`)).map(({ run_id }) => run_id), [
      "none_seed104",
      "none_seed109",
    ]);
    await runStationBatch({ seeds, ruleset: "v2" }, { out, councils: [none, room] });
    assert.equal((await readStationBatch(out)).manifest.length, 4);
  });
});

Deno.test("fault 27: a run changed since it was listed is reported, every one of them, by file", async () => {
  await withFiles({}, async (out) => {
    await runStationBatch({ seeds: [...seeds, 110], ruleset: "v2" }, { out, councils: [none] });
    const events = `${out}/none_seed104/events.jsonl`;
    await Deno.writeTextFile(events, (await Deno.readTextFile(events)).replace("rumor", "rumos"));
    const summary = `${out}/none_seed109/final_summary.json`;
    await Deno.writeTextFile(summary, (await Deno.readTextFile(summary)).replace(/"q": 0\.\d+/, '"q": 0.99'));
    await Deno.remove(`${out}/none_seed110`, { recursive: true });
    const { message } = await userErrorOf(readStationBatch(out));
    assert.deepEqual(message.split("\n").map((line) => line.slice(out.length)).map((line) => line.split(":")[0]), [
      "/none_seed104/events.jsonl",
      "/none_seed109/final_summary.json",
      "/none_seed110",
    ]);
    assert.match(message, /another SHA-256/);
    assert.match(message, /q is not what MANIFEST\.tsv says/);
  });
});

Deno.test("two runs of one name are refused before anything is run", async () => {
  await withFiles({}, async (out) => {
    const councils = [{ ...none, label: "a/b" }, { ...none, label: "a-b" }];
    const { message } = await userErrorOf(runStationBatch({ seeds, ruleset: "v2" }, { out, councils }));
    assert.match(message, /a-b_seed104 is planned twice/);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(out)), []);
  });
});
