import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { runsOf } from "@/record/mod.ts";
import { runStationBatch } from "@/lab/live/station_batch.ts";
import { council, named } from "../runs/station_rooms.ts";
import { declared, textOf, wholeRun } from "../runs/ledgers.ts";
import { withFiles } from "../runs/with_files.ts";
import { assertFailed, outcome } from "./command.ts";

const NAME = "HL-01__T0.0__N2__rolesTrue__R1";
const LINES = [declared({ target: 1 }), ...wholeRun(0)];
const flags = ["--json", "--from", "1", "--resamples", "200", "--permutations", "20"];

/** Five runs of six rounds, as the command records them. */
const run = async (out: string) => {
  const short = ["--scenario", "IM-01", "--rounds", "6", "--replicates", "5"];
  return JSON.parse((await outcome("run", [...short, "--out", `${out}/runs`])).stdout);
};

Deno.test("a table and a log that export wrote give the slope of their ledger to the last digit, and its decisions", async () => {
  await withFiles({}, async (out) => {
    const { ledger, name, decided } = await run(out);
    const [table, log] = (await Promise.all(
      ["csv", "inspect"].map((as) => outcome("export", [ledger, "--as", as, "--out", `${out}/${as}`])),
    )).map(({ stdout }) => stdout.trimEnd());
    assert.equal(table, `${out}/csv/${name}.csv`);
    const [first] = (await Deno.readTextFile(ledger)).split("\n");
    const time = JSON.parse(first!).at.slice(0, 19).replaceAll(":", "-");
    assert.ok(log!.startsWith(`${out}/inspect/${time}+00-00_IM-01-`) && /_[0-9a-f]{22}\.json$/.test(log!), String(log));
    const reader = fileURLToPath(new URL("../../../data/examples/inspect_log.ts", import.meta.url));
    const all = await Promise.all([
      outcome("measure", [ledger, ...flags]),
      outcome("measure", [table!, ...flags]),
      outcome("measure", ["--reader", reader, log!, ...flags]),
    ]);
    const [ours, ...read] = all.map(({ stdout, stderr }) => stdout ? JSON.parse(stdout) : stderr);
    assert.equal(typeof ours.lambda, "number");
    for (const { lambda, low, high, D, convergence, groups } of read) {
      assert.deepEqual({ lambda, low, high, D, convergence }, {
        ...{ lambda: ours.lambda, low: ours.low, high: ours.high, D: ours.D, convergence: ours.convergence },
      });
      // A ledger's agents are exchanged by draws of its own.
      assert.deepEqual(groups, read[0].groups);
    }
    const { default: logged } = await import(new URL(`file://${reader}`).href);
    assert.deepEqual(runsOf(logged(log)).runs.map(({ decision }) => decision), decided.decisions);
  });
});

Deno.test("export --as inspect writes a log for each council of a batch", async () => {
  await withFiles({}, async (out) => {
    const councils = [named("room", council()), named("none", "none")];
    await runStationBatch({ seeds: [104, 109], rulesets: ["v2"] }, { out: `${out}/batch`, councils });
    const { stdout, stderr } = await outcome("export", ["--as", "inspect", `${out}/batch`, "--out", `${out}/logs`]);
    const names = stdout.trimEnd().split("\n").map((path) => /_([a-z]+-v2)_\w+\.json$/.exec(path)?.[1]);
    assert.deepEqual(names.sort(), ["none-v2", "room-v2"], stderr);
  });
});

Deno.test("export --as inspect replaces no file, and needs a ledger", async () => {
  await withFiles({ "ledger.jsonl": textOf(LINES), "runs.jsonl": "{}\n" }, async (folder) => {
    const write = () => outcome("export", ["--as", "inspect", `${folder}/ledger.jsonl`, "--out", `${folder}/new`]);
    const log = (await write()).stdout.trimEnd();
    await Deno.writeTextFile(log, "mine");
    const [there, records, missing, both] = await Promise.all([
      write(),
      outcome("export", ["--as", "inspect", `${folder}/runs.jsonl`, "--out", `${folder}/new`]),
      outcome("export", ["--to", "inspect", `${folder}/none.jsonl`, "--out", `${folder}/new`]),
      outcome("export", ["--as", "csv", "--to", "inspect", `${folder}/ledger.jsonl`, "--out", `${folder}/new`]),
    ]);
    assertFailed(there, 1, /rolesTrue-R1_\w+\.json is there already; name another folder/);
    assert.equal(await Deno.readTextFile(log), "mine");
    assertFailed(records, 1, /runs\.jsonl: line 1 has schema none, this library reads "deliberation-ledger/);
    assertFailed(missing, 1, /none\.jsonl/);
    assertFailed(both, 2, /give --as or --to, not both/);
  });
});

Deno.test("export replaces no file, and refuses formats that it does not know", async () => {
  await withFiles({ "ledger.jsonl": textOf(LINES), [`${NAME}.csv`]: "mine" }, async (folder) => {
    const [there, format, none] = await Promise.all([
      outcome("export", [`${folder}/ledger.jsonl`, "--out", folder]),
      outcome("export", [`${folder}/ledger.jsonl`, "--as", "cvs", "--out", folder]),
      outcome("export", ["--out", folder]),
    ]);
    assertFailed(there, 1, /rolesTrue__R1\.csv is there already; name another folder/);
    assert.equal(await Deno.readTextFile(`${folder}/${NAME}.csv`), "mine");
    assertFailed(format, 2, /unknown format "cvs": did you mean csv/);
    assertFailed(none, 2, /export: name a ledger/);
  });
});
