import assert from "node:assert/strict";
import { readStationCalls, readStationLog, readStationSummary, summaryText } from "@/station/station_files.ts";
import type { StationHeader } from "@/station/station_files.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import type { StationSummary } from "@/schema/station_summary.ts";
import { runStation } from "@/station/run_station.ts";
import { summarise } from "@/station/summary.ts";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";

const header: StationHeader = {
  schema: "station-events/1",
  run_id: "none_seed104",
  council: "none",
  synthetic: true,
  seed: 104,
  ruleset: { schemaShown: true, normaliser: true },
  rules: "0".repeat(64),
  made: { library: "0.1.0", deno: "2.9.6" },
};
const events: StationEvent[] = await Array.fromAsync(runStation({ seed: 104, ruleset: "v2", council: "none" }));
const lines = [header, ...events].map((line) => `${JSON.stringify(line)}\n`);
const text = lines.join("");
const labels = { runId: "none_seed104", model: "none", synthetic: true, made: header.made };
const summary: StationSummary = summarise(events, labels);

Deno.test("readStationLog() gives back what was written, with or without the last line end", async () => {
  await withFiles({ "a.jsonl": text, "b.jsonl": text.trimEnd() }, async (folder) => {
    for (const name of ["a", "b"]) {
      const path = `${folder}/${name}.jsonl`;
      assert.deepEqual(await readStationLog(path), { path, header, events });
    }
  });
});

Deno.test("fault 26: a torn last line is skipped and reported with its line and byte offset", async () => {
  const whole = lines.slice(0, 40).join("");
  await withFiles({ "x.jsonl": whole + lines[40]!.slice(0, -9) }, async (folder) => {
    const log = await readStationLog(`${folder}/x.jsonl`);
    assert.deepEqual(log.torn, { line: 41, offset: new TextEncoder().encode(whole).length });
    assert.deepEqual(log.events, events.slice(0, 39));
  });
});

const changed = (index: number, change: (line: string) => string) => lines.with(index, change(lines[index]!)).join("");

const bad: Record<string, readonly [content: string | Uint8Array, message: RegExp]> = {
  "fault 27: a line cut in the middle": [
    changed(11, (line) => `${line.slice(0, 30)}\n`),
    /x\.jsonl: line 12 is not JSON; restore the line from a copy/,
  ],
  "an unknown kind of event": [
    changed(4, (line) => line.replace('"kind":"', '"kind":"un')),
    /x\.jsonl: line 5: kind: /,
  ],
  "a field out of form": [
    changed(2, (line) => line.replace('"round":1', '"round":9')),
    /line 3: round: must be at most 6/,
  ],
  "fault 35: another version of the events": [
    changed(0, (line) => line.replace("station-events/1", "station-events/3")),
    /line 1: schema: must be "station-events\/2" or "station-events\/1", found "station-events\/3"/,
  ],
  "a second header": [text + lines[0], /line 98: kind: /],
  "fault 48: a __proto__ key": [
    changed(0, (line) => line.replace("{", '{"__proto__":{},')),
    /line 1: __proto__: is not/,
  ],
  "an empty line": [`${text}\n`, /line 98 is not JSON/],
  "bytes that are not UTF-8": [Uint8Array.of(0x7b, 0xff, 0x0a), /line 1 is not UTF-8 text/],
  "an empty file": ["", /holds no whole first line/],
  "a torn first line": [lines[0]!.slice(0, 20), /holds no whole first line/],
};

for (const [name, [content, message]] of Object.entries(bad)) {
  Deno.test(`${name}: readStationLog() refuses it by file, line and rule`, async () => {
    assert.equal(lines.length, 97);
    await withFiles({ "x.jsonl": content }, async (folder) => {
      assert.match((await userErrorOf(readStationLog(`${folder}/x.jsonl`))).message, message);
    });
  });
}

Deno.test("a log that is not there is named", async () => {
  assert.match(
    (await userErrorOf(readStationLog("/nowhere/events.jsonl"))).message,
    /^\/nowhere\/events\.jsonl: there is no/,
  );
});

Deno.test("readStationCalls() reads no calls from an empty file, and reports a torn one", async () => {
  await withFiles({ "empty.jsonl": "", "torn.jsonl": '{"schema":"model-c' }, async (folder) => {
    assert.deepEqual(await readStationCalls(`${folder}/empty.jsonl`), { calls: [] });
    assert.deepEqual(await readStationCalls(`${folder}/torn.jsonl`), { calls: [], torn: { line: 1, offset: 0 } });
  });
});

Deno.test("readStationSummary() gives back what was written", async () => {
  await withFiles({ "s.json": summaryText(summary) }, async (folder) => {
    assert.deepEqual(await readStationSummary(`${folder}/s.json`), summary);
  });
});

Deno.test("fault 35: a summary of another schema version is refused by name, an unreadable one by place", async () => {
  const other = summaryText(summary).replace("station-summary/1", "station-summary/7");
  const wrong = summaryText({ ...summary, q: 1.5 });
  await withFiles({ "other.json": other, "wrong.json": wrong, "torn.json": other.slice(0, 90) }, async (folder) => {
    assert.match(
      (await userErrorOf(readStationSummary(`${folder}/other.json`))).message,
      /other\.json: has schema "station-summary\/7", this library reads "station-summary\/1"/,
    );
    assert.match(
      (await userErrorOf(readStationSummary(`${folder}/wrong.json`))).message,
      /wrong\.json:\d+:\d+: q: must be at most 1/,
    );
    assert.match(
      (await userErrorOf(readStationSummary(`${folder}/torn.json`))).message,
      /torn\.json:\d+:\d+: not readable as JSON/,
    );
  });
});
