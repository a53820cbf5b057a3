import assert from "node:assert/strict";
import {
  isFolderName,
  type ManifestRow,
  manifestText,
  readManifest,
  readStationCalls,
  readStationLog,
  readStationSummary,
  type StationHeader,
  summaryText,
  writeManifest,
} from "@/station/station_files.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import type { StationSummary } from "@/schema/station_summary.ts";
import { runStation } from "@/station/run_station.ts";
import { summarise } from "@/station/summary.ts";
import { userErrorOf } from "../lab/runs/user_error_of.ts";
import { withFiles } from "../lab/runs/with_files.ts";

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

const row: ManifestRow = {
  run_id: "triage_seed109",
  council: 'openai/gpt "5"\twith a tab',
  seed: -109,
  ruleset: "schema shown, strict",
  synthetic: false,
  stabilized: true,
  q: 0.1 + 0.2,
  classification: "BENCHMARK_BRITTLE",
  fallback_actions: 36,
  model_actions: 0,
  events_sha256: "0123456789abcdef".repeat(4),
  replicate: 2,
  models: "C1_COMMAND=a/one F1_OUTER=b\ttwo",
  temperature: 0.1 + 0.2,
  max_tokens: 900,
};

Deno.test("a manifest comes back as it was written, odd labels and long fractions too", async () => {
  await withFiles({}, async (folder) => {
    const rows = [row, { ...row, run_id: "b", council: "none", seed: 104, q: 1e-7 }];
    writeManifest(`${folder}/deep/MANIFEST.tsv`, rows);
    assert.deepEqual(await readManifest(`${folder}/deep/MANIFEST.tsv`), rows);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(`${folder}/deep`), ({ name }) => name), ["MANIFEST.tsv"]);
  });
});

Deno.test("fault 35: a manifest without the later columns is read; empty ones are unknown, not zero", async () => {
  const { replicate: _, models: __, temperature: ___, max_tokens: ____, ...rest } = row;
  const older = { ...rest, council: "room" };
  const lines = manifestText([older]).split("\n").map((line) => line.split("\t").slice(0, 11).join("\t"));
  await withFiles({ "older.tsv": lines.join("\n"), "empty.tsv": manifestText([older]) }, async (folder) => {
    for (const name of ["older", "empty"]) assert.deepEqual(await readManifest(`${folder}/${name}.tsv`), [older]);
  });
});

const manifest = manifestText([row]);

const badManifests: Record<string, readonly [content: string, message: RegExp]> = {
  "fault 48: a run that leads out of the folder": [
    manifest.replace("triage_seed109", "../../etc"),
    /x\.tsv: line 2: run_id: must be a plain folder name/,
  ],
  "a missing column": [manifest.replace("\tseed\t", "\t"), /line 1: the columns must be run_id, council, seed/],
  "a missing cell": [manifest.replace("\t36\t", "\t"), /line 2: has 14 cells, the header 15/],
  "a hash cut short": [
    manifest.replace("0123456789abcdef\t", "\t"),
    /line 2: events_sha256: must be 64 hexadecimal digits/,
  ],
  "unknown for a number": [manifest.replace("\t36\t", "\t\t"), /line 2: fallback_actions: must be a number/],
  "another class": [manifest.replace("BRITTLE", "SPLENDID"), /line 2: classification: must be /],
};

for (const [name, [content, message]] of Object.entries(badManifests)) {
  Deno.test(`${name}: readManifest() refuses it by line and rule`, async () => {
    await withFiles({ "x.tsv": content }, async (folder) => {
      assert.match((await userErrorOf(readManifest(`${folder}/x.tsv`))).message, message);
    });
  });
}

Deno.test("fault 48: only plain names can be folders", () => {
  for (const name of ["triage_seed109", "a", "gpt-5.5_seed1"]) assert.ok(isFolderName(name), name);
  for (const name of ["", ".", "..", "../a", "a/b", "a\\b", "=1", "-a", "a\n", "ä", "x".repeat(101)]) {
    assert.ok(!isFolderName(name), name);
  }
});
