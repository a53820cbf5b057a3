import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { strToU8, zipSync } from "fflate";
import { importConditions } from "@/lab/runs/import_conditions.ts";
import { importRuns } from "@/lab/runs/import_runs.ts";
import { withFiles } from "./with_files.ts";

const at = (name: string) => fileURLToPath(new URL(`./fixtures/records/${name}`, import.meta.url));
const specimens = (name: string) => [at(`${name}-1.json`), at(`${name}-2.json`)];

/**
 * The specimens tell one story: Ann and Bob choose a park or housing. In the first run Ann wants the park and then both
 * want housing; in the second both want the park, and Ann housing in the end. Shares of the park by run and round:
 */
const PARK = [[0.5, 0, 0], [1, 1, 0.5]];
const OPTIONS = ["park", "housing"];

const parkOf = ({ options, runs }: Awaited<ReturnType<typeof importRuns>>) =>
  runs.map(({ means }) => means.map((shares) => shares[options.indexOf("park")]));

for (const format of ["langgraph", "chatarena", "concordia"]) {
  Deno.test(`the mapping of ${format} reads its specimen: who speaks, what counts, who is no member`, async () => {
    const imported = await importRuns(specimens(format), format);
    assert.deepEqual([imported.agents, imported.options, imported.unread], [["Ann", "Bob"], OPTIONS, 1]);
    assert.deepEqual(parkOf(imported), PARK);
  });
}

Deno.test("messages: AutoGen's runs, a file each, and the option named last counts", async () => {
  const imported = await importRuns(specimens("autogen"), "messages", { options: OPTIONS });
  assert.deepEqual([imported.name, imported.agents, imported.unread], ["records", ["Ann", "Bob"], 1]);
  assert.deepEqual(parkOf(imported), PARK);
});

Deno.test("messages: runs as lines, as elements, and a file of messages a line are the same runs", async () => {
  const runs = await Promise.all(specimens("autogen").map(async (file) => JSON.parse(await Deno.readTextFile(file))));
  const lines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
  const files = {
    "lines.jsonl": lines(runs),
    "lists.jsonl": lines(runs.map(({ messages }) => messages)),
    "elements.json": JSON.stringify(runs),
    "folder/a.jsonl": lines(runs[0].messages),
    "folder/b.jsonl": lines(runs[1].messages),
  };
  await withFiles(files, async (folder) => {
    for (const name of ["lines.jsonl", "lists.jsonl", "elements.json", "folder"]) {
      const imported = await importRuns(`${folder}/${name}`, "messages", { options: OPTIONS });
      assert.deepEqual([parkOf(imported), imported.name], [PARK, name.replace(/\..*/, "")], name);
    }
    const both = await importConditions([`${folder}/folder`, `${folder}/lines.jsonl`], "messages", {
      options: OPTIONS,
    });
    assert.deepEqual(both.map(({ name, runs }) => [name, runs.length]), [["folder", 2], ["lines", 2]]);
  });
});

Deno.test("messages: short texts are options themselves, long ones need options, numbers a range", async () => {
  const chat = (...texts: string[]) => JSON.stringify(texts.map((content, i) => ({ name: "ab"[i % 2], content })));
  const files = {
    "short.json": chat("yes", "no", "no", "no"),
    "long.json": chat("I have thought about it for a long time: yes.", "no"),
    "number.json": chat("From 2 to 5 I say 25", "about -3, no: 62.5", "100", "0"),
    "nobody.json": JSON.stringify([{ content: "yes" }]),
    "system.json": JSON.stringify([{ role: "user", content: "A" }, { role: "assistant", content: "B" }]),
  };
  await withFiles(files, async (folder) => {
    const short = await importRuns(`${folder}/short.json`, "messages");
    assert.deepEqual([short.options, short.runs[0]!.means], [["no", "yes"], [[0.5, 0.5], [1, 0]]]);
    await assert.rejects(
      importRuns(`${folder}/long.json`, "messages"),
      /not clear; give the options .*--options yes,no/,
    );
    const number = await importRuns(`${folder}/number.json`, "messages", { range: [0, 100] });
    assert.deepEqual(number.runs[0]!.means.map(([, high]) => high), [0.4375, 0.5]);
    await assert.rejects(importRuns(`${folder}/nobody.json`, "messages"), /holds no list of messages/);
    const roles = await importRuns(`${folder}/system.json`, "messages");
    assert.deepEqual(roles.agents, ["assistant", "user"], "where roles are all names there are, a user is a member");
  });
});

