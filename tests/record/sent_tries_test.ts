import assert from "node:assert/strict";
import { LedgerWriter } from "@/record/ledger_writer.ts";
import { lostTries, mayHaveLost, SentTries } from "@/record/sent_tries.ts";
import { userErrorOf } from "../lab/runs/user_error_of.ts";
import { withFiles } from "../lab/runs/with_files.ts";

/** Tries as one run sends them, one after the other: how many had an outcome on record each time. */
async function lostOf(sentAt: readonly number[], booked: number): Promise<number[]> {
  let lost: number[] = [];
  await withFiles({}, (folder) => {
    const record = `${folder}/a.jsonl`;
    const sent = new SentTries(record);
    sentAt.forEach((booked, i) => sent.add({ run: "a", booked, model: "m", atMost: most(i) }));
    // Another run's, all of which came to an end.
    sent.add({ run: "b", booked: 0, model: "m", atMost: most(99) });
    const counts = (run: string) => run === "a" ? booked : 1;
    sent.close(counts);
    lost = lostTries(record, counts).map(({ atMost }) => atMost.promptTokens);
    return Promise.resolve();
  });
  return lost;
}

const most = (promptTokens: number) => ({ promptTokens, completionTokens: 1 });

const cases: readonly (readonly [string, readonly number[], number, readonly number[]])[] = [
  ["answered one by one, nothing is lost", [0, 1, 2], 3, []],
  ["the last one is lost", [0, 1, 2], 2, [2]],
  ["a call's failed tries are lost with it", [0, 1, 1, 1], 1, [1, 2, 3]],
  ["failed tries that came on record with their answer are not", [0, 1, 1, 1], 4, []],
  ["one lost is still lost when its call was made again", [0, 1, 1, 2], 3, [2]],
  ["twice killed at one call", [0, 1, 1, 1, 2, 3], 4, [2, 3]],
  ["killed at two calls", [0, 1, 1, 2, 2, 3], 3, [2, 4, 5]],
  ["killed before the first answer", [0], 0, [0]],
  ["slots that were opened again lose nothing that was on record", [0, 1, 2, 1, 2], 3, []],
];
for (const [name, sentAt, booked, lost] of cases) {
  Deno.test(`fault 23: tries in flight at a kill: ${name}`, async () => {
    assert.deepEqual(await lostOf(sentAt, booked), lost);
  });
}

Deno.test("the record of tries goes when all have an outcome, and stays while one has none", async () => {
  await withFiles({}, (folder) => {
    const record = `${folder}/a.jsonl`;
    const names = () => Array.from(Deno.readDirSync(folder), ({ name }) => name);
    for (const [booked, left] of [[1, []], [0, ["a.jsonl.sent"]]] as const) {
      const sent = new SentTries(record);
      sent.add({ run: "a", booked: 0, model: "m", atMost: most(1) });
      sent.close(() => booked);
      assert.deepEqual(names(), left);
    }
    assert.ok(mayHaveLost(record));
    using _writer = LedgerWriter.open(`${record}.sent`);
    assert.ok(!mayHaveLost(record), "what another process has in flight was not killed");
    return Promise.resolve();
  });
});

Deno.test("fault 26: a torn last line was of a try that was not sent; fault 27: a changed one is named", async () => {
  await withFiles({}, async (folder) => {
    const record = `${folder}/a.jsonl`;
    const sent = new SentTries(record);
    for (const booked of [0, 1]) sent.add({ run: "a", booked, model: "m", atMost: most(booked) });
    const counts = () => 1;
    sent.close(counts);
    const text = await Deno.readTextFile(`${record}.sent`);
    await Deno.writeTextFile(`${record}.sent`, text.slice(0, -10));
    assert.deepEqual(lostTries(record, () => undefined).map(({ booked }) => booked), [0]);
    await Deno.writeTextFile(`${record}.sent`, text.replace('"promptTokens":1', '"promptTokens":0'));
    const { message } = await userErrorOf(Promise.try(() => lostTries(record, counts)));
    assert.match(
      message,
      /\/a\.jsonl\.sent: line 2 was changed since it was written; restore it from a copy, or remove/,
    );
  });
});
