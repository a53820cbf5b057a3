import assert from "node:assert/strict";
import { runExperiment } from "@/runs/run_experiment.ts";
import { counting } from "./councils.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

/** The conditions of "two-routes" in the order of declaration, named as the paper names its files. */
const NAMES = [
  "HL-01__T0.0__N5__rolesFalse",
  "HL-01__T0.0__N5__rolesTrue",
  "HL-01__T0.0__N5__rolesFalse__multimodel",
  "HL-01__T0.0__N5__rolesTrue__multimodel",
];

Deno.test("runExperiment() runs every condition into a ledger of its own and reads it back", async () => {
  await withFiles({}, async (folder) => {
    const told: string[] = [];
    const { council, requests } = counting();
    const options = { council, replicates: 1, out: `${folder}/runs/` };
    const results = await runExperiment("two-routes", {
      ...options,
      onRun: ({ condition, replicate }) => told.push(`${condition} ${replicate}`),
    });
    assert.deepEqual(results.map(({ name }) => name), NAMES);
    assert.deepEqual(told, NAMES.map((name) => `${name} 0`));
    for (const { name, condition, ledger, accounting, runs, synthetic } of results) {
      assert.equal(ledger.path, `${folder}/runs/${name}.jsonl`);
      assert.deepEqual(accounting, { name, target: 1, realised: 1, deficit: 0, causes: {} });
      assert.equal(synthetic, true);
      assert.equal(condition.lineup === "mixed", name.endsWith("__multimodel"));
      assert.deepEqual(runs.map(({ means }) => [means.length, means[0]!.length]), [[20, 3]]);
      assert.match(runs[0]!.decision!, /^[ABC]$/);
    }
    const asked = requests.length;
    assert.ok(asked >= 4 * 106);
    const again = await runExperiment("two-routes", options);
    assert.equal(requests.length, asked, "what the ledgers hold is not run again");
    assert.deepEqual(again, results);
  });
});

Deno.test("runExperiment() with another seed is refused over old ledgers, and with fresh starts over", async () => {
  await withFiles({}, async (out) => {
    const { council, requests } = counting();
    const options = { council, replicates: 1, out };
    const [first] = await runExperiment("one-committee", options);
    const asked = requests.length;
    const { message } = await userErrorOf(runExperiment("one-committee", { ...options, seed: 2 }));
    assert.match(message, /seed: ledger 1, now 2/);
    const [second] = await runExperiment("one-committee", { ...options, seed: 2, fresh: true });
    assert.equal(second!.ledger.declaration.seed, 2);
    assert.ok(requests.length >= asked + 106);
    assert.notDeepEqual(second!.runs[0]!.means, first!.runs[0]!.means);
  });
});

Deno.test("runExperiment() takes the experiment's own number of replicates", async () => {
  await withFiles({}, async (out) => {
    const [result] = await runExperiment("one-committee", { council: counting().council, out });
    assert.equal(result!.accounting.target, 8);
  });
});

Deno.test("runExperiment() knows no other name, and offers the nearest", async () => {
  const error = await userErrorOf(runExperiment("two-route", { out: "/nowhere" }));
  assert.match(error.message, /^unknown experiment "two-route": did you mean two-routes/);
  assert.equal(error.exitCode, 2);
});

Deno.test("runExperiment() does not start fresh over paid calls", async () => {
  const text = '{"paid":true}\n';
  await withFiles({ "HL-01__T0.0__N5__rolesTrue.jsonl": text }, async (out) => {
    const { council } = counting({ live: true });
    const { message } = await userErrorOf(runExperiment("one-committee", { council, out, fresh: true }));
    assert.match(message, /cannot be started fresh over paid calls; use another --out/);
    assert.equal(await Deno.readTextFile(`${out}/HL-01__T0.0__N5__rolesTrue.jsonl`), text);
  });
});

Deno.test("runExperiment() stops at the first condition when aborted", async () => {
  await withFiles({}, async (out) => {
    const signal = AbortSignal.abort(new Error("stopped by the test"));
    await assert.rejects(
      runExperiment("two-routes", { council: counting().council, out, replicates: 1, signal }),
      /stopped by the test/,
    );
    assert.equal((await Array.fromAsync(Deno.readDir(out))).length, 1);
  });
});