Deno.test("messages: a number is read whole or not at all: 1,000 is not 0, 0,5 is not 5, and .5 is not 5", async () => {
  const texts = ["700", "I say 1,000", "0,5", ".5", "1e3"];
  const files = { "m.json": JSON.stringify(texts.map((content) => ({ name: "a", content }))) };
  await withFiles(files, async (folder) => {
    const { runs, unread } = await importRuns(`${folder}/m.json`, "messages", { range: [0, 1000] });
    assert.deepEqual([runs[0]!.means.map(([, high]) => high), unread], [[0.7, 0.7, 0.7, 0.0005, 1], 2]);
  });
});

Deno.test("inspect: a sample with an error is no run and is listed; a log without what was evaluated is refused", async () => {
  const log = JSON.parse(await Deno.readTextFile(at("inspect.json")));
  log.samples[2].error = { message: "rate limit", traceback: "" };
  const files = { "error.json": JSON.stringify(log), "eval.json": JSON.stringify({ ...log, eval: null }) };
  await withFiles(files, async (folder) => {
    const found = await importConditions(`${folder}/error.json`, "inspect", { options: OPTIONS });
    const yard = found.find(({ name }) => name.endsWith("yard"))!;
    assert.deepEqual(parkOf(yard), [PARK[0]]);
    assert.deepEqual(yard.excluded.map(({ cause }) => cause), ["broke off with an error (rate limit)"]);
    await assert.rejects(
      importConditions(`${folder}/eval.json`, "inspect", { options: OPTIONS }),
      /is no log of Inspect/,
    );
    await assert.rejects(importConditions("/dev/zero", "inspect", { options: OPTIONS }), /is no file and no folder/);
  });
});

Deno.test("inspect: a log that was cancelled or broken off is a condition of its own, and its name says so", async () => {
  const { status: _, ...log } = JSON.parse(await Deno.readTextFile(at("inspect.json")));
  const files = {
    "a.json": JSON.stringify({ ...log, status: "success" }),
    "b.json": JSON.stringify({ ...log, status: "cancelled" }),
    "c.json": JSON.stringify(log),
  };
  await withFiles(files, async (folder) => {
    const found = await importConditions(folder, "inspect", { options: OPTIONS });
    assert.deepEqual(found.map(({ name, runs }) => [name.slice("council, mockllm/model, ".length), runs.length]), [
      ["sample yard", 2],
      ["sample 2", 2],
      ["sample yard (cancelled)", 2],
      ["sample 2 (cancelled)", 2],
      ["sample yard (broken off)", 2],
      ["sample 2 (broken off)", 2],
    ]);
  });
});

Deno.test("csv: the file of a spreadsheet, which is a zip, is refused with the way out", async () => {
  await withFiles({ "t.xlsx": zipSync({ "xl/workbook.xml": strToU8("<x/>") }) }, async (folder) => {
    await assert.rejects(importRuns(`${folder}/t.xlsx`, "csv"), /t\.xlsx: is a zip or .* spreadsheet; save it as CSV/);
  });
});

Deno.test("csv: blanks around the name of a condition count for nothing", async () => {
  await withFiles({ "t.csv": "arm,run,round,agent,choice\nx,1,1,A,a\nx ,2,1,A,b\n" }, async (folder) => {
    const found = await importConditions(`${folder}/t.csv`, "csv");
    assert.deepEqual(found.map(({ name, runs }) => [name, runs.length]), [["x", 2]]);
  });
});

Deno.test("messages: an option is found as a word, the longest first, and a single letter in its own case", async () => {
  const chat = (...texts: string[]) => JSON.stringify(texts.map((content) => ({ name: "a", content })));
  const files = {
    "words.json": chat("no", "a noble yes", "New York", "York", "C++"),
    "letters.json": chat("I take A, not a B", "b or a? a"),
  };
  await withFiles(files, async (folder) => {
    const options = ["yes", "no", "York", "New York", "C++"];
    const words = await importRuns(`${folder}/words.json`, "messages", { options });
    const chosen = words.runs[0]!.means.map((shares) => options[shares.indexOf(1)]);
    assert.deepEqual(chosen, ["no", "yes", "New York", "York", "C++"]);
    const letters = await importRuns(`${folder}/letters.json`, "messages", { options: ["A", "B"] });
    assert.deepEqual([letters.runs[0]!.means, letters.unread], [[[0, 1], [0, 1]], 1]);
  });
});

