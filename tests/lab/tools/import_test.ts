import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { withFiles } from "../runs/with_files.ts";
import { assertFailed, outcome } from "./command.ts";

const at = (name: string) => fileURLToPath(new URL(`../runs/fixtures/records/${name}`, import.meta.url));
const quick = ["--resamples", "200", "--permutations", "20"];
const short = ["--from", "1", "--to", "3", ...quick];

/** D of the specimens' two runs by round: shares of the park .5 and 1, 0 and 1, 0 and .5; times √2 for two options. */
const D = [0.5, 1, 0.5].map((gap) => Math.SQRT2 * gap);
const isD = (found: readonly number[]) => found.forEach((d, t) => assert.ok(Math.abs(d - D[t]!) < 1e-12, `${found}`));

Deno.test("import writes plain runs that measure reads, with the numbers of measure --from and --source", async () => {
  await withFiles({}, async (out) => {
    const imported = await outcome("import", ["--from", "csv", at("votes.csv"), "--out", out]);
    assert.deepEqual([imported.code, imported.stdout], [0, `${out}/votes.jsonl\n`]);
    assert.equal(imported.stderr, "import: votes: 2 runs, 3 rounds, 2 agents, 2 options\n");
    const mapped = await outcome("import", [
      ...["--source", "langgraph", at("langgraph-1.json"), at("langgraph-2.json"), "--out", out],
    ]);
    assert.match(
      mapped.stderr,
      /^import: LangGraph: .*: 2 runs, 3 rounds, 2 agents, 2 options, 1 turn without a readable/,
    );
    const [plain, direct, source] = await Promise.all([
      outcome("measure", [`${out}/votes.jsonl`, "--json", ...short]),
      outcome("measure", ["--from", "csv", at("votes.csv"), "--json", ...short]),
      outcome("measure", [mapped.stdout.trim(), "--json", ...short]),
    ]);
    for (const { code, stdout, stderr } of [plain, direct, source]) {
      assert.equal(code, 0, stderr);
      isD(JSON.parse(stdout).D);
    }
    const [{ file: _plain, ...a }, { file: _direct, ...b }] = [plain, direct].map(({ stdout }) => JSON.parse(stdout));
    assert.deepEqual(a, b);
    assert.deepEqual([a.name, a.groups.p > 0, a.unread, a.carried], ["votes", true, 0, 0]);
  });
});

Deno.test("import writes a file for each condition, replaces its own files and no other", async () => {
  await withFiles({ "council, mockllm-model, sample 2.jsonl": "mine\n" }, async (out) => {
    const call = (to: string) =>
      outcome("import", ["--from", "inspect", at("inspect.json"), "--options", "park,housing", "--out", to]);
    const [refused, first] = [await call(out), await call(`${out}/new`)];
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /sample 2\.jsonl is no import of ours and stays as it is/);
    assert.equal(await Deno.readTextFile(`${out}/council, mockllm-model, sample 2.jsonl`), "mine\n");
    const names = first.stdout.trimEnd().split("\n").map((path) => path.slice(`${out}/new/`.length));
    assert.deepEqual(names, ["council, mockllm-model, sample yard.jsonl", "council, mockllm-model, sample 2.jsonl"]);
    const before = await Deno.readTextFile(`${out}/new/${names[0]}`);
    assert.equal((await call(`${out}/new`)).code, 0);
    assert.equal(await Deno.readTextFile(`${out}/new/${names[0]}`), before);
    await Deno.writeTextFile(`${out}/new/${names[0]}`, before.split("\n", 1)[0]!);
    const replaced = await call(`${out}/new`);
    assert.match(replaced.stderr, /yard\.jsonl: replaces other runs of an earlier import/);
    assert.doesNotMatch(replaced.stderr, /sample 2\.jsonl: replaces/);
  });
});

Deno.test("import --print prints a mapping that --source reads, and --set changes its choices", async () => {
  const printed = await outcome("import", ["--from", "csv", "--print", at("votes.csv"), "--set", "round.first=0"]);
  const mapping = JSON.parse(printed.stdout);
  assert.deepEqual([mapping.schema, mapping.run, mapping.round.first], ["run-source/2", "run", 0]);
  await withFiles({ "map.json": printed.stdout }, async (folder) => {
    const read = await outcome("measure", [
      ...["--source", `${folder}/map.json`, at("votes.csv"), "--set", "round.first=1", "--json", ...short],
    ]);
    assert.equal(read.code, 0, read.stderr);
    isD(JSON.parse(read.stdout).D);
  });
});

