import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import { RunSource, type RunSourceChoices } from "@/record/run_source.ts";
import { type FileCopy, sourceFiles } from "@/record/source_files.ts";
import { userErrorOf } from "../lab/runs/user_error_of.ts";
import { withFiles } from "../lab/runs/with_files.ts";

const mapping = (changed: Partial<RunSourceChoices>) =>
  RunSource.parse({
    schema: "run-source/2",
    name: "any",
    unit: "file",
    observations: { layout: "turns", agent: "who" },
    state: { kind: "vote", options: "occurring" },
    ...changed,
  });

/** Names, without the folder's, and texts of the files that are found. */
async function found(folder: string, changed: Partial<RunSourceChoices> = {}, at = "", copies: FileCopy[] = []) {
  const files = await Array.fromAsync(sourceFiles([`${folder}${at}`], mapping(changed), copies));
  return files.map(({ file, bytes }) => `${file.slice(folder.length)} ${new TextDecoder().decode(bytes)}`);
}

const FOLDER = {
  "run10.json": "ten",
  "run2.json": "two",
  "deep/run3.json": "three",
  "notes.txt": "no",
  ".DS_Store": "x",
};

Deno.test("sourceFiles() finds the files of a folder by their pattern, 2 before 10", async () => {
  await withFiles(FOLDER, async (folder) => {
    assert.deepEqual(await found(folder, { files: "run*.json" }), [
      "/deep/run3.json three",
      "/run2.json two",
      "/run10.json ten",
    ]);
    assert.deepEqual(await found(folder, { files: "deep/*" }), ["/deep/run3.json three"]);
    assert.deepEqual(await found(folder, { files: ["notes.*", "**/run3.json"] }), [
      "/deep/run3.json three",
      "/notes.txt no",
    ]);
    assert.deepEqual(
      await found(folder, { files: "run*.json" }, "/notes.txt"),
      ["/notes.txt no"],
      "a named file is read as it is",
    );
    assert.match(
      (await userErrorOf(found(folder, { files: "*.csv" }))).message,
      /no file in this folder matches "\*\.csv"; choice: files/,
    );
    assert.match((await userErrorOf(found(folder, {}, "/none"))).message, /none: there is no such file/);
  });
});

Deno.test("sourceFiles() follows no link in a folder, and refuses one that the pattern asks for", async () => {
  await withFiles({ "in/a.json": "a", "out/b.json": "b" }, async (folder) => {
    await Deno.symlink(`${folder}/out`, `${folder}/in/link`);
    await Deno.symlink(`${folder}/out/b.json`, `${folder}/in/b.json`);
    assert.deepEqual(await found(folder, { files: "a.*" }, "/in"), ["/in/a.json a"]);
    const { message } = await userErrorOf(found(folder, {}, "/in"));
    assert.match(message, /in\/b\.json: is a link, and links in a folder are not followed; .*choice: files$/);
    assert.deepEqual(await found(folder, {}, "/in/b.json"), ["/in/b.json b"], "a link that is named is read");
    await Deno.remove(`${folder}/in/b.json`);
    assert.deepEqual(await found(folder, {}, "/in"), ["/in/a.json a"]);
  });
});

Deno.test("sourceFiles() refuses an empty file, and a device, which has no end", async () => {
  await withFiles({ "a.json": "a", "b.json": "" }, async (folder) => {
    assert.match((await userErrorOf(found(folder))).message, /b\.json: is empty; .*choice: files$/);
    assert.match((await userErrorOf(found("/dev/zero"))).message, /^\/dev\/zero: is a device, not a file/);
  });
});

Deno.test("sourceFiles() reads a zip, whatever it is called", async () => {
  const zip = zipSync({
    "samples/1.json": strToU8("one"),
    "samples/2.json": [strToU8("two"), { level: 0 }],
    "header.json": strToU8("no"),
  });
  await withFiles({ "log.eval": zip }, async (folder) => {
    assert.deepEqual(await found(folder, { files: "*.eval", inside: "samples/*.json" }), [
      "/log.eval:samples/1.json one",
      "/log.eval:samples/2.json two",
    ]);
    assert.match(
      (await userErrorOf(found(folder, { inside: "*.csv" }))).message,
      /log\.eval: no file in this zip matches "\*\.csv"; choice: inside/,
    );
  });
});

/** A zip with a changed byte at an offset from each header's signature, local and central. */
function changedZip(
  zip: Uint8Array,
  { local, central, value }: { local: number; central: number; value: number },
): Uint8Array {
  const changed = zip.slice();
  for (let i = 0; i + 3 < zip.length; i++) {
    if (zip[i] !== 0x50 || zip[i + 1] !== 0x4b) continue;
    if (zip[i + 2] === 3 && zip[i + 3] === 4) changed[i + local] = value;
    if (zip[i + 2] === 1 && zip[i + 3] === 2) changed[i + central] = value;
  }
  return changed;
}

