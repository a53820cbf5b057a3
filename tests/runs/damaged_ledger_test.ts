import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { accountRuns } from "@/runs/accounting.ts";
import { type Ledger, parseLedger } from "@/runs/read_ledger.ts";
import { runCondition } from "@/runs/run_condition.ts";
import { condition, council, counting, runsOf } from "./councils.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

/** Ledgers with lines that are not as they were written: each is named, and runs of other lines stay as they were. */

const settings = { replicates: 4, seed: 1 };

/** Four runs, two under way at once, so that their lines are mixed. */
const text = await ledgerText();
const whole = parseLedger(text, "x.jsonl");
const bytes = new TextEncoder().encode(text);
const lines = text.trimEnd().split("\n");

async function ledgerText(): Promise<string> {
  let written = "";
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    await runCondition(condition, { ...settings, council: council(undefined, { concurrency: 2 }), path });
    written = await Deno.readTextFile(path);
  });
  return written;
}

const complete = ({ runs }: Ledger) => runs.filter(({ damaged, closed }) => !damaged && closed);
const eventsOf = ({ runs }: Ledger, replicate: number) => runs.find((run) => run.replicate === replicate)!.events;

/** What is wrong with a ledger, or the message with which it is refused whole. */
function read(content: string | Uint8Array): Ledger | string {
  try {
    return parseLedger(content, "x.jsonl");
  } catch (error) {
    return (error as Error).message;
  }
}

Deno.test("fault 27: of 1,500 flipped bits none is read as something else, and the other runs can be used", () => {
  const rng = createRng(27);
  const refused: string[] = [];
  for (let i = 0; i < 1500; i++) {
    const spoilt = bytes.slice();
    const at = rng.int(bytes.length);
    const bit = rng.int(8);
    spoilt[at]! ^= 1 << bit;
    const found = read(spoilt);
    if (typeof found === "string") {
      refused.push(found);
      continue;
    }
    const line = text.slice(0, at).split("\n").length;
    const where = `bit ${bit} of byte ${at}, line ${line}`;
    const named = found.damaged.length > 0 || found.torn !== undefined;
    if (!named) assert.deepEqual(found.runs, whole.runs, `${where} is read as something else`);
    for (const { replicate, events } of complete(found)) {
      assert.deepEqual(events, eventsOf(whole, replicate), `${where}: replicate ${replicate}`);
    }
    assert.ok(complete(found).length >= 2, `${where} spoils more than the runs it is in`);
  }
  assert.ok(
    refused.every((message) => /^x\.jsonl: line 1 /.test(message)),
    "without its declaration nothing can be read",
  );
});

Deno.test("fault 27: a line that is missing, doubled, exchanged or put elsewhere is named, and its run counts for nothing", () => {
  const rng = createRng(28);
  const edits: Record<string, (list: string[], i: number) => string[]> = {
    missing: (list, i) => list.toSpliced(i, 1),
    doubled: (list, i) => list.toSpliced(i, 0, list[i]!),
    exchanged: (list, i) => [...list.slice(0, i), list[i + 1]!, list[i]!, ...list.slice(i + 2)],
    "put elsewhere": (list, i) => [...list.toSpliced(i, 1).slice(0, 3), list[i]!, ...list.toSpliced(i, 1).slice(3)],
  };
  for (const [name, edit] of Object.entries(edits)) {
    for (let n = 0; n < 50; n++) {
      const i = 5 + rng.int(lines.length - 7);
      const found = read(`${edit(lines, i).join("\n")}\n`);
      assert.ok(typeof found !== "string" && found.damaged.length > 0, `line ${i + 1} ${name}`);
      for (const { replicate, events } of complete(found)) assert.deepEqual(events, eventsOf(whole, replicate));
    }
  }
});

Deno.test("a run of damaged lines is missing from the accounting by that cause", () => {
  const found = read(text.replace('"kind":"run.decided"', '"kind":"run.decides"'));
  assert.ok(typeof found !== "string");
  assert.deepEqual(accountRuns(found).causes, { damaged: 1 });
  assert.equal(found.damaged[0]!.line, lines.findIndex((line) => line.includes('"run.decided"')) + 1);
});

Deno.test("a damaged ledger is not gone on with: it is named and stays as it is", async () => {
  const spoilt = lines.slice(0, -1).join("\n").replace('"confidence":', '"confidense":') + "\n";
  await withFiles({ "x.jsonl": spoilt }, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const { council, requests } = counting();
    const { message } = await userErrorOf(runCondition(condition, { ...settings, council, path }));
    assert.match(
      message,
      /x\.jsonl is damaged and is left as it is; restore it from a copy, or use another --out\.\n {2}line \d+ /,
    );
    assert.equal(await Deno.readTextFile(path), spoilt);
    assert.equal(requests.length, 0);
  });
});

Deno.test("a ledger is gone on with under the same chain of checksums", async () => {
  await withFiles({ "x.jsonl": `${lines.slice(0, 20).join("\n")}\n` }, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const ledger = await runCondition(condition, { ...settings, council: council(), path });
    assert.deepEqual(ledger.damaged, []);
    assert.deepEqual(runsOf(ledger), runsOf(whole));
    const numbers = (await Deno.readTextFile(path)).trimEnd().split("\n").map((line) => JSON.parse(line).n);
    assert.deepEqual(numbers, numbers.map((_, i) => i + 1));
  });
});
