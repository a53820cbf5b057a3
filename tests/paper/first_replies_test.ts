import assert from "node:assert/strict";
import { firstReplies } from "@/paper/call_noise.ts";
import type { Ledger } from "@/runs/read_ledger.ts";

type Events = Ledger["runs"][number]["events"];

const run = (...events: object[]) => ({ replicate: 0, attempt: 1, events: events as unknown as Events });
const opened = { kind: "run.opened" };
const turn = (text: string | undefined, reading: object, again = false) => ({
  ...{ kind: "turn.answered", again, reading },
  ...(text !== undefined && { reply: { text } }),
});
const value = { preferences: [0.6, 0.4], confidence: 50, tags: ["a", "b"] };

Deno.test("firstReplies() takes the first reply of every run, flagged and unreadable ones too", () => {
  const replies = firstReplies({
    runs: [
      run(opened, turn("first", { kind: "read", value }), turn("second", { kind: "read", value })),
      run(opened, turn("mended", { kind: "normalised", value, repairs: ["x"] })),
      run(opened, turn("spoilt", { kind: "invalid" }), turn("repair", { kind: "read", value }, true)),
      run(opened, turn(undefined, { kind: "missing" })),
      run(opened),
    ],
  });
  const { preferences } = value;
  assert.deepEqual(replies, [{ text: "first", preferences }, { text: "mended", preferences }, { text: "spoilt" }]);
});
