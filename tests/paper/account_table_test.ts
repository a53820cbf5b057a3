import assert from "node:assert/strict";
import { userErrorOf } from "../runs/user_error_of.ts";
import { conditionName } from "@/deliberation/condition_name.ts";
import { accountedSpecs, accountTable } from "@/paper/accounting.ts";
import { loadRunAccounting } from "@/paper/published_deliberation.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { loadExperiment } from "@/runs/scenarios.ts";

const published = await loadRunAccounting();

const namesOf = async (name: string) =>
  await Promise.all(
    (await loadExperiment(name)).conditions.map(async (spec) => conditionName(await loadCondition(spec))),
  );

Deno.test("each row of Table S1 is planned for as many runs as its conditions have replicates", async () => {
  for (const row of published) {
    const specs = await accountedSpecs(row);
    assert.equal(row.target, specs.length * (row.group === "Semantics" ? 1 : 20), row.condition);
  }
});

Deno.test("the words of the rows that could be mistaken are read rightly", async () => {
  const spec = async (group: string, condition: string) => await accountedSpecs({ group, condition });
  assert.deepEqual(await spec("Core", "Mixed no-role (IM-01, T = 0)"), [
    { scenario: "IM-01", roles: false, lineup: "mixed" },
  ]);
  assert.deepEqual(await spec("Headline", "HL-01: Uniform roles (T = 0)"), [
    { scenario: "HL-01", roles: true, lineup: "uniform" },
  ]);
  const matrix = await spec("Core", "12-scenario matrix: Mixed roles total");
  assert.equal(new Set(matrix.map(({ scenario }) => scenario)).size, 12);
  assert.ok(matrix.every(({ roles, lineup }) => roles === true && lineup === "mixed"));
  assert.deepEqual(await spec("Provider", "Grok-3, roles=True, T = 0"), [
    { scenario: "IM-01", roles: true, lineup: "grok-3" },
  ]);
});

Deno.test("the declared experiments of the accounting hold every condition of Table S1, and nothing else", async () => {
  const [once, twenty] = await Promise.all(["wording", "accounting"].map(namesOf));
  const wanted = await Promise.all(published.map(async (row) => ({
    row,
    names: await Promise.all((await accountedSpecs(row)).map(async (spec) => conditionName(await loadCondition(spec)))),
  })));
  const of = (
    semantics: boolean,
  ) => [
    ...new Set(wanted.filter(({ row }) => (row.group === "Semantics") === semantics).flatMap(({ names }) => names)),
  ];
  assert.deepEqual(of(true).sort(), once!.sort());
  assert.deepEqual(of(false).sort(), twenty!.sort());
});

Deno.test("accountTable() adds up the conditions of a row, and names those that were not run", async () => {
  const one = (name: string, target: number, causes: Record<string, number>) => {
    const deficit = Object.values(causes).reduce((sum, count) => sum + count, 0);
    return { name, target, realised: target - deficit, deficit, causes };
  };
  const rows = await accountTable(published, [
    one("HL-01__T0.0__N5__rolesTrue", 20, { unfinished: 2 }),
    one("IM-01__T0.0__N5__rolesTrue", 20, { unfinished: 1, "no_reply:quota": 1 }),
    one("IM-01__T0.0__N5__rolesTrue", 1, { not_started: 1 }),
  ]);
  const row = (words: string) => rows.find(({ published: { condition } }) => condition.startsWith(words))!;
  const { own, without } = row("12-scenario matrix: Uniform roles");
  assert.deepEqual([own.target, own.realised, own.deficit], [40, 36, 4]);
  assert.deepEqual(own.causes, { unfinished: 3, "no_reply:quota": 1 });
  assert.equal(without.length, 10);
  // The ledger planned once is the wording's, the one planned twenty times all others'.
  assert.deepEqual(row("6 IM-01").own.causes, { not_started: 1 });
  assert.equal(row("Uniform roles (IM-01").own.target, 20);
});

Deno.test("words that Table S1 does not have are refused with what there is", async () => {
  const refused = async (group: string, condition: string) =>
    (await userErrorOf(accountedSpecs({ group, condition }))).message;
  assert.match(await refused("Corps", "x"), /unknown group of Table S1 "Corps": did you mean Core/);
  assert.match(await refused("Ablation", "Ablate Chef (IM-01)"), /unknown role "Chef"/);
  assert.match(await refused("Provider", "toString, roles=True"), /unknown model "toString"/);
});
