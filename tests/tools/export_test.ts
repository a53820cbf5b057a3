import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { runStationBatch } from "@/live/station_batch.ts";
import { council, named } from "../runs/station_rooms.ts";
import { declared, textOf, wholeRun } from "../runs/ledgers.ts";
import { withFiles } from "../runs/with_files.ts";
import { assertFailed, outcome } from "./command.ts";

const NAME = "HL-01__T0.0__N5__rolesTrue";
const FIXTURE = fileURLToPath(new URL(`../runs/fixtures/${NAME}.jsonl`, import.meta.url));
const LINES = [declared({ target: 1 }), ...wholeRun(0)];
const flags = ["--json", "--resamples", "200", "--permutations", "20"];

Deno.test("export writes a table and messages, and measured again they give the same slope to the last digit", async () => {
  await withFiles({}, async (out) => {
    const written = await Promise.all(
      ["csv", "messages", "plain"].map((as) => outcome("export", [FIXTURE, "--as", as, "--out", `${out}/${as}`])),
    );
    const [table, messages, plain] = written.map(({ stdout }) => stdout.trimEnd());
    assert.deepEqual([table, messages, plain], [
      `${out}/csv/${NAME}.csv`,
      `${out}/messages/${NAME}.messages.jsonl`,
      `${out}/plain/${NAME}.jsonl`,
    ]);
    const all = await Promise.all([
      outcome("measure", [FIXTURE, ...flags]),
      outcome("measure", ["--from", "csv", table!, ...flags]),
      outcome("measure", ["--from", "messages", messages!, ...flags]),
      outcome("measure", [plain!, ...flags]),
    ]);
    const [ours, ...read] = all.map(({ stdout, stderr }) => stdout ? JSON.parse(stdout) : stderr);
    assert.equal(typeof ours.lambda, "number");
    for (const { lambda, low, high, D, convergence, groups } of read) {
      assert.deepEqual({ lambda, low, high, D, convergence, groups }, {
        ...{ lambda: ours.lambda, low: ours.low, high: ours.high },
        ...{ D: ours.D, convergence: ours.convergence, groups: ours.groups },
      });
    }
  });
});

Deno.test("export --to inspect: a ledger's log measured again gives slope, decisions and accounting of the ledger", async () => {
  await withFiles({}, async (out) => {
    const made = await outcome("run", [
      ...["--scenario", "IM-01", "--rounds", "6", "--replicates", "5", "--out", `${out}/runs`],
    ]);
    const { ledger, name, decided } = JSON.parse(made.stdout);
    const exported = await outcome("export", ["--to", "inspect", ledger, "--out", `${out}/logs`]);
    const [json, zip] = [`${out}/logs/${name}.json`, `${out}/logs/${name}.eval`];
    assert.equal(exported.stdout, `${json}\n${zip}\n`, exported.stderr);
    const from = ["--json", "--from", "1", "--resamples", "200", "--permutations", "20"];
    const all = await Promise.all([
      outcome("measure", [ledger, ...from]),
      outcome("measure", ["--from", "inspect", json, ...from]),
      outcome("measure", ["--from", "inspect", zip, ...from]),
      outcome("import", ["--from", "inspect", zip, "--out", `${out}/plain`]),
    ]);
    const [ours, ...read] = all.slice(0, 3).map(({ stdout, stderr }) => stdout ? JSON.parse(stdout) : stderr);
    assert.equal(typeof ours.lambda, "number");
    for (const { file: _, about, excluded, unread, flagged, carried, copies, ...measured } of read) {
      // A log's replies are read, and not kept.
      const { file: __, ballotAgreement: _b, echo: _e, equalPairs: _p, ...expected } = ours;
      assert.deepEqual(measured, expected);
      assert.deepEqual({ excluded, unread, flagged, carried, copies }, {
        ...{ excluded: [], unread: 0, flagged: 0, carried: 0, copies: [] },
      });
      // Five agents, six rounds, a ballot of each and a clerk, in five runs; repair requests come on top.
      assert.ok(about.calls.calls >= 5 * (5 * 6 + 5 + 1), `${about.calls.calls}`);
      assert.deepEqual(about.accounting, { name, target: 5, realised: 5, deficit: 0, causes: {} });
    }
    const { samples, ...head } = JSON.parse(await Deno.readTextFile(json));
    await Deno.writeTextFile(json, JSON.stringify({ ...head, samples: samples.slice(1) }));
    const cut = await outcome("measure", ["--from", "inspect", json, ...from]);
    assertFailed(cut, 1, /holds 4 complete runs, and 5 were written into it/);
    const plain = (await Deno.readTextFile(all[3]!.stdout.trim())).trimEnd().split("\n").map((line) =>
      JSON.parse(line)
    );
    assert.deepEqual(plain.map(({ decision }) => decision), decided.decisions);
  });
});

