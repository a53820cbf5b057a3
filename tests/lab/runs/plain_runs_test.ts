import assert from "node:assert/strict";
import { council } from "./councils.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";
import { readRuns } from "@/lab/explorer/committee/given.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { runCondition } from "@/lab/live/run_condition.ts";
import { conditionRuns } from "@/lab/live/run_experiment.ts";
import { importRuns } from "@/lab/runs/import_runs.ts";
import { measureRuns } from "@/lab/runs/measure_runs.ts";
import { fileNameOf, messageLines, plainLines, plainSource, tableOf } from "@/lab/runs/plain_runs.ts";
import { fromFile, plainOf } from "@/lab/tools/measure_sources.ts";

Deno.test("a ledger written as table, as messages and as plain runs, and read back, gives the same λ̂ to the last digit", async () => {
  const condition = await loadCondition({ scenario: "HL-01", roles: true, temperature: 0.7, rounds: 8 });
  await withFiles({}, async (folder) => {
    const ledger = `${folder}/l.jsonl`;
    await runCondition(condition, { council: council(), replicates: 5, seed: 3, path: ledger });
    const ours = conditionRuns(await readLedger(ledger));
    const plain = plainOf(await fromFile(ledger, { reread: undefined }));
    const tails = ours.runs.flatMap(({ means }) => means.flat()).filter((p) => String(p).length > 12);
    assert.ok(tails.length > 0, "some sums depend on the order of the agents");
    await Deno.writeTextFile(`${folder}/t.csv`, tableOf(plain));
    await Deno.writeTextFile(`${folder}/m.jsonl`, messageLines(plain).join("\n"));
    await Deno.writeTextFile(`${folder}/p.jsonl`, plainLines(plain).join("\n"));
    const read = [
      await importRuns(`${folder}/t.csv`, "csv"),
      await importRuns(`${folder}/m.jsonl`, "messages"),
      await importRuns(`${folder}/p.jsonl`, (await plainSource(`${folder}/p.jsonl`))!),
    ];
    const measured = (runs: readonly { means: readonly (readonly number[])[] }[]) =>
      measureRuns(runs.map(({ means }) => means), { to: 8, resamples: 200, permutations: 20 });
    const { lambda, low, convergence, D } = measured(ours.runs);
    assert.equal(typeof lambda, "number");
    for (const imported of read) {
      assert.deepEqual(imported.runs.map(({ means }) => means), ours.runs.map(({ means }) => means));
      assert.deepEqual(imported.runs.map(({ states }) => states), ours.runs.map(({ preferences }) => preferences));
      assert.deepEqual(imported.agents, condition.seats.map(({ label }) => label), "in seat order");
      const again = measured(imported.runs);
      assert.deepEqual([again.lambda, again.low, again.convergence, again.D], [lambda, low, convergence, D]);
    }
    assert.deepEqual([read[2]!.name, read[2]!.synthetic, read[2]!.options], [ours.name, true, ["A", "B", "C"]]);
    const shown = readRuns(plainLines(plain).join("\n"), "p.jsonl");
    assert.deepEqual(shown.means, ours.runs.map(({ means }) => means), "the explorer reads them too");
  });
});

const late = {
  name: "late/../comers",
  options: ["yes", "no"],
  agents: ["Ann", "Bob"],
  runs: [{ id: "a", states: [[[1, 0], undefined], [undefined, [0, 1]]], means: [[1, 0], [0, 1]], decision: "no" }],
};

Deno.test("plain runs keep agents that have not spoken, those that fall silent, names and decisions", async () => {
  await withFiles({ "p.jsonl": plainLines(late).join("\n") }, async (folder) => {
    const imported = await importRuns(`${folder}/p.jsonl`, (await plainSource(`${folder}/p.jsonl`))!);
    const { name, options, agents, runs: [run] } = imported;
    assert.deepEqual([name, options, agents], [late.name, late.options, late.agents]);
    assert.deepEqual([run!.states, run!.means, run!.id, run!.decision], [
      late.runs[0]!.states,
      late.runs[0]!.means,
      "a",
      "no",
    ]);
  });
  assert.equal(tableOf(late), "run,round,agent,yes,no\na,1,Ann,1,0\na,2,Bob,0,1\n");
  const { messages } = JSON.parse(messageLines(late)[0]!);
  assert.deepEqual(messages[1], { source: "Bob", round: 2, content: "yes: 0, no: 1", state: [0, 1] });
});

Deno.test("plain runs are told by their first line; one that was torn off is named with its file", async () => {
  const lines = plainLines(late).map((line) => `${line}\n`).join("");
  const files = { "other.jsonl": '{"run":0,"trajectory":[]}\n', "none.jsonl": "", "torn.jsonl": lines.slice(0, 60) };
  await withFiles(files, async (folder) => {
    assert.equal(await plainSource(`${folder}/other.jsonl`), undefined);
    assert.equal(await plainSource(`${folder}/none.jsonl`), undefined);
    assert.match((await userErrorOf(plainSource(`${folder}/torn.jsonl`))).message, /torn\.jsonl: line 1: is not JSON/);
  });
});

Deno.test("a file's name after a condition leads out of no folder", () => {
  assert.deepEqual(["late/../comers", "Naming game, X/Y (T = 0.5)", "..", "  "].map(fileNameOf), [
    "late-..-comers",
    "Naming game, X-Y -T = 0.5-",
    "runs",
    "runs",
  ]);
});
