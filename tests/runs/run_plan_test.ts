import assert from "node:assert/strict";
import { conditionName } from "@/deliberation/condition_name.ts";
import { runExperiment } from "@/runs/run_experiment.ts";
import { planRuns, runFolder, type Wanted } from "@/runs/run_plan.ts";
import { counting } from "./councils.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const names = async (wanted: Wanted) => (await planRuns(wanted)).conditions.map(conditionName);

Deno.test("a list in a spec means alternatives, always; the last field varies fastest", async () => {
  assert.deepEqual(await names({ scenario: ["HL-01", "IM-01"], ablate: ["Chair", "Chair+Equity"] }), [
    "HL-01__T0.0__N5__rolesTrue__ablate-Chair",
    "HL-01__T0.0__N5__rolesTrue__ablate-Chair+Equity",
    "IM-01__T0.0__N5__rolesTrue__ablate-Chair",
    "IM-01__T0.0__N5__rolesTrue__ablate-Chair+Equity",
  ]);
  assert.deepEqual(await names([{ scenario: "HL-01", roles: false }, { scenario: "HL-01", window: [3, 1] }]), [
    "HL-01__T0.0__N5__rolesFalse",
    "HL-01__T0.0__N5__rolesTrue__k3",
    "HL-01__T0.0__N5__rolesTrue__k1",
  ]);
});

Deno.test("an ad hoc run has the paper's 20 replicates, a declared one its own", async () => {
  assert.equal((await planRuns({ scenario: "HL-01" })).replicates, 20);
  assert.equal((await planRuns("one-committee")).replicates, 8);
});

Deno.test("what cannot be run is refused before anything runs, as a bad argument", async () => {
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{ scenario: "HL-01", temprature: 0.7 }, /^unknown condition parameter "temprature": did you mean temperature/],
    [{ scenario: ["HL-01", "HL-1"] }, /^unknown scenario "HL-1": did you mean HL-01/],
    [{ scenario: "HL-01", temperature: [] }, /^temperature holds an empty list: give at least one value$/],
    [[], /^no condition to run: give at least one spec$/],
    [
      [{ scenario: "HL-01" }, { scenario: "HL-01", agents: "Chair+Welfare+Rights+Equity+Security", roles: true }],
      /^HL-01__T0\.0__N5__rolesTrue is wanted twice: leave one out$/,
    ],
    [{ scenario: "HL-01", maxTokens: [600, 700] }, /^HL-01__\S+ is wanted twice: they differ in their texts or models/],
    ["one-commitee", /^unknown experiment "one-commitee": did you mean one-committee/],
  ];
  for (const [wanted, message] of refused) {
    const error = await userErrorOf(planRuns(wanted as Wanted));
    assert.match(error.message, message);
    assert.equal(error.exitCode, 2);
  }
});

Deno.test("different councils never share a folder", () => {
  const folder = (identity: string, live: boolean) => runFolder("ad-hoc", { identity, live });
  assert.equal(folder("surrogate:0123", false), "out/runs/ad-hoc");
  assert.equal(folder("live:openai", true), "live/ad-hoc");
  assert.equal(folder("live:127.0.0.1:8000/v1", true), "live/ad-hoc/127.0.0.1-8000-v1");
  assert.equal(folder("replay", false), "out/runs/ad-hoc/replay");
});

Deno.test("runExperiment() runs specs into ledgers, labels what differs, and resumes from them", async () => {
  await withFiles({}, async (out) => {
    const { council, requests } = counting();
    const spec = { scenario: "HL-01", agents: 2, rounds: 2, roles: [true, false] };
    const [told, held]: [string[], number[]] = [[], []];
    const options = {
      ...{ council, out, seed: 3 },
      onRun: ({ condition }: { condition: string }) => void told.push(condition),
      onHeld: (runs: number) => void held.push(runs),
    };
    const first = await runExperiment(spec, { ...options, replicates: 2 });
    const ledgers = ["HL-01__T0.0__N2__rolesTrue__R2", "HL-01__T0.0__N2__rolesFalse__R2"];
    assert.deepEqual(first.map(({ name, label }) => [name, label]), [
      [ledgers[0], "roles on"],
      [ledgers[1], "roles off"],
    ]);
    assert.deepEqual(first.map(({ ledger }) => ledger.path), ledgers.map((name) => `${out}/${name}.jsonl`));
    assert.deepEqual([told, held], [[ledgers[0], ledgers[0], ledgers[1], ledgers[1]], [0, 0]]);
    const asked = requests.length;
    const more = await runExperiment(spec, { ...options, replicates: 3 });
    assert.deepEqual(held, [0, 0, 2, 2], "what the ledgers hold is told, so that progress begins there");
    assert.deepEqual(more.map(({ runs }) => runs.slice(0, 2)), first.map(({ runs }) => runs));
    assert.ok(requests.length < 2 * asked);
  });
});

Deno.test("replies of a live council are never started over, damaged ones neither", async () => {
  await withFiles({}, async (out) => {
    const spec = { scenario: "HL-01", agents: 2, rounds: 1 };
    const paid = counting({ synthetic: false, identity: "live:openai" }).council;
    const [made] = await runExperiment(spec, { council: paid, out, replicates: 1 });
    const path = made!.ledger.path;
    const { council, requests } = counting();
    const text = await Deno.readTextFile(path);
    for (const content of [text, text.replace('"kind":"run.closed"', '"kind":"nonsense"')]) {
      await Deno.writeTextFile(path, content);
      for (const fresh of [true, "if-changed"] as const) {
        const { message } = await userErrorOf(runExperiment(spec, { council, out, replicates: 1, fresh }));
        assert.match(message, /holds, or may hold, replies of a live council and is left as it is; use another --out/);
        assert.equal(await Deno.readTextFile(path), content);
      }
    }
    assert.equal(requests.length, 0);
  });
});
