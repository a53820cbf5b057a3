import assert from "node:assert/strict";
import { runStationBatch } from "@/live/station_batch.ts";
import { quoteFlaws, quoteTable, type StationQuote, verifyQuotes } from "@/runs/station_quotes.ts";
import { RULES } from "@/station/rules.ts";
import { council, named } from "./station_rooms.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const chat = council((role) => `${role} says “no”: a "plan"\nis not a list.`);
const councils = [named("room", chat), named("none", "none")];
const run = "room_seed109";
const said = 'C3_ENGINEER says “no”: a "plan"\nis not a list.';

/** Calls `use` with a batch of two runs. */
const withBatch = (use: (root: string) => Promise<void>) =>
  withFiles({}, async (root) => {
    await runStationBatch({ seeds: [109], rulesets: ["v2"] }, { out: root, councils });
    await use(root);
  });

const wanted = [
  { run, excerpt: said },
  { run, excerpt: RULES.texts.rumors[0]! },
  { run: "none_seed109", excerpt: "gather behind one plan" },
];

Deno.test("quoteTable() finds source, entity, file and line, also of words that JSON escapes; verifyQuotes() agrees", async () => {
  await withBatch(async (root) => {
    const table = await quoteTable(wanted, root);
    assert.deepEqual(table.map(({ source, entity, file }) => [source, entity, file]), [
      ["synthetic output", "C3_ENGINEER", "model_calls.jsonl"],
      ["scripted event", "X1_RUMOR", "events.jsonl"],
      ["scripted broadcast", "C1_COMMAND", "events.jsonl"],
    ]);
    for (const { run, file, line, excerpt } of table) {
      const text = (await Deno.readTextFile(`${root}/${run}/${file}`)).split("\n")[line - 1]!;
      assert.ok(text.includes(excerpt.split('"')[0]!), text.slice(0, 200));
    }
    await verifyQuotes(table, root);
  });
});

Deno.test("a quotation fails on any changed character, line, entity, file or kind", async () => {
  await withBatch(async (root) => {
    const [quote] = await quoteTable(wanted, root) as [StationQuote];
    const spoilt = [...said].map((letter, i) => ({
      ...quote,
      excerpt: said.slice(0, i) + (letter === "x" ? "y" : "x") + said.slice(i + 1),
    }));
    assert.equal((await quoteFlaws([quote, ...spoilt], root)).length, said.length);
    const changes: [Partial<StationQuote>, RegExp][] = [
      [{ excerpt: said.replace("“no”", '"no"') }, /these words are not on that line/],
      [{ excerpt: `${said} ` }, /these words are not on that line/],
      [{ line: quote.line + 1 }, /these words are not on that line/],
      [{ line: 9999 }, /that line holds no one's words/],
      [{ file: "events.jsonl" }, /no one's words|not on that line/],
      [{ entity: "C1_COMMAND" }, /they are C3_ENGINEER's, not C1_COMMAND's/],
      [{ source: "model output" }, /they are synthetic output, not model output/],
    ];
    for (const [change, message] of changes) {
      const [flaw, ...more] = await quoteFlaws([{ ...quote, ...change }], root);
      assert.match(flaw!, message);
      assert.deepEqual(more, []);
      assert.match((await userErrorOf(verifyQuotes([quote, { ...quote, ...change }], root))).message, message);
    }
  });
});

Deno.test("a quotation fails when a character of the run's own record was changed", async () => {
  await withBatch(async (root) => {
    const table = await quoteTable(wanted.slice(0, 1), root);
    const path = `${root}/${run}/model_calls.jsonl`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("is not a list", "is not a lust"));
    assert.match(
      (await userErrorOf(verifyQuotes(table, root))).message,
      /model_calls\.jsonl: line 1 was changed since it was written/,
    );
  });
});

Deno.test("words that nobody said are not found, and a run's name leads out of no folder", async () => {
  await withBatch(async (root) => {
    const missing = quoteTable([{ run, excerpt: "C3_ENGINEER says maybe" }, { run, excerpt: "" }], root);
    assert.match(
      (await userErrorOf(missing)).message,
      /^"C3_ENGINEER says maybe" is nowhere in .*room_seed109\n"" is nowhere/,
    );
    const outside = quoteTable([{ run: "../room_seed109", excerpt: "x" }], root);
    assert.match((await userErrorOf(outside)).message, /cannot be the name of a run/);
  });
});