Deno.test("export --to inspect: a batch's logs score as its folder does, and import writes their summaries", async () => {
  await withFiles({}, async (out) => {
    const councils = [named("room", council()), named("none", "none")];
    await runStationBatch({ seeds: [104, 109], rulesets: ["v2"] }, { out: `${out}/batch`, councils });
    const exported = await outcome("export", ["--to", "inspect", `${out}/batch`, "--out", `${out}/logs`]);
    const [none, , , room] = exported.stdout.trimEnd().split("\n");
    assert.deepEqual([none, room], [`${out}/logs/none_v2.json`, `${out}/logs/room_v2.eval`], exported.stderr);
    const imported = await outcome("import", ["--from", "inspect", none!, room!, "--out", `${out}/plain`]);
    assert.match(imported.stderr, /none_v2: 2 runs of 2 as summaries/);
    const weights = ["--json", "--weights", "equal"];
    const [ours, ...read] = (await Promise.all([
      outcome("score", [`${out}/batch`, ...weights]),
      outcome("score", [none!, room!, ...weights]),
      outcome("score", [`${out}/plain`, ...weights]),
    ])).map(({ stdout }) =>
      stdout.trimEnd().split("\n").map((line) => {
        const { file: _, line: __, name: ___, ...row } = JSON.parse(line);
        return row;
      })
    );
    assert.equal(ours!.length, 4);
    assert.ok(ours!.every(({ old, q }) => typeof old.q === "number" && typeof q === "number"));
    for (const rows of read) assert.deepEqual(rows, ours);
  });
});

Deno.test("export --to inspect replaces neither of its files, and needs a ledger", async () => {
  await withFiles({ "HL-01__T0.0__N2__rolesTrue__R1.eval": "mine", "ledger.jsonl": textOf(LINES) }, async (folder) => {
    const [there, records, missing, both] = await Promise.all([
      outcome("export", ["--to", "inspect", `${folder}/ledger.jsonl`, "--out", folder]),
      outcome("export", ["--to", "inspect", FIXTURE, "--out", `${folder}/new`]),
      outcome("export", ["--as", "inspect", `${folder}/none.jsonl`, "--out", `${folder}/new`]),
      outcome("export", ["--as", "csv", "--to", "inspect", FIXTURE, "--out", `${folder}/new`]),
    ]);
    assertFailed(there, 1, /rolesTrue__R1\.eval is there already; name another folder/);
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assert.deepEqual(names.sort(), ["HL-01__T0.0__N2__rolesTrue__R1.eval", "ledger.jsonl"]);
    assert.equal(await Deno.readTextFile(`${folder}/HL-01__T0.0__N2__rolesTrue__R1.eval`), "mine");
    assertFailed(records, 1, /rolesTrue\.jsonl is no committee's ledger: a log of Inspect holds replies/);
    assertFailed(missing, 1, /none\.jsonl/);
    assertFailed(both, 2, /give --as or --to, not both/);
  });
});

Deno.test("export replaces no file, and refuses runs of means alone and formats that it does not know", async () => {
  const means = JSON.stringify({ run: 0, trajectory: Array.from({ length: 20 }, () => [0.5, 0.5]) });
  await withFiles({ "HL-01__T0.7__N5__rolesFalse.jsonl": means, [`${NAME}.csv`]: "mine" }, async (folder) => {
    const [there, alone, format, none] = await Promise.all([
      outcome("export", [FIXTURE, "--out", folder]),
      outcome("export", [`${folder}/HL-01__T0.7__N5__rolesFalse.jsonl`, "--out", `${folder}/new`]),
      outcome("export", [FIXTURE, "--as", "cvs", "--out", folder]),
      outcome("export", ["--out", folder]),
    ]);
    assertFailed(there, 1, /rolesTrue\.csv is there already; name another folder/);
    assert.equal(await Deno.readTextFile(`${folder}/${NAME}.csv`), "mine");
    assertFailed(alone, 1, /holds the group's means alone, and no agent's states/);
    assertFailed(format, 2, /unknown format "cvs": did you mean csv/);
    assertFailed(none, 2, /name a ledger, or a file of runs/);
  });
});
