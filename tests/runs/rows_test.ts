import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { collectRuns } from "@/runs/collect_runs.ts";
import { surrogateCouncil } from "@/runs/council.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { agentRows, divergenceRows, meanRows } from "@/runs/rows.ts";
import { divergenceBand } from "@/stats/divergence_band.ts";

const plain = await loadCondition({ scenario: "HL-01", agents: 2, roles: false, rounds: 2 });
const special = await loadCondition({
  ...{ scenario: "IM-01", variant: "formal", lineup: "mixed", temperature: 0.7, window: 3, rounds: 2 },
  ...{ agents: "Chair+Welfare+Welfare", ablate: "Welfare+Chair" },
});

/** Two agents, two rounds, two options; `x` is the share of option A in round 2. */
const run = (replicate: number, x: number) => ({
  replicate,
  preferences: [[[0.5, 0.5], [0.1, 0.9]], [[x, 1 - x], [x, 1 - x]]],
  means: [[0.3, 0.7], [x, 1 - x]],
});

const columns = {
  ...{ condition: "one", scenario: "HL-01", lineup: "uniform", roles: false, temperature: 0, window: 15 },
  ...{ agents: 2, rounds: 2 },
};

Deno.test("meanRows() has a row an option of a round of a replicate, by hand", () => {
  const rows = meanRows([{ label: "one", condition: plain, runs: [run(0, 0), run(2, 1)] }]);
  const at = (replicate: number, round: number, option: string, p: number) => ({
    ...columns,
    ...{ replicate, round, option, p },
  });
  assert.deepEqual(rows, [
    ...[at(0, 1, "A", 0.3), at(0, 1, "B", 0.7), at(0, 2, "A", 0), at(0, 2, "B", 1)],
    ...[at(2, 1, "A", 0.3), at(2, 1, "B", 0.7), at(2, 2, "A", 1), at(2, 2, "B", 0)],
  ]);
});

Deno.test("agentRows() has a row an option of an agent, named by its seat", () => {
  const rows = agentRows([{ label: "one", condition: plain, runs: [run(0, 0.25)] }]);
  assert.deepEqual(rows.map(({ round, agent, option, p }) => [round, agent, option, p]), [
    ...[[1, "Agent 1", "A", 0.5], [1, "Agent 1", "B", 0.5], [1, "Agent 2", "A", 0.1], [1, "Agent 2", "B", 0.9]],
    ...[[2, "Agent 1", "A", 0.25], [2, "Agent 1", "B", 0.75], [2, "Agent 2", "A", 0.25], [2, "Agent 2", "B", 0.75]],
  ]);
  assert.deepEqual(rows[0], { ...columns, replicate: 0, round: 1, agent: "Agent 1", option: "A", p: 0.5 });
});

Deno.test("a row says everything of its condition, and has no key for what it has not", () => {
  const [row] = meanRows([{ label: "x", condition: special, runs: [run(0, 0)] }]);
  const { replicate: _, round: __, option: ___, p: ____, ...said } = row!;
  assert.deepEqual(said, {
    ...{
      condition: "x",
      scenario: "IM-01",
      variant: "formal",
      lineup: "mixed",
      roles: true,
      temperature: 0.7,
      window: 3,
    },
    ...{ ablate: "Chair+Welfare", agents: 3, seats: "Chair+Welfare+Welfare", rounds: 2 },
  });
  assert.ok(Object.values(row!).every((value) => ["string", "number", "boolean"].includes(typeof value)));
});

Deno.test("divergenceRows(): D by hand, no row with fewer than two runs, no band without chance", () => {
  const conditions = [
    { label: "one", condition: plain, runs: [run(0, 0), run(1, 1)] },
    { label: "alone", condition: special, runs: [run(0, 0)] },
  ];
  // (0, 1) and (1, 0) are √2 apart.
  assert.deepEqual(divergenceRows(conditions), [
    { ...columns, round: 1, D: 0 },
    { ...columns, round: 2, D: Math.SQRT2 },
  ]);
  assert.deepEqual(divergenceRows(conditions, { band: 0.9 }), divergenceRows(conditions));
  assert.deepEqual(divergenceRows(conditions, { rng: createRng(1) }), divergenceRows(conditions), "two runs: no band");
});

Deno.test("divergenceRows() has the band that divergenceBand() gives, whichever conditions stand beside", () => {
  const many = { label: "one", condition: plain, runs: [0, 0.2, 0.5, 0.9].map((x, i) => run(i, x)) };
  const beside = { label: "two", condition: special, runs: many.runs };
  const rng = createRng(7);
  const rows = divergenceRows([many], { rng, band: 0.8, resamples: 50 });
  const { low, high } = divergenceBand(many.runs.map(({ means }) => means), {
    rng: rng.fork("HL-01__T0.0__N2__rolesFalse__R2"),
    ...{ level: 0.8, resamples: 50 },
  });
  assert.deepEqual(rows.map((row) => [row.low, row.high]), low!.map((end, t) => [end, high![t]]));
  assert.deepEqual(divergenceRows([beside, many], { rng, band: 0.8, resamples: 50 }).slice(2), rows);
  const wider = divergenceRows([many], { rng });
  assert.ok(wider[1]!.low! < rows[1]!.low! && wider[1]!.high! > rows[1]!.high!, "95 % by default");
});

Deno.test("what collectRuns() gives can be drawn as it is", async () => {
  const { chat } = await surrogateCouncil();
  const collected = await collectRuns(plain, { chat, replicates: 2, seed: 1 });
  const { label, name, condition, synthetic } = collected;
  assert.deepEqual([label, name, synthetic], [
    "HL-01, roles off, 2 agents, 2 rounds",
    "HL-01__T0.0__N2__rolesFalse__R2",
    true,
  ]);
  assert.equal(condition, plain);
  // Two runs of two rounds with three options, told by two agents.
  assert.deepEqual([meanRows([collected]).length, agentRows([collected]).length], [12, 24]);
});
