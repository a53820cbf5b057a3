import assert from "node:assert/strict";
import { runStationFolder } from "@/lab/live/run_station_folder.ts";
import { readStationFolder } from "@/station/read_station_folder.ts";
import { heldStation } from "@/station/station_record.ts";
import { alive, council, interrupted, unsealed } from "../lab/runs/station_rooms.ts";
import { userErrorOf } from "../lab/runs/user_error_of.ts";
import { withFiles } from "../lab/runs/with_files.ts";

const room = { seed: 109, ruleset: "v2", label: "room", synthetic: false, identity: "live:a" } as const;
const live = { ...room, council: alive(council()) };
const FILES = ["events.jsonl", "model_calls.jsonl", "final_summary.json", "prime_time_recap.md"];
const filesOf = (folder: string) => FILES.map((name) => Deno.readTextFileSync(`${folder}/${name}`));
const linesOf = (text: string) => text.split("\n").filter((line) => line !== "").map((line) => `${line}\n`);

/** What an undisturbed run leaves, and its record just before the files were made of it. */
let [whole, record]: [string[], string] = [[], ""];
await withFiles({}, async (folder) => {
  await runStationFolder({
    ...{ ...live, folder },
    onEvent({ kind }) {
      if (kind === "run.closed") record = Deno.readTextFileSync(`${folder}/record.jsonl`);
    },
  });
  whole = filesOf(folder);
});
const [events, calls] = whole.map(linesOf) as [string[], string[]];
const asked = calls.length;

Deno.test("a record cut off anywhere, within a line too, is read and finished: no call on record is asked again", async () => {
  const lines = linesOf(record);
  for (const cut of [1, 2, 3, 20, 60, lines.length - 1, lines.length]) {
    const torn = (lines[cut] ?? "").slice(0, 40);
    await withFiles({ "record.jsonl": lines.slice(0, cut).join("") + torn }, async (folder) => {
      const known = lines.slice(0, cut).filter((line) => line.includes('"kind":"call"')).length;
      const held = await readStationFolder(folder);
      assert.deepEqual([held.calls.length, held.events.length], [known, cut - 1 - known]);
      const { chat, calls } = interrupted(live.council);
      await runStationFolder({ ...live, council: chat, folder });
      assert.equal(calls(), asked - known);
      assert.deepEqual(filesOf(folder), whole, `cut after line ${cut}`);
      await assert.rejects(Deno.stat(`${folder}/record.jsonl`), Deno.errors.NotFound);
    });
  }
});

Deno.test("killed while the files are made of the record, at any line, they are completed from it", async () => {
  for (
    const [told, said, torn] of [[0, 0, ""], [0, 7, '{"sch'], [1, asked, ""], [30, asked, '{"ki'], [
      events.length,
      asked,
      "",
    ]]
  ) {
    const [log, heard] = [events.slice(0, told as number).join(""), calls.slice(0, said as number).join("")];
    const isLog = said === asked;
    const content = {
      ...{ "record.jsonl": record, "events.jsonl": isLog ? log + torn : log },
      "model_calls.jsonl": isLog ? heard : heard + torn,
    };
    await withFiles(content, async (folder) => {
      assert.equal((await readStationFolder(folder)).events.at(-1)!.kind, "run.closed", "the record is the truth");
      const { chat, calls } = interrupted(live.council);
      await runStationFolder({ ...live, council: chat, folder });
      assert.equal(calls(), 0);
      assert.deepEqual(filesOf(folder), whole);
    });
  }
});

Deno.test("fault 27: a changed line of a record is named, and nothing is asked or written", async () => {
  const lines = linesOf(record), at = lines.findIndex((line) => line.includes("C3_ENGINEER is for it."));
  const changed = lines.with(at, lines[at]!.replace("is for it.", "is for ut.")).join("");
  await withFiles({ "record.jsonl": changed }, async (folder) => {
    const { chat, calls } = interrupted(live.council);
    for (const read of [() => readStationFolder(folder), () => runStationFolder({ ...live, council: chat, folder })]) {
      assert.match(
        (await userErrorOf(read())).message,
        new RegExp(`record\\.jsonl is damaged .*line ${at + 1} was changed`, "s"),
      );
    }
    assert.equal(calls(), 0);
    assert.equal(await Deno.readTextFile(`${folder}/record.jsonl`), changed);
  });
});

/** What 0.3.0 left when `station_killed_run.ts` was killed at the repair of the second round; it kept no record. */
const KILLED = new URL("../lab/runs/fixtures/station-killed/", import.meta.url);

for (const [name, edit] of [["0.3.0", (text: string) => text], ["before checksums", unsealed]] as const) {
  Deno.test(`fault 35: a folder that a killed run of ${name} left is finished as if nothing had happened`, async () => {
    const read = (file: string) => edit(Deno.readTextFileSync(new URL(file, KILLED)));
    const content = { "events.jsonl": read("events.jsonl"), "model_calls.jsonl": read("model_calls.jsonl") };
    await withFiles(content, async (folder) => {
      const known = linesOf(content["model_calls.jsonl"]).length;
      const { chat, calls } = interrupted(live.council);
      await runStationFolder({ ...live, council: chat, folder });
      assert.deepEqual([known, calls()], [8, asked - 8]);
      // Its replies are read by the rule of its time.
      const bare = (text: string) =>
        unsealed(text).replace(/"made": ?\{[^}]*\}/, '"made":{}').replace('"words":"spoken",', "");
      assert.deepEqual(filesOf(folder).map(bare), whole.map(bare));
      for (const [file, before] of Object.entries(content)) {
        assert.ok(Deno.readTextFileSync(`${folder}/${file}`).startsWith(before), `${file} stays as it was written`);
      }
    });
  });
}

Deno.test("a folder whose record was lost and rescued beside it is not read as if no run had been begun", async () => {
  await withFiles({ "record.jsonl.rescued": record }, async (folder) => {
    const { message } = await userErrorOf(heldStation(folder));
    assert.match(message, /record\.jsonl\.rescued/);
  });
});
