import assert from "node:assert/strict";
import { loadCondition } from "@/runs/load_condition.ts";
import { readLedger } from "@/runs/read_ledger.ts";
import { runCondition } from "@/runs/run_condition.ts";
import { conditionRuns, runBranches, runExperiment, throughRound } from "@/runs/run_experiment.ts";
import type { DeliberationEvent } from "@/schema/deliberation_event.ts";
import { council, counting, runsOf } from "./councils.ts";
import { resealed } from "./ledgers.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const condition = await loadCondition({ scenario: "HL-01", agents: 2, rounds: 4, temperature: 0.7 });
const branch = { round: 2, continuations: 3 };

async function bases(out: string) {
  const path = `${out}/base.jsonl`;
  return conditionRuns(await runCondition(condition, { council: council(), replicates: 2, seed: 1, path }));
}

Deno.test("every run is continued K times: what it shares is its base's, word for word, and the rest is its own", async () => {
  await withFiles({}, async (out) => {
    const base = await bases(out);
    const branches = await runBranches(base, branch, { council: council(), seed: 1, out });
    assert.deepEqual(branches.map(({ base, runs }) => [base, runs.length]), [[0, 3], [1, 3]]);
    for (const { base: replicate, ledger, runs } of branches) {
      const shared = throughRound(base.ledger.runs.find((run) => run.replicate === replicate)!.events, 2);
      for (const { events } of ledger.runs) {
        assert.deepEqual(events.slice(0, shared.length), shared);
        assert.equal(events[shared.length]!.kind, "run.forked");
      }
      const own = base.runs.find((run) => run.replicate === replicate)!.means;
      for (const { means } of runs) assert.deepEqual(means.slice(0, 2), own.slice(0, 2));
      const ends = new Set(runs.map(({ state }) => JSON.stringify(state.turns.slice(4).map(({ state }) => state))));
      assert.equal(ends.size, 3, "no two continuations are the same run");
    }
  });
});

Deno.test("continuations cut off are gone on with, and finished ones are not asked again", async () => {
  await withFiles({}, async (out) => {
    const base = await bases(out);
    const whole = await runBranches(base, branch, { council: council(), seed: 1, out });
    const { path } = whole[0]!.ledger;
    const lines = (await Deno.readTextFile(path)).split("\n");
    await Deno.writeTextFile(path, `${lines.slice(0, -4).join("\n")}\n`);
    const { council: counted, requests } = counting();
    const again = await runBranches(base, branch, { council: counted, seed: 1, out });
    assert.deepEqual(runsOf(again[0]!.ledger), runsOf(whole[0]!.ledger));
    assert.ok(requests.length > 0 && requests.length <= 4, `${requests.length} calls for three lost lines`);
  });
});

Deno.test("a ledger of continuations is not gone on with from another base, and holds no run of its own", async () => {
  await withFiles({}, async (out) => {
    const base = await bases(out);
    const [first, second] = await runBranches(base, branch, { council: council(), seed: 1, out });
    const { path, declaration } = first!.ledger;
    const other = second!.ledger.declaration.base!;
    const { seed } = declaration;
    const settings = { council: council(), replicates: 3, seed, path };
    const { message } = await userErrorOf(runCondition(condition, { ...settings, base: other }));
    assert.match(message, /base: continues another run/);
    const opened = JSON.stringify({
      ...JSON.parse((await Deno.readTextFile(path)).split("\n")[1]!),
      event: { ...other[0]!, replicate: 0, seed },
    });
    await Deno.writeTextFile(`${out}/mixed.jsonl`, resealed(`${JSON.stringify(declaration)}\n${opened}\n`));
    const { damaged: [flaw] } = await readLedger(`${out}/mixed.jsonl`);
    assert.match(
      `line ${flaw!.line} ${flaw!.why}`,
      /line 2 is run\.opened, the runs of this ledger begin with run\.forked/,
    );
    const twice = [declaration, { ...declaration, base: other }].map((line) => `${JSON.stringify(line)}\n`).join("");
    await Deno.writeTextFile(`${out}/twice.jsonl`, resealed(twice));
    const { damaged: [another] } = await readLedger(`${out}/twice.jsonl`);
    assert.match(
      `line ${another!.line} ${another!.why}`,
      /line 2 declares another run to continue; one ledger continues one run/,
    );
  });
});

Deno.test("throughRound() keeps what happened up to the end of a round, repairs of it among them", () => {
  const turn = (round: number, again = false) => ({ kind: "turn.answered", round, again }) as DeliberationEvent;
  const opened = { kind: "run.opened" } as DeliberationEvent;
  const ballot = { kind: "ballot.answered" } as DeliberationEvent;
  const events = [opened, turn(1), turn(1, true), turn(2), ballot];
  assert.deepEqual(throughRound(events, 1), events.slice(0, 3));
  assert.deepEqual(throughRound(events, 2), events.slice(0, 4));
  assert.deepEqual(throughRound(events, 9), events.slice(0, 4));
});

Deno.test("an ad hoc condition is continued too, as the declared one is; more continuations keep those that are there", async () => {
  await withFiles({}, async (out) => {
    const spec = { scenario: "HL-01", agents: 2, rounds: 4, temperature: 0.7 };
    const settings = { council: council(), seed: 1, out, replicates: 2 };
    const [few] = await runExperiment(spec, { ...settings, branch });
    const [more] = await runExperiment(spec, { ...settings, branch: { ...branch, continuations: 4 } });
    assert.deepEqual([few, more].map((one) => one!.branches!.map(({ runs }) => runs.length)), [[3, 3], [4, 4]]);
    assert.deepEqual(more!.branches!.map(({ runs }) => runs.slice(0, 3)), few!.branches!.map(({ runs }) => runs));
    const declared = await runBranches(few!, branch, { ...settings, out: `${out}/declared` });
    assert.deepEqual(few!.branches!.map(({ ledger }) => runsOf(ledger)), declared.map(({ ledger }) => runsOf(ledger)));
  });
});

Deno.test("a round after which nothing is left, and a single continuation, are refused before anything is run", async () => {
  await withFiles({}, async (out) => {
    const spec = { scenario: "HL-01", agents: 2, rounds: 4 };
    const refusal = async (branch: { round: number; continuations: number }) =>
      (await userErrorOf(runExperiment(spec, { council: council(), out, branch }))).message;
    assert.match(await refusal({ round: 4, continuations: 3 }), /after round 4: must be a whole round from 1 to 3/);
    assert.match(await refusal({ round: 1.5, continuations: 3 }), /after round 1.5: must be a whole round/);
    assert.match(await refusal({ round: 2, continuations: 1 }), /^1 continuations of each run: .* at least 2/);
    assert.deepEqual([...Deno.readDirSync(out)], []);
  });
});
