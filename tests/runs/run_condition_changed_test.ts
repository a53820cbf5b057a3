import assert from "node:assert/strict";
import { codeHash } from "@/runs/provenance.ts";
import { runCondition } from "@/runs/run_condition.ts";
import { condition, counting, runsOf } from "./councils.ts";
import { resealed } from "./ledgers.ts";
import { withFiles } from "./with_files.ts";

const settings = { replicates: 2, seed: 1, fresh: "if-changed" } as const;

Deno.test("what nothing has changed of is not made again, and a larger plan is only added to", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/a.jsonl`;
    const { council, requests } = counting();
    const first = await runCondition(condition, { ...settings, council, path });
    const asked = requests.length;
    const again = await runCondition(condition, { ...settings, council, path });
    assert.equal(requests.length, asked);
    assert.deepEqual(again, first);
    const more = await runCondition(condition, { ...settings, council, path, replicates: 3 });
    assert.deepEqual(runsOf(more).slice(0, 2), runsOf(first));
    assert.equal(more.runs.length, 3);
    const fewer = await runCondition(condition, { ...settings, council, path, replicates: 1 });
    assert.deepEqual([fewer.declaration.target, fewer.runs.map(({ replicate }) => replicate)], [1, [0]]);
  });
});

for (
  const [what, change, words] of [
    ["seed", { seed: 2 }, /is made again\. seed: ledger 1, now 2$/],
    ["council", { council: counting({ identity: "other" }).council }, /council: ledger test, now other$/],
  ] as const
) {
  Deno.test(`another ${what} makes the runs again, and is named`, async () => {
    await withFiles({}, async (folder) => {
      const path = `${folder}/a.jsonl`;
      const { council } = counting();
      await runCondition(condition, { ...settings, council, path });
      const told: string[] = [];
      const onNotice = (message: string) => void told.push(message);
      const after = await runCondition(condition, { ...settings, council, path, ...change, onNotice });
      assert.equal(told.length, 1);
      assert.match(told[0]!, words);
      assert.deepEqual(after.runs.map(({ replicate }) => replicate), [0, 1]);
    });
  });
}

Deno.test("other code, or a ledger that cannot be read, makes the runs again, and is named", async () => {
  for (
    const [spoil, words] of [
      [
        (text: string) => resealed(text.replaceAll(`"code":"${codeHash()}"`, '"code":"0123456789ab"')),
        /code: ledger 0123456789ab/,
      ],
      [(text: string) => text.replace('"kind":"event"', '"kind":"evenr"'), /line 2 is out of form/],
    ] as const
  ) {
    await withFiles({}, async (folder) => {
      const path = `${folder}/a.jsonl`;
      const { council } = counting();
      const before = await runCondition(condition, { ...settings, council, path });
      const text = await Deno.readTextFile(path);
      assert.notEqual(spoil(text), text);
      await Deno.writeTextFile(path, spoil(text));
      const told: string[] = [];
      const after = await runCondition(condition, { ...settings, council, path, onNotice: (m) => void told.push(m) });
      assert.match(told.join(), words);
      assert.deepEqual(runsOf(after), runsOf(before));
    });
  }
});

Deno.test("two that need the same ledger at once: one makes it, the other waits and reads", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/a.jsonl`;
    const { council, requests } = counting();
    const [first, second] = await Promise.all(
      [0, 1].map(() => runCondition(condition, { ...settings, council, path })),
    );
    assert.deepEqual(second, first);
    const alone = counting();
    await runCondition(condition, { ...settings, council: alone.council, path: `${folder}/b.jsonl` });
    assert.equal(requests.length, alone.requests.length);
  });
});
