import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { toCsv } from "@/core/text.ts";
import { inertJson } from "@/core/inert_json.ts";
import { progress } from "@/lab/notebook/progress.ts";
import { textTable } from "@/lab/notebook/table.ts";
import { writeTo } from "@/record/terminal.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { runCondition } from "@/lab/live/run_condition.ts";
import { council } from "../lab/runs/councils.ts";
import { outcome } from "../lab/tools/command.ts";
import { withFiles } from "../lab/runs/with_files.ts";

/** Escape, bell, C1 sequences, NUL, delete, direction and invisible tags: what a terminal obeys, or hides. */
const ODD = [
  "\x1b[2J",
  "\x1b]0;owned\x07",
  "\x9b31m",
  "\x9d0;x\x9c",
  "\0",
  "\x7f",
  "\b",
  "\r",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u{e0041}",
];
const OBEYED = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u;
const odd = fc.array(fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: "binary" })), { maxLength: 6 }).map((parts) =>
  parts.join("")
);
/** Line breaks, tabs, soft hyphens and joiners are words' own. */
const obeyed = (text: string) => OBEYED.test(text.replace(/[\n\t\u00ad\u200c\u200d]/g, ""));

function written(write: () => void): string {
  const { stderr } = process, before = stderr.write;
  let all = "";
  stderr.write = ((text: string) => (all += text, true)) as typeof stderr.write;
  try {
    write();
  } finally {
    stderr.write = before;
  }
  return all;
}

Deno.test("nothing in a text commands the terminal that it is written to; sequences of our own do", () => {
  fc.assert(fc.property(odd, (text) => assert.ok(!obeyed(written(() => writeTo("stderr", text))))));
  assert.equal(written(() => writeTo("stderr", "a\x1b[2J", "\r\x1b[K")), "\r\x1b[Ka⟨U+001B⟩[2J");
});

Deno.test("JSON lines are printed without a character that commands, and hold the same value", () => {
  fc.assert(fc.property(odd, odd, (key, value) => {
    const record = Object.fromEntries([[key, value]]), line = inertJson(record);
    assert.ok(!obeyed(line) && !line.includes("\n"));
    assert.equal(JSON.stringify(JSON.parse(line)), JSON.stringify(record));
  }));
});

Deno.test("a table's cells neither break its rows nor command, and stay aligned", () => {
  fc.assert(fc.property(odd, (name) => {
    const [head, row, ...more] = textTable([["run", "q"], [name, "1"]]).split("\n");
    assert.deepEqual([more, obeyed(row!), head!.length], [[], false, row!.length]);
  }));
});

Deno.test("a CSV file holds no control and no invisible character of a name", () => {
  fc.assert(fc.property(odd, (name) => assert.ok(!obeyed(toCsv([{ name }])))));
  assert.equal(toCsv([{ name: "a\x1b]0;x\x07\0b" }]), "name\na⟨U+001B⟩]0;x⟨U+0007⟩⟨U+0000⟩b\n");
});

Deno.test("the label of a progress commands nothing", async () => {
  let shown = "", time = 0;
  const write = (text: string) => void (shown += text);
  const bar = await progress("\x1b]0;x\x07", 2, { now: () => time += 2000, write, rewrite: true });
  await bar.advance();
  await bar.finish();
  assert.ok(shown.length > 0 && !obeyed(shown));
});

/** Writes of a process that bypass `writeTo`, and the files that may have them. */
const WRITES = /std(out|err)\.writ|process\[stream\]|console\.\w+\(/;
const OWN: readonly string[] = [
  ...["record/terminal.ts", "stats/kernel/kernel.ts"],
  // Inert by themselves: blocks at the reader's pace, and a warning that a notebook shows.
  ...["lab/tools/score.ts", "lab/runs/summary_files.ts"],
  // The frames between a notebook's process and its runner.
  "lab/tools/notebooks/capture.ts",
  // Code that a page shows its reader.
  ...["lab/explorer/rescore/state.ts", "lab/explorer/committee/state.ts"],
];

Deno.test("all that is printed goes through one function", async () => {
  const lib = fileURLToPath(new URL("../../lib/", import.meta.url)), found: string[] = [];
  for await (const path of sources(lib)) {
    if (WRITES.test(await Deno.readTextFile(path))) found.push(path.slice(lib.length));
  }
  assert.deepEqual(found.sort(), OWN.toSorted());
});

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* sources(path);
    else if (name.endsWith(".ts")) yield path;
  }
}

const NAME = "\x1b]0;owned\x07\x9b2J\u202e";

Deno.test("commands print odd names of files, models and runs so that they can be read, as text, JSON, CSV and error", async () => {
  const preserved = new URL("../../data/preserved/station/station-floor.jsonl", import.meta.url);
  const [first = ""] = (await Deno.readTextFile(preserved)).split("\n");
  const run = JSON.stringify({ ...JSON.parse(first), run_id: `a${NAME}` });
  const plan = await loadCondition({ scenario: "HL-01", agents: 2, rounds: 5 });
  const condition = { ...plan, seats: plan.seats.map((seat) => ({ ...seat, model: NAME })) };
  await withFiles({ "s.jsonl": `${run}\n` }, async (folder) => {
    const path = `${folder}/${NAME}.jsonl`, summaries = `${folder}/s.jsonl`;
    await runCondition(condition, { path, council: council(), replicates: 2, seed: 1 });
    const quick = [path, "--resamples", "20", "--permutations", "20"];
    const printed = async (code: number, name: Parameters<typeof outcome>[0], ...args: readonly string[]) => {
      const { stdout, stderr, ...ran } = await outcome(name, args);
      assert.equal(ran.code, code, stderr);
      assert.ok(
        stdout + stderr !== "" && !obeyed(stdout + stderr),
        `${name} ${args}: ${JSON.stringify(stdout + stderr)}`,
      );
      return stdout;
    };
    assert.equal(JSON.parse(await printed(0, "measure", ...quick, "--json")).file, path);
    assert.match(await printed(0, "measure", ...quick, "--csv", "-"), /⟨U\+001B⟩\]0;owned⟨U\+0007⟩/);
    await printed(0, "measure", ...quick, "--verbose");
    await printed(0, "measure", ...quick, "--csv", `${folder}/tables`);
    for await (const { name } of Deno.readDir(`${folder}/tables`)) {
      assert.ok(!obeyed(await Deno.readTextFile(`${folder}/tables/${name}`)), name);
    }
    await printed(0, "score", summaries);
    assert.equal(JSON.parse(await printed(0, "score", summaries, "--json")).run_id, `a${NAME}`);
    await printed(0, "score", summaries, "--csv");
    await printed(0, "export", path, "--out", `${folder}/out${NAME}`);
    for (const name of ["measure", "score"] as const) await printed(1, name, `${folder}/none${NAME}`);
    for (const name of ["list", "run"] as const) await printed(2, name, `none${NAME}`);
  });
});
