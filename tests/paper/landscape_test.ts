import assert from "node:assert/strict";
import {
  landscapeAgreement,
  landscapeCells,
  landscapeMatrix,
  landscapeRepeat,
  landscapeStatements,
} from "@/paper/landscape.ts";
import { loadLandscape, loadMixedCells } from "@/paper/published_deliberation.ts";
import { matrixPlot } from "@/plots/mod.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import type { ConditionSpec } from "@/schema/condition.ts";

const published = { uniform: await loadLandscape(), mixed: await loadMixedCells() };

const run = async (spec: ConditionSpec, lambda?: number, realised = 20) => ({
  condition: await loadCondition(spec),
  ...(lambda === undefined ? { reason: "no-divergence" } : { lambda, low: lambda - 0.01, high: lambda + 0.01 }),
  accounting: { name: "", target: 20, realised, deficit: 20 - realised, causes: {} },
});

const HL01 = await Promise.all([
  run({ scenario: "HL-01", roles: true, temperature: 0.1 }, 0.05),
  run({ scenario: "HL-01", roles: true }, 0.05, 18),
  run({ scenario: "HL-01", roles: true, lineup: "mixed" }),
  run({ scenario: "HL-01", roles: false, lineup: "mixed" }, 0.2),
  run({ scenario: "HL-01", roles: false }, 0.03),
  run({ scenario: "HL-01", roles: true, window: 3 }, 0.9),
]);
const cells = landscapeCells(HL01, published);
const cold = cells.filter(({ temperature }) => temperature === 0);
const of = (scenario: string) => cells.filter((cell) => cell.scenario === scenario);

Deno.test("every published cell is there once, beside the condition that was run for it", () => {
  assert.equal(cells.length, 72);
  assert.deepEqual(
    of("HL-01").map(({ lineup, roles, temperature, published, measured }) => [
      ...[lineup, roles, temperature, published, measured && HL01.indexOf(measured)],
    ]),
    [
      ["uniform", true, 0, 0.0541, 1],
      ["uniform", true, 0.1, 0.0495, 0],
      ["uniform", false, 0, 0.0221, 4],
      ["uniform", false, 0.1, 0.0144, undefined],
      ["mixed", false, 0, 0.0947, 3],
      ["mixed", true, 0, 0.0519, 2],
    ],
  );
  assert.ok(of("IM-01").every(({ measured }) => measured === undefined));
});

Deno.test("a cell of unknown temperature is compared with nothing, not with T = 0", () => {
  const row = { scenario: "HL-01", roles: true, temperature: undefined, lambda: 0.1 };
  const [cell] = landscapeCells(HL01, { uniform: [row], mixed: [] });
  assert.ok(!("measured" in cell!));
});

Deno.test("the map's columns run from uniform to mixed and off to on; deficits show their target, gaps a reason", () => {
  const mapped = landscapeMatrix(cold);
  assert.deepEqual(
    mapped.map(({ row, column, lambda, n, target, reason, published }) => [
      ...[row, column, lambda, n, target, reason, published],
    ]),
    [
      ["HL-01", "uniform, roles off", 0.03, 20, undefined, undefined, 0.0221],
      ["HL-01", "uniform, roles on", 0.05, 18, 20, undefined, 0.0541],
      ["HL-01", "mixed, roles off", 0.2, 20, undefined, undefined, 0.0947],
      ["HL-01", "mixed, roles on", undefined, 20, undefined, "no-divergence", 0.0519],
    ],
  );
  const { alt } = matrixPlot({ cells: mapped, synthetic: true });
  assert.match(alt, /uniform, roles on: 0\.0500, n = 18 of 20, published 0\.0541/);
  assert.match(alt, /mixed, roles on: undefined: no divergence/);
});

Deno.test("agreement counts the pairs and the published values inside, and names what is outside", () => {
  const { points, pairs, inside, rank } = landscapeAgreement(cold);
  assert.equal(points.length, 48);
  // 0.0221 in [0.02, 0.04], 0.0541 in [0.04, 0.06], 0.0947 not in [0.19, 0.21]; the fourth has no slope.
  assert.deepEqual([pairs, inside], [3, 2]);
  assert.equal(rank, 1);
  assert.deepEqual(points.filter(({ named }) => named).map(({ label, group }) => [label, group]), [
    ["HL-01", "mixed, roles off"],
  ]);
});

Deno.test("the paper's own repeat pairs cells by scenario and roles", () => {
  const row = (scenario: string, temperature: number, lambda: number) => ({
    ...{ scenario, temperature, lambda, roles: true },
  });
  const cold = [row("AA-01", 0, 0.1), row("AA-02", 0, 0.2), row("AA-03", 0, 0.3)];
  const warm = [
    { ...row("AA-01", 0.1, 0.05), roles: false },
    row("AA-03", 0.1, 0.1),
    row("AA-01", 0.1, 0.3),
    row("AA-02", 0.1, 0.2),
  ];
  assert.deepEqual(landscapeRepeat([...cold, ...warm]), { pairs: 3, rank: -1 });
  assert.deepEqual(landscapeRepeat(cold), { pairs: 0 });
  assert.equal(landscapeRepeat(published.uniform).pairs, 24);
});

Deno.test("Table S8 leaves six scenarios in which uniform without roles can be the lowest", () => {
  const rows = new Map(landscapeStatements(cold).map(({ statement, published }) => [statement, published]));
  assert.equal(rows.get("uniform without roles is the lowest of the four"), "at most 6 of 12");
  assert.equal(rows.get("uniform without roles is above zero"), "12 of 12");
  assert.equal(rows.get("uniform with roles is above uniform without"), "6 of 12");
  assert.equal(rows.get("mixed without roles is above uniform without"), "1 of 1");
});

Deno.test("statements count what was measured, and only scenarios that can be judged", () => {
  const rows = new Map(landscapeStatements(cold).map(({ statement, measured }) => [statement, measured]));
  assert.equal(rows.get("uniform without roles is the lowest of the four"), "at most 1 of 1");
  assert.equal(rows.get("mixed without roles is above uniform without"), "1 of 1");
  assert.equal(rows.get("mixed with roles is above uniform without"), undefined);
  const none = landscapeStatements(landscapeCells([], published));
  assert.ok(none.every(({ measured }) => measured === undefined));
});

Deno.test("a configuration is not the lowest where any of the others is lower, known or not", async () => {
  const runs = await Promise.all([
    run({ scenario: "HL-01", roles: false }, 0.03),
    run({ scenario: "HL-01", roles: true, lineup: "mixed" }, 0.02),
    run({ scenario: "IM-01", roles: false }, 0.03),
    run({ scenario: "IM-01", roles: true }, 0.04),
    run({ scenario: "IM-01", roles: false, lineup: "mixed" }, 0.04),
    run({ scenario: "IM-01", roles: true, lineup: "mixed" }, 0.04),
  ]);
  const [lowest] = landscapeStatements(landscapeCells(runs, published));
  assert.equal(lowest!.measured, "1 of 2");
});