Deno.test("measure --from reads messages and logs, says what was not read, and tells formats from first rounds", async () => {
  const options = ["--options", "park,housing"];
  const [autogen, inspect, twice, csv] = await Promise.all([
    outcome("measure", ["--from", "messages", at("autogen-1.json"), at("autogen-2.json"), ...options, ...short]),
    outcome("measure", ["--from", "inspect", at("inspect.json"), ...options, "--verbose", ...short]),
    outcome("measure", ["--from", "csv", "--from", "inspect", at("votes.csv")]),
    outcome("measure", ["--from", "csv", at("votes.csv"), "--csv", "-", ...short]),
  ]);
  assert.equal(autogen.code, 0, autogen.stderr);
  assert.match(autogen.stdout, /\nrecords .* 1-3 of 3 +1 turn without a readable state\n$/);
  assert.match(inspect.stdout, /sample yard: 2 runs, 3 rounds, 2 options\n/);
  assert.match(inspect.stdout, /sample 2: 2 runs, 3 rounds, 2 options\n {2}lambda none \(all runs are equal\)/);
  assertFailed(twice, 2, /--from takes one format and one first round/);
  assert.match(csv.stdout, /\nvotes,,,,,,,,2,,3?,/);
});

Deno.test("measure gives beta of what was said alone only where agents are silent in some rounds", async () => {
  const rows = (await Deno.readTextFile(at("votes.csv"))).trimEnd().split("\n");
  await withFiles({
    "silent.csv": rows.filter((row) => row !== "1,3,Bob,housing" && row !== "2,3,Bob,park").join("\n"),
  }, async (folder) => {
    const [all, silent] = await Promise.all([
      outcome("measure", ["--from", "csv", at("votes.csv"), "--json", ...short]),
      outcome("measure", ["--from", "csv", `${folder}/silent.csv`, "--set", "hold=last", "--json", ...short]),
    ]);
    assert.ok(!("convergenceSaid" in JSON.parse(all.stdout)), "what is said is what is held");
    const { convergence, convergenceSaid } = JSON.parse(silent.stdout);
    // Shares of the park by round, held: .5, 0, 0 and 1, 1, .5. Deviations ±.25, ±.5, ±.25: β = .25 / .5 − 1.
    assert.ok(Math.abs(convergence.beta + 0.5) < 1e-12);
    // Said alone, both runs end on housing: β = 0 / .5 − 1.
    assert.ok(Math.abs(convergenceSaid.beta + 1) < 1e-12);
  });
});

Deno.test("import and measure say which flags do not fit, and which choice lets records pass", async () => {
  const votes = at("votes.csv"), rows = (await Deno.readTextFile(votes)).trimEnd().split("\n");
  await withFiles({ "cut.csv": rows.slice(0, -2).join("\n") }, async (folder) => {
    const [none, both, options, early, carried, unknown, paths, out, choice, dash] = await Promise.all([
      outcome("import", [votes, "--out", folder]),
      outcome("import", ["--from", "csv", "--source", "x.json", votes, "--out", folder]),
      outcome("import", ["--source", "langgraph", "--options", "a,b", votes, "--out", folder]),
      outcome("measure", ["--from", "csv", `${folder}/cut.csv`, ...short]),
      outcome("measure", ["--from", "csv", `${folder}/cut.csv`, "--set", "ended=carry", "--verbose", ...short]),
      outcome("import", ["--from", "inspct", votes, "--out", folder]),
      outcome("import", ["--from", "csv", "--out", folder]),
      outcome("import", ["--from", "csv", votes]),
      outcome("import", ["--from", "csv", votes, "--set", "ended", "--out", folder]),
      outcome("measure", ["--from", "csv", "-"]),
    ]);
    assertFailed(none, 2, /say how to read the records: --source MAPPING or --from FORMAT/);
    assertFailed(both, 2, /give --source or --from, not both/);
    assertFailed(options, 2, /--options belongs to --from csv, inspect, messages/);
    assertFailed(early, 1, /cut\.csv.*run 2: ends at round 2 of 3; choice: ended/);
    assert.match(carried.stdout, /\n {2}1 run ended early and keeps its last state\n$/);
    assertFailed(unknown, 2, /unknown format "inspct": did you mean inspect/);
    assertFailed(paths, 2, /name the records/);
    assertFailed(out, 2, /--out is missing/);
    assertFailed(choice, 2, /--set must be CHOICE=VALUE, such as ended=carry; got "ended"/);
    assertFailed(dash, 2, /standard input holds one JSON array/);
  });
  const help = await outcome("import", ["--help"]);
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  for (
    const word of ["--source", "--from", "--options", "--range", "--set", "--out", "--print", "run-source/2", "hold"]
  ) {
    assert.ok(help.stdout.includes(word), word);
  }
});
