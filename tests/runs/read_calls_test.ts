import assert from "node:assert/strict";
import { readCalls } from "@/runs/council.ts";
import type { ModelCall } from "@/schema/model_call.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const request = {
  model: "m",
  messages: [{ role: "user" as const, content: "Welche?\nOption “B” 💡" }],
  temperature: 0.7,
  seed: 3,
  maxTokens: 9,
};
const calls: ModelCall[] = [
  { schema: "model-call/1", request, reply: { text: "A", usage: { promptTokens: 1, completionTokens: 0 } } },
  { schema: "model-call/1", request, failure: { code: "timeout", message: "m: no complete reply within 5 ms" } },
];
const text = calls.map((call) => `${JSON.stringify(call)}\n`).join("");

Deno.test("readCalls() gives back recorded calls in order, replies and failures", async () => {
  await withFiles({ "ended.jsonl": text, "open.jsonl": text.trimEnd() }, async (folder) => {
    assert.deepEqual(await readCalls(`${folder}/ended.jsonl`), calls);
    assert.deepEqual(await readCalls(`${folder}/open.jsonl`), calls);
  });
});

const line = (overrides: Record<string, unknown>) => JSON.stringify({ ...calls[0], ...overrides });

const bad: Record<string, readonly [content: string | Uint8Array, message: RegExp]> = {
  "a torn last line": [text.slice(0, -5), /line 2 is not JSON; take it off the recording to replay the rest/],
  "an empty line": [`${text}\n${text}`, /line 3 is not JSON/],
  "a line that is no object": [`${text}[]\n`, /line 3: the whole line: must be an object/],
  "a field out of form": [
    text + line({ request: { ...request, seed: 0.5 } }),
    /line 3: request\.seed: must be a whole number/,
  ],
  "reply and failure at once": [
    text + line({ failure: { code: "empty", message: "x" } }),
    /line 3: the whole line: a call has either a reply or a failure/,
  ],
  "neither reply nor failure": [line({ reply: undefined }), /line 1: the whole line: a call has either a reply/],
  "another schema version": [line({ schema: "model-call/2" }), /line 1: schema: must be "model-call\/1"/],
  "fault 48: a __proto__ key": [line({}).replace("{", '{"__proto__":{},'), /line 1: __proto__: is not a known key/],
  "an empty file": ["", /x\.jsonl: holds no recorded call$/],
  "bytes that are not UTF-8": [Uint8Array.of(0x7b, 0xff, 0x7d), /x\.jsonl: is not UTF-8 text/],
};

for (const [name, [content, message]] of Object.entries(bad)) {
  Deno.test(`${name}: readCalls() refuses the recording and names the place`, async () => {
    await withFiles({ "x.jsonl": content }, async (folder) => {
      assert.match((await userErrorOf(readCalls(`${folder}/x.jsonl`))).message, message);
    });
  });
}

Deno.test("readCalls() names a recording that is not there", async () => {
  const { message } = await userErrorOf(readCalls("/nowhere/calls.jsonl"));
  assert.match(message, /^\/nowhere\/calls\.jsonl: there is no such file/);
});