/** A zip that says of each of its files that it has 300 MB, stored as they are. */
function largeZip(files: Record<string, Uint8Array>): Uint8Array {
  const zip = zipSync(files), view = new DataView(zip.buffer, zip.byteOffset);
  for (let i = 0; i + 3 < zip.length; i++) {
    if (view.getUint32(i) !== 0x504b0102) continue;
    view.setUint32(i + 20, 300e6, true);
    view.setUint32(i + 24, 300e6, true);
  }
  return zip;
}

/** A zip whose only file has another number in its directory, at an offset there, and in its own header. */
function misstated(zip: Uint8Array, central: number, change: (value: number) => number): Uint8Array {
  const changed = zip.slice(), view = new DataView(changed.buffer);
  for (let i = 0; i + 3 < zip.length; i++) {
    const sign = view.getUint32(i), at = sign === 0x504b0102 ? i + central : i + central - 2;
    if (sign === 0x504b0102 || sign === 0x504b0304) view.setUint32(at, change(view.getUint32(at, true)), true);
  }
  return changed;
}

/** Two files of a zip under one name: the second is renamed where it stands. */
function doubledZip(): Uint8Array {
  const zip = zipSync({ "a.json": strToU8("{}"), "b.json": strToU8("[]") });
  return zip.map((byte, i) => (byte === 0x62 && zip[i + 1] === 0x2e && zip[i + 2] === 0x6a ? 0x61 : byte));
}

const LONG_ZIP = zipSync({ "a.json": strToU8("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]") });
const SMALL_ZIP = zipSync({ "a.json": strToU8("{}") });
for (
  const [what, zip, complaint] of [
    ["a bomb", zipSync({ "a.json": new Uint8Array(3_000_000) }), /a\.json in it would unpack to 200 times its size/],
    ["a path out of it", zipSync({ "../../a.json": strToU8("{}") }), /would lie outside its folder/],
    ["an absolute path", zipSync({ "/a.json": strToU8("{}") }), /would lie outside its folder/],
    [
      "zstd",
      changedZip(SMALL_ZIP, { local: 8, central: 10, value: 93 }),
      /is packed by zstd, which is not read here; unpack it/,
    ],
    ["a method nobody knows", changedZip(SMALL_ZIP, { local: 8, central: 10, value: 77 }), /is packed by method 77/],
    [
      "600 MB in all",
      largeZip({ "a.json": strToU8("1"), "b.json": strToU8("2") }),
      /b\.json in it would unpack to more than 512 MiB with those before it/,
    ],
    [
      "an understated size",
      misstated(LONG_ZIP, 24, (size) => size - 3),
      /a\.json in it does not have the checksum or the/,
    ],
    [
      "an overstated size",
      misstated(LONG_ZIP, 24, (size) => size + 3),
      /unpacks to 31 bytes, not to the 34 that the zip/,
    ],
    ["another checksum", misstated(LONG_ZIP, 16, (sum) => sum ^ 1), /a\.json in it does not have the checksum/],
    ["a name twice", doubledZip(), /the file a\.json in it is there twice/],
    ["a password", changedZip(SMALL_ZIP, { local: 6, central: 8, value: 1 }), /a\.json in it is encrypted/],
    ["a name without end", zipSync({ ["a".repeat(60_000)]: strToU8("{}") }), /has a name of over 1000 characters/],
    ["half its bytes", SMALL_ZIP.slice(0, SMALL_ZIP.length / 2), /is a damaged zip/],
  ] as const
) {
  Deno.test(`sourceFiles() refuses a zip with ${what}`, async () => {
    await withFiles({ "a.zip": zip }, async (folder) => {
      assert.match((await userErrorOf(found(folder))).message, complaint);
    });
  });
}

Deno.test("sourceFiles() tells a copied file by its bytes", async () => {
  await withFiles({ "1.json": "same", "2.json": "other", "3.json": "same" }, async (folder) => {
    assert.match(
      (await userErrorOf(found(folder))).message,
      /3\.json: has the same bytes as .*1\.json; choice: copies/,
    );
    for (const [choice, files] of [["exclude", 2], ["keep", 3]] as const) {
      const copies: FileCopy[] = [];
      assert.equal((await found(folder, { copies: choice }, "", copies)).length, files);
      assert.deepEqual(copies, [{ file: `${folder}/3.json`, of: `${folder}/1.json` }]);
    }
  });
});
