import assert from "node:assert/strict";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { planCalls } from "@/lab/live/plan_calls.ts";
import { runExperiment } from "@/lab/live/run_experiment.ts";
import { planRuns } from "@/lab/live/run_plan.ts";
import { runCondition } from "@/lab/live/run_condition.ts";
import { plannedStations } from "@/lab/live/station_batch.ts";
import { planSweep } from "@/lab/sweep/sweep_plan.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { Committee } from "@/schema/committee.ts";
import { MOST_RUNS } from "@/schema/experiments.ts";
import { condition, council } from "../runs/councils.ts";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";
import { assertFailed, outcome } from "./command.ts";

const SPEC = { scenario: "HL-01" }, tiny = { ...SPEC, agents: 2, rounds: 1 };
const many = Array.from({ length: 101 }, (_, i) => i / 100);

Deno.test("run refuses sizes that no study has before anything is laid out, with --dry-run too", async () => {
  const spec = ["--scenario", "HL-01"], list = many.map((_, i) => i + 1).join(",");
  const sizes: readonly (readonly [string[], RegExp])[] = [
    [[...spec, "--rounds", "1e9"], /rounds must be at most 1000, found 1000000000/],
    [[...spec, "--rounds", "1001"], /rounds must be at most 1000, found 1001/],
    [[...spec, "--agents", "1e9"], /must be 2 to 26 agents, found 1000000000/],
    [[...spec, "--replicates", "1000001"], /--replicates must be a whole number from 1 to 1000000/],
    [[...spec, "--replicates", "9999999999999999999"], /--replicates must be a whole number from 1 to 1000000/],
    [
      [...spec, "--replicates", "1000000", "--roles", "true,false"],
      /2000000 runs are more than one plan takes, 1000000/,
    ],
    [["two-routes", "--replicates", "1000000"], /4000000 runs are more than one plan takes/],
    [["station-personas", "--replicates", "1000000"], /30000000 runs are more than one plan takes/],
    [[...spec, "--window", list, "--rounds", list], /10201 conditions are more than one plan takes, 10000/],
    [[...spec, "--until", "1000000000"], /--until must be a whole number from 2 to 6, got "1000000000"/],
  ];
  for (const [args, message] of sizes) {
    for (const more of [[], ["--dry-run"]]) {
      await withFiles({}, async (cwd) => assertFailed(await outcome("run", [...args, ...more], { cwd }), 2, message));
    }
  }
});

Deno.test("measure refuses more draws than memory holds", async () => {
  for (const flag of ["--resamples", "--permutations"]) {
    assertFailed(
      await outcome("measure", ["-", flag, "1000000001"]),
      2,
      /must be a whole number from 1 to 1000000, got/,
    );
  }
});

Deno.test("in code the same sizes are refused", async () => {
  const huge: readonly [() => Promise<unknown>, RegExp][] = [
    [() => loadCondition({ ...SPEC, rounds: 1e9 }), /rounds must be at most 1000/],
    [() => loadCondition({ ...SPEC, agents: 1e9 }), /must be 2 to 26 agents/],
    [() => planRuns({ ...SPEC, temperature: many, window: many.map((_, i) => i) }), /10201 conditions/],
    [() => runExperiment(SPEC, { council: council(), replicates: 1e12, out: "none" }), /1000000000000 runs/],
    [() => planCalls([condition], { replicates: 1e9 }), /1000000000 runs/],
    [
      () => planCalls([condition], { replicates: 1e5, branch: { round: 1, continuations: 10 } }),
      /1100000 runs are more than one plan takes/,
    ],
    [() => planSweep({ wanted: [SPEC], replicates: 1e9 }, Deno.env), /1000000000 runs/],
    [
      async () =>
        await Promise.resolve().then(() =>
          plannedStations({ seeds: [1], rulesets: ["v1"], replicates: 1e9 }, { councils: [{}] as never, out: "x" })
        ),
      /1000000000 runs/,
    ],
  ];
  for (const [plan, message] of huge) assert.match((await userErrorOf(plan())).message, message);
  const seats = ["A", "B"].map((name) => ({ name, mandate: "" }));
  const committee = { schema: "committee/1", id: "two", title: "Two", lineup: "uniform", seats };
  assert.ok(Committee.safeParse({ ...committee, rounds: 1000 }).success);
  assert.ok(!Committee.safeParse({ ...committee, rounds: 1001 }).success);
});

Deno.test("the largest plan is counted as many times one run, and takes no more memory", async () => {
  const [one] = (await planCalls([condition], { replicates: 1 })).conditions;
  const { conditions: [all], total } = await planCalls([condition], { replicates: MOST_RUNS });
  assert.deepEqual([all!.calls, all!.promptTokens], [one!.calls * MOST_RUNS, one!.promptTokens * MOST_RUNS]);
  assert.equal(total.calls, all!.of);
});

Deno.test("a ledger of more rounds than are planned today is read", async () => {
  const made = await loadCondition(tiny), long = { ...made, rounds: 1200 };
  await withFiles({}, async (folder) => {
    const path = `${folder}/long.jsonl`;

    await runCondition(long, { path, council: council(), replicates: 1, seed: 1 });
    const { declaration, runs } = await readLedger(path);
    assert.deepEqual([declaration.condition.rounds, runs.length], [1200, 1]);
  });
});
