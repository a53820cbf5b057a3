import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { accountRuns } from "@/runs/accounting.ts";
import { type Ledger, parseLedger, readLedger } from "@/runs/read_ledger.ts";
import { runCondition } from "@/runs/run_condition.ts";
import { condition, council, counting, LIVE, runsOf } from "./councils.ts";
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

/** A live ledger of runs whose lines are mixed, as it stands on disk when the command is over. */
const paid = (replicates: number, folder: string) =>
  runCondition(condition, {
    ...{ replicates, seed: 1, path: `${folder}/x.jsonl` },
    council: council(undefined, { ...LIVE, concurrency: 2 }),
  });

const cutTo = (path: string, kept: number, lines: readonly string[]) =>
  Deno.writeTextFile(path, lines.slice(0, kept).map((line) => `${line}\n`).join(""));

Deno.test("fault 27: lines that are missing off the end of a finished live ledger are named, however many, and nothing is asked again", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const sound = await paid(3, folder);
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    assert.deepEqual(sound.damaged, []);
    for (let kept = 1; kept < lines.length; kept++) {
      await cutTo(path, kept, lines);
      const found = await readLedger(path);
      const missing = lines.length - kept;
      assert.deepEqual(found.damaged.map(({ line }) => line), [kept + 1]);
      const which = missing === 1 ? "the last one" : `with ${missing - 1} behind it`;
      assert.ok(found.damaged[0]!.why.startsWith(`is missing, ${which}, as ${path}.lines says; restore the ledger `));
      for (const run of found.runs) assert.ok(run.closed ? !run.damaged : run.damaged, "an open run lost lines");
      const { council, requests } = counting(LIVE);
      const { message } = await userErrorOf(runCondition(condition, { replicates: 3, seed: 1, council, path }));
      assert.match(message, /x\.jsonl is damaged and is left as it is; [^]*\n {2}line \d+ is missing, /);
      assert.equal(requests.length, 0);
    }
    await cutTo(path, 0, lines);
    const { message } = await userErrorOf(paid(3, folder));
    assert.match(
      message,
      new RegExp(`x\\.jsonl holds nothing any more of ${lines.length} lines that it had, as .*\\.lines says`),
    );
    await cutTo(path, 12, lines);
    await Deno.remove(`${path}.lines`);
    assert.deepEqual(
      runsOf(await paid(3, folder)),
      runsOf(sound),
      "who takes the count away goes on without the lines",
    );
  });
});

Deno.test("a finished live ledger is extended with more replicates, and a cut back to its earlier end is named", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    await paid(2, folder);
    const short = await Deno.readTextFile(path);
    const long = await paid(4, folder);
    assert.equal(long.runs.filter(({ closed }) => closed).length, 4);
    assert.deepEqual((await readLedger(path)).damaged, []);
    const all = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, short);
    const [damage, ...more] = (await readLedger(path)).damaged;
    const [was, is] = [short, all].map((text) => text.trimEnd().split("\n").length) as [number, number];
    assert.deepEqual([damage!.line, more.length], [was + 1, 0]);
    assert.ok(damage!.why.includes(`with ${is - was - 1} behind it`), damage!.why);
  });
});

Deno.test("a count of lines holds from below: of a ledger that grew since, without a count, or half written it names nothing", async () => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    await paid(2, folder);
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    assert.equal(await Deno.readTextFile(`${path}.lines`), `${lines.length}\n`);
    for (
      const count of [`${lines.length}\n`, `${lines.length - 3}\n`, String(lines.length).slice(0, 1), "", "no number"]
    ) {
      await Deno.writeTextFile(`${path}.lines`, count);
      assert.deepEqual((await readLedger(path)).damaged, [], JSON.stringify(count));
    }
    await Deno.remove(`${path}.lines`);
    await cutTo(path, lines.length - 1, lines);
    assert.deepEqual((await readLedger(path)).damaged, [], "as of earlier versions");
  });
});

Deno.test("what programs wrote can be written again: no count stands beside it", async () => {
  await withFiles({}, async (folder) => {
    await runCondition(condition, { ...settings, council: council(), path: `${folder}/x.jsonl` });
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["x.jsonl"]);
  });
});
