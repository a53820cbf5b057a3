import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { withFiles } from "../runs/with_files.ts";
import { importConditionRuns } from "@/runs/import_condition_runs.ts";
import { measureRuns } from "@/runs/measure_runs.ts";
import { assertFailed, outcome } from "./command.ts";

const NAME = "HL-01__T0.0__N5__rolesTrue";
const FIXTURE = fileURLToPath(new URL(`../runs/fixtures/${NAME}.jsonl`, import.meta.url));
const quick = ["--resamples", "200", "--permutations", "60"];

Deno.test("measure reads runs that another programme wrote, named after their condition", async () => {
  const { code, stdout, stderr } = await outcome("measure", [FIXTURE, "--json", ...quick]);
  assert.deepEqual([code, stderr], [0, ""]);
  const { schema: _schema, name, file, synthetic, excluded, ...measured } = JSON.parse(stdout);
  assert.equal(file, FIXTURE);
  assert.deepEqual([name, synthetic, excluded], [NAME, true, []]);
  const { runs } = await importConditionRuns(FIXTURE);
  const { nullDraws: _, ...expected } = measureRuns(runs.map(({ means }) => means), {
    states: runs.map(({ preferences }) => preferences!),
    resamples: 200,
    permutations: 60,
  });
  assert.deepEqual(measured, expected);
});

Deno.test("measure leaves flawed runs out where it is told to, and says which", async () => {
  const lines = (await Deno.readTextFile(FIXTURE)).trimEnd().split("\n");
  const content = [...lines, lines[0], lines[1]!.replace(/"pref":\[[^\]]*\]/, '"pref":[NaN,0.5,0.5]')].join("\n");
  await withFiles({ [`${NAME}.jsonl`]: content }, async (folder) => {
    const path = `${folder}/${NAME}.jsonl`;
    const [whole, some, both] = await Promise.all([
      outcome("measure", [path, ...quick]),
      outcome("measure", [path, "--exclude", "incomplete", ...quick]),
      outcome("measure", [path, "--exclude", "incomplete,duplicate", "--verbose", ...quick]),
    ]);
    assertFailed(whole, 1, /^measure: .*: line 5 holds the run "0", which line 1 holds already \(duplicate\)/);
    assertFailed(some, 1, /line 5 .*\(duplicate\)/);
    assert.equal(both.code, 0);
    assert.match(both.stdout, /\(synthetic\): 4 runs, 20 rounds, 3 options\n/);
    assert.match(both.stdout, /\n {2}left out, by line: 5 duplicate, 6 incomplete\n$/);
    assert.match(
      both.stderr,
      /^measure: .*: line 5 holds the run .* \(duplicate\); it is left out\n.*line 6 round 1, agent Chair: option A is NaN/,
    );
  });
});

Deno.test("measure takes a mapping, and identical runs for runs of their own where told so", async () => {
  const run = (x: number) =>
    JSON.stringify({ log: { m: Array.from({ length: 20 }, (_, t) => [x * t / 100, 1 - x * t / 100]) } });
  const mapping = JSON.stringify({ schema: "run-mapping/1", trajectory: "log.m" });
  const name = "HL-01__T0.7__N5__rolesFalse.jsonl";
  await withFiles({ [name]: [1, 3, 4, 4].map(run).join("\n"), "map.json": mapping }, async (folder) => {
    const flags = [`${folder}/${name}`, "--json", ...quick];
    const [plain, mapped, kept, wrong] = await Promise.all([
      outcome("measure", flags),
      outcome("measure", [...flags, "--mapping", `${folder}/map.json`]),
      outcome("measure", [...flags, "--mapping", `${folder}/map.json`, "--keep-identical"]),
      outcome("measure", [...flags, "--exclude", "incomplet"]),
    ]);
    assertFailed(plain, 1, /line 1 has neither rounds .* its fields are log: say in a mapping where they are/);
    assertFailed(mapped, 1, /line 4 has the states of line 3 throughout/);
    assertFailed(wrong, 2, /unknown kind of flaw "incomplet": did you mean incomplete/);
    const { replicates, lambda, synthetic } = JSON.parse(kept.stdout);
    assert.deepEqual([replicates, synthetic], [4, undefined]);
    // Distances grow as t − 1, so ln D as ln(t − 1): its least-squares slope over rounds 3 to 20.
    const t = Array.from({ length: 18 }, (_, i) => i + 3);
    const slope = t.reduce((sum, t) => sum + (t - 11.5) * Math.log(t - 1), 0) /
      t.reduce((sum, t) => sum + (t - 11.5) ** 2, 0);
    assert.ok(Math.abs(lambda - slope) < 1e-12);
  });
});

Deno.test("measure says of a file that is neither how it would have to be named", async () => {
  await withFiles({ "runs.jsonl": "{}\n", "cut.jsonl": '{"schema":"delib' }, async (folder) => {
    const [runs, cut, help] = await Promise.all([
      outcome("measure", [`${folder}/runs.jsonl`]),
      outcome("measure", [`${folder}/cut.jsonl`]),
      outcome("measure", ["--help"]),
    ]);
    assertFailed(
      runs,
      1,
      /runs\.jsonl is no ledger; runs of another program must be named after their condition, as in HL-01/,
    );
    assertFailed(cut, 1, /cut\.jsonl: no line declares a condition/);
    for (const flag of ["--mapping", "--exclude", "--keep-identical"]) assert.ok(help.stdout.includes(flag), flag);
  });
});
