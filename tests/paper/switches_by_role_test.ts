import assert from "node:assert/strict";
import { switchesByRole, switchGroups } from "@/paper/switches.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { ROLES } from "@/schema/scenario.ts";

const condition = await loadCondition({ scenario: "IM-01" });
const [A, B] = [[0.9, 0.1, 0], [0.1, 0.9, 0]] as const;

/** A run of four rounds in which each role switches as often as it is told to, at most three times. */
const run = (switches: Partial<Record<string, number>>) => ({
  preferences: [0, 1, 2, 3].map((round) =>
    condition.seats.map(({ role }) => Math.min(round, switches[role] ?? 0) % 2 === 0 ? A : B)
  ),
});

Deno.test("switches are counted by role over the runs of all conditions, with mean, deviation and error by hand", () => {
  const rows = switchesByRole([
    { condition, runs: [run({ Chair: 1, Equity: 2 }), run({ Chair: 3 })] },
    { condition, runs: [run({ Chair: 2 })] },
  ]);
  assert.deepEqual(rows.map(({ role }) => role), [...ROLES]);
  const [chair, , , equity] = rows;
  assert.deepEqual(chair!.counts, [1, 3, 2]);
  assert.deepEqual([chair!.n, chair!.mean, chair!.sd], [3, 2, 1]);
  assert.ok(Math.abs(chair!.sem! - 1 / Math.sqrt(3)) < 1e-15);
  assert.deepEqual(equity!.counts, [2, 0, 0]);
});

Deno.test("roles are found by their seat, not by their place in the list", () => {
  const turned = { ...condition, seats: condition.seats.toReversed() };
  const { preferences } = run({ Chair: 3 });
  const rows = switchesByRole([{
    condition: turned,
    runs: [{ preferences: preferences.map((round) => round.toReversed()) }],
  }]);
  assert.deepEqual(rows.map(({ counts }) => counts[0]), [3, 0, 0, 0, 0]);
});

Deno.test("of no run there is no mean, of one no deviation", () => {
  assert.deepEqual(switchesByRole([{ condition, runs: [] }])[0], { role: "Chair", counts: [], n: 0 });
  assert.deepEqual(switchesByRole([{ condition, runs: [run({ Chair: 2 })] }])[0], {
    ...{ role: "Chair", counts: [2], n: 1, mean: 2 },
  });
});

Deno.test("a condition without a seat for a role is refused, naming the role", () => {
  const pair = { ...condition, seats: condition.seats.filter(({ role }) => role !== "Rights") };
  assert.throws(() => switchesByRole([{ condition: pair, runs: [] }]), {
    name: "RangeError",
    message: /no seat for Rights: seats are Chair, Welfare, Equity, Security/,
  });
});

const PAPER = { role: "Chair", mean_switches: 2.76, sd: 1.33, n: 120 } as const;
for (
  const [mean, verdict] of [[1, "published above"], [2.76, "inside"], [2.5, "inside"], [5, "published below"]] as const
) {
  Deno.test(`a measured mean of ${mean} switches: the published one is ${verdict}`, () => {
    const [group] = switchGroups([{ role: "Chair", counts: [], n: 120, mean, sd: 1.3, sem: 0.12 }], [PAPER]);
    assert.equal(group!.verdict, verdict);
    assert.deepEqual(group!.measured, { mean, sem: 0.12 });
    assert.ok(Math.abs(group!.published!.sem! - 1.33 / Math.sqrt(120)) < 1e-15);
  });
}

Deno.test("without a published row or a deviation there is no verdict on the mean", () => {
  const row = { role: "Chair", counts: [2], n: 1, mean: 2 } as const;
  assert.equal(switchGroups([row], [])[0]!.verdict, "not published");
  assert.equal(switchGroups([row], [PAPER])[0]!.verdict, "no interval");
  const [unknown] = switchGroups([row], [{ ...PAPER, sd: undefined }]);
  assert.deepEqual(unknown!.published, { mean: 2.76, sem: undefined });
});
