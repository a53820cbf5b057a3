import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "@/record/read_json.ts";
import { userErrorOf } from "../lab/runs/user_error_of.ts";
import { withFiles } from "../lab/runs/with_files.ts";

const Packet = z.strictObject({
  id: z.string(),
  share: z.number().min(0).max(1),
  options: z.array(z.strictObject({ label: z.string().min(1), text: z.string() })).min(2),
  kind: z.enum(["choice", "allocation"]).optional(),
});

const sound = {
  id: "x",
  share: 0.5,
  options: [{ label: "a", text: "A" }, { label: "b", text: "B" }],
};

/** The message about a file with this content, its folder taken off. */
async function complaint(content: string | Uint8Array): Promise<string> {
  let message = "";
  await withFiles({ "packet.json": content }, async (folder) => {
    const file = join(folder, "packet.json");
    message = (await userErrorOf(readJson(file, Packet))).message.replaceAll(file, "packet.json");
  });
  return message;
}

const pretty = (change: object) => JSON.stringify({ ...sound, ...change }, null, 2);

Deno.test("readJson() gives the value, also after a byte order mark and with CRLF", async () => {
  for (const text of [pretty({}), `\uFEFF${pretty({})}`, pretty({}).replaceAll("\n", "\r\n")]) {
    await withFiles({ "packet.json": text }, async (folder) => {
      assert.deepEqual(await readJson(join(folder, "packet.json"), Packet), sound);
    });
  }
});

Deno.test("readJson() says what to do about a missing file", async () => {
  const error = await userErrorOf(readJson("no/such/packet.json", Packet));
  assert.equal(error.message, "no/such/packet.json: there is no such file; check the path, or restore the file");
});

Deno.test("readJson() refuses a folder and bytes that are not UTF-8", async () => {
  await withFiles({ "folder.json/x": "" }, async (folder) => {
    assert.match((await userErrorOf(readJson(join(folder, "folder.json"), Packet))).message, /cannot be read/);
  });
  assert.match(await complaint(new Uint8Array([0x22, 0xff, 0x22])), /packet\.json: is not UTF-8 text/);
});

// Lines of pretty(): 1 {, 2 id, 3 share, 4 options [, 5 {, 6 label, 7 text, 8 }, 9 {, 10 label, 11 text …
const cases: [name: string, text: string, message: string][] = [
  [
    "bad JSON with line and column",
    '{\n  "id": "x",\n  "share" 0.5\n}',
    "packet.json:3:11: not readable as JSON: colon expected",
  ],
  [
    "a key given twice",
    '{\n  "id": "x",\n  "id": "y"\n}',
    'packet.json:3:3: not readable as JSON: the key "id" is given twice',
  ],
  [
    "a missing field, at the object that lacks it",
    pretty({ options: [{ label: "a", text: "A" }, { label: "b" }] }),
    "packet.json:9:5: options[1].text: is missing: text in quotes is needed",
  ],
  [
    "a wrong type, with what was found",
    pretty({ options: [{ label: "a", text: "A" }, { label: "b", text: 3 }] }),
    "packet.json:11:7: options[1].text: must be text in quotes, found 3",
  ],
  [
    "an empty text",
    pretty({ options: [{ label: "", text: "A" }, { label: "b", text: "B" }] }),
    "packet.json:6:7: options[0].label: must not be empty",
  ],
  ["a number out of range", pretty({ share: 1.5 }), "packet.json:3:3: share: must be at most 1, found 1.5"],
  [
    "too short a list",
    pretty({ options: [] }),
    "packet.json:4:3: options: must have at least 2 items, found []",
  ],
  [
    "a value outside a list of words",
    pretty({ kind: "vote" }),
    'packet.json:14:3: kind: must be "choice" or "allocation", found "vote"',
  ],
  [
    "an unknown key",
    pretty({ titel: "t" }),
    "packet.json:14:3: titel: is not a known key; remove or rename it",
  ],
  ["a value of another kind", "[]", "packet.json:1:1: the whole file: must be an object { }, found []"],
];
for (const [name, text, message] of cases) {
  Deno.test(`readJson() names file, line, field and rule: ${name}`, async () => {
    assert.equal(await complaint(text), message);
  });
}

Deno.test("readJson() reports every broken rule, each unknown key by itself", async () => {
  assert.deepEqual((await complaint(pretty({ share: "half", "bad key": 1, other: 2 }))).split("\n"), [
    'packet.json:3:3: share: must be a number, found "half"',
    'packet.json:14:3: ["bad key"]: is not a known key; remove or rename it',
    "packet.json:15:3: other: is not a known key; remove or rename it",
  ]);
});

Deno.test("fault 48: readJson() refuses a key __proto__, which objects would lose, however it is written", async () => {
  for (const key of ["__proto__", "\\u005f_proto__"]) {
    const text = pretty({}).replace('"id"', `"${key}": {"share": 1},\n  "id"`);
    const words = `not readable as JSON: the key "${key}" cannot be the name of anything; rename it`;
    assert.equal(await complaint(text), `packet.json:2:3: ${words}`);
  }
});
