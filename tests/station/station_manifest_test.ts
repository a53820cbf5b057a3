import assert from "node:assert/strict";
import {
  isFolderName,
  type ManifestRow,
  manifestText,
  readManifest,
  writeManifest,
} from "@/station/station_manifest.ts";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";

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

const text = manifestText([row]);

const bad: Record<string, readonly [content: string, message: RegExp]> = {
  "fault 48: a run that leads out of the folder": [
    text.replace("triage_seed109", "../../etc"),
    /x\.tsv: line 2: run_id: must be a plain folder name/,
  ],
  "a missing column": [text.replace("\tseed\t", "\t"), /line 1: the columns must be run_id, council, seed/],
  "a missing cell": [text.replace("\t36\t", "\t"), /line 2: has 14 cells, the header 15/],
  "a hash cut short": [
    text.replace("0123456789abcdef\t", "\t"),
    /line 2: events_sha256: must be 64 hexadecimal digits/,
  ],
  "unknown for a number": [text.replace("\t36\t", "\t\t"), /line 2: fallback_actions: must be a number/],
  "another class": [text.replace("BRITTLE", "SPLENDID"), /line 2: classification: must be /],
};

for (const [name, [content, message]] of Object.entries(bad)) {
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