/** The specimen as Inspect writes it into a zip, and a header. */
async function inspectZip({ version = 2, head = "header.json", indent = 0 } = {}): Promise<Uint8Array> {
  const { samples, ...header } = JSON.parse(await Deno.readTextFile(at("inspect.json")));
  const packed = (value: unknown) => strToU8(JSON.stringify(value, null, indent));
  const members = samples.map((sample: { id: string; epoch: number }) =>
    [`samples/${sample.id}_epoch_${sample.epoch}.json`, packed(sample)] as const
  );
  return zipSync({
    [head]: packed({ ...header, version }),
    "summaries.json": packed([]),
    ...Object.fromEntries(members),
  });
}

Deno.test("inspect: each sample is a condition, its epochs are the runs, in .json and .eval alike", async () => {
  const zips = {
    "log.eval": await inspectZip(),
    "early.eval": await inspectZip({ head: "_journal/start.json", indent: 2 }),
  };
  await withFiles(zips, async (folder) => {
    for (const log of [at("inspect.json"), `${folder}/log.eval`, `${folder}/early.eval`]) {
      const found = await importConditions(log, "inspect", { options: OPTIONS });
      const [yard, other] = found.toSorted((a, b) => b.name.localeCompare(a.name));
      assert.deepEqual([yard!.name, other!.name], [
        "council, mockllm/model, sample yard",
        "council, mockllm/model, sample 2",
      ]);
      assert.deepEqual([yard!.agents, parkOf(yard!), yard!.unread], [["Ann", "Bob"], PARK, 1]);
      assert.deepEqual(parkOf(other!), [PARK[1], PARK[1]], "two epochs that go alike are two runs");
      await assert.rejects(
        importRuns(log, "inspect", { options: OPTIONS }),
        /holds 2 conditions \(council, .*importCond/,
      );
    }
    const both = await importConditions([at("inspect.json"), `${folder}/log.eval`, `${folder}/early.eval`], "inspect", {
      options: OPTIONS,
    });
    assert.deepEqual(both.map(({ runs }) => runs.length).sort(), [2, 2, 4, 4], "logs of one task add up");
  });
});

Deno.test("inspect: a newer version, zstd inside the zip, and what is no log are said", async () => {
  const zstd = await inspectZip();
  // The method of each member stands in the zip twice: at byte 8 of its header, at byte 10 of its entry in the directory.
  for (let i = 0; i + 4 < zstd.length; i++) {
    const sign = zstd[i] === 0x50 && zstd[i + 1] === 0x4b ? zstd[i + 2]! : 0;
    if (sign === 3 || sign === 1) zstd[i + (sign === 3 ? 8 : 10)] = 93;
  }
  const newer = JSON.stringify({ ...JSON.parse(await Deno.readTextFile(at("inspect.json"))), version: 4 });
  const files = {
    "newer.eval": await inspectZip({ version: 3 }),
    "newer.json": newer,
    "zstd.eval": zstd,
    "other.json": "{}",
    "no.eval": "not a zip",
  };
  await withFiles(files, async (folder) => {
    const read = (name: string) => importConditions(`${folder}/${name}`, "inspect", { options: OPTIONS });
    await assert.rejects(read("newer.eval"), /newer\.eval: is a log of version 3, and versions up to 2 are read here/);
    await assert.rejects(read("newer.json"), /newer\.json: is a log of version 4/);
    await assert.rejects(read("zstd.eval"), /zstd\.eval: .* zstd.*, or write the log as JSON: inspect log convert/);
    await assert.rejects(read("other.json"), /other\.json: is no log of Inspect/);
    await assert.rejects(read("no.eval"), /no\.eval: is no log of Inspect/);
    await assert.rejects(importConditions(at("inspect.json"), "inspect"), /not clear; give the options of the vote/);
  });
});

Deno.test("csv: a spreadsheet's table of choices", async () => {
  const imported = await importRuns(at("votes.csv"), "csv");
  assert.deepEqual([imported.name, imported.agents, imported.options], ["votes", ["Ann", "Bob"], ["housing", "park"]]);
  assert.deepEqual(parkOf(imported), PARK);
});

const table = (header: string, ...rows: string[]) => [header, ...rows].join("\n");

Deno.test("csv: synonyms, separators, rounds from 0, rows in any order, shares and percent in columns", async () => {
  const rows = ["a,0,x,1,0", "a,1,x,0,1", "a,0,y,0,1", "a,1,y,0.5,0.5"];
  const files = {
    "plain.csv": table("run,round,agent,p.A,p.B", ...rows),
    "excel.csv": "\uFEFF" + table("Run ID;Step;Speaker;p.A;p.B", ...rows).replaceAll(",", ";").replaceAll("\n", "\r\n"),
    "tabs.tsv": table("replicate,t,player,p.A,p.B", ...rows.toReversed()).replaceAll(",", "\t")
      .replace("a\t1\ty", "a\t0\tz").replace("a\t0\tz", "a\t1\ty"),
    "percent.csv": table("run,round,agent,p.A,p.B", "a,0,x,100,0", "a,1,x,0,100", "a,0,y,0,100", "a,1,y,50,50"),
  };
  await withFiles(files, async (folder) => {
    for (const name of ["plain.csv", "excel.csv", "percent.csv"]) {
      const { options, agents, runs } = await importRuns(`${folder}/${name}`, "csv");
      assert.deepEqual([options, agents, runs.length], [["p.A", "p.B"], ["x", "y"], 1], name);
      assert.deepEqual(runs[0]!.means, [[0.5, 0.5], [0.25, 0.75]], name);
    }
    const tabs = await importRuns(`${folder}/tabs.tsv`, "csv", { choices: { "round.first": 0 } });
    assert.deepEqual(tabs.runs[0]!.means, [[0.5, 0.5], [0.25, 0.75]]);
  });
});

Deno.test("csv: a column condition parts conditions, options give their order, a range reads a number", async () => {
  const files = {
    "arms.csv": table("arm,run,round,agent,vote", "hot,1,1,x,no", "cold,1,1,x,yes", "hot,2,1,x,yes"),
    "scores.csv": table("run,round,agent,score,note", "1,1,x,25,5 stars", "2,1,x,75,none"),
  };
  await withFiles(files, async (folder) => {
    const arms = await importConditions(`${folder}/arms.csv`, "csv", { options: ["yes", "no"] });
    assert.deepEqual(arms.map(({ name, runs }) => [name, runs.map(({ means }) => means[0])]), [
      ["hot", [[0, 1], [1, 0]]],
      ["cold", [[1, 0]]],
    ]);
    const scores = await importRuns(`${folder}/scores.csv`, "csv", { range: [0, 100] });
    assert.deepEqual(scores.runs.map(({ means }) => means[0]), [[0.75, 0.25], [0.25, 0.75]]);
  });
});

for (
  const [what, text, message] of [
    [
      "no agent",
      table("run,round,choice", "1,1,a"),
      /line 1: no column says the agent \(agent, .*; the columns are run,/,
    ],
    [
      "two rounds",
      table("run,step,turn,agent,choice", "1,1,1,x,a"),
      /columns step and turn may each be the round; name one/,
    ],
    ["no choice", table("run,round,agent,why", "1,1,x,so"), /no column holds the choice .*; the other columns are why/],
    [
      "a row an option",
      table("run,round,agent,option,p", "1,1,x,a,1"),
      /has a row for each option \(option, p\); give/,
    ],
    ["nothing", "", /is empty/],
    [
      "a row without a condition",
      table("arm,run,round,agent,choice", "x,1,1,x,a", ",2,1,x,a"),
      /row 2 after the header/,
    ],
    ["numbers with a comma", table("run;round;agent;A;B", "1;1;x;0,5;0,5"), /write numbers with a point, not a comma/],
    ["a missing vote", table("run,round,agent,choice", "1,1,x,NA"), /line 2: run 1: .*"NA" is how programs write/],
    ["no name of a condition", table("arm,run,round,agent,choice", ",1,1,x,a"), /the column arm is empty; name it/],
    ["a gap", table("run,round,agent,choice", "1,1,x,a", "1,1,y,a", "1,2,x,a"), /round 2, agent y: .*choice: hold/],
    ["an agent twice", table("run,round,agent,choice", "1,1,x,a", "1,1,x,b"), /round 1, agent x: .*choice: repeated/],
    [
      "a bad share",
      table("run,round,agent,A,B", "1,1,x,0.5,0.5", "1,2,x,0.5,1.5"),
      /line 3.*round 2, agent x: .*are not shares that sum to 1/,
    ],
  ] as const
) {
  Deno.test(`csv: a table with ${what} is refused, saying what to change`, async () => {
    await withFiles({ "t.csv": text }, async (folder) => {
      await assert.rejects(importRuns(`${folder}/t.csv`, "csv"), { name: "UserError", message });
    });
  });
}
