import assert from "node:assert/strict";
import { surrogateCouncil } from "@/live/council.ts";
import { runExperiment } from "@/live/run_experiment.ts";
import { withFiles } from "../runs/with_files.ts";
import { outcome } from "./command.ts";

const NAME = "registered-routes";

Deno.test("register: the committed plan is registered already and shows what was changed, without writing", async () => {
  const { code, stdout } = await outcome("register", [NAME]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^registered-routes: registered 2026-\d\d-\d\dT.*, 20 runs a condition, seed 2026\nCHANGED after 2026-/,
  );
});

Deno.test("register --check: sealed runs are judged, what was not planned is named, and a lost ledger leaves its tests open", async () => {
  await withFiles({}, async (out) => {
    await runExperiment(NAME, { council: await surrogateCouncil(), out });
    await runExperiment({ scenario: "HL-01", lineup: "mixed" }, { replicates: 2, out });
    const whole = await outcome("register", [NAME, "--check", "--out", out]);
    assert.equal(whole.code, 0, whole.stderr);
    assert.match(whole.stdout, /\n(SHOWN|NOT SHOWN): In the uniform line-up, mandates raise λ̂ \(Δλ̂ .*Holm /);
    assert.match(whole.stdout, /Not planned, exploratory: HL-01__T0\.0__N5__rolesTrue__multimodel\n$/);
    await Deno.remove(`${out}/HL-01__T0.0__N5__rolesTrue.jsonl`);
    const less = await outcome("register", [NAME, "--check", "--out", out]);
    assert.equal(less.code, 1);
    assert.match(less.stdout, /rolesTrue: 0 complete runs; was not run\n[^]*NOT JUDGED: In the uniform line-up/);
    assert.match(less.stderr, /1 of 2 planned tests cannot be judged/);
  });
});

const mistakes: readonly [string[], number, RegExp][] = [
  [[], 2, /name one experiment/],
  [["two-routes"], 2, /two-routes has no plan to register/],
  [["two-routes", "--check"], 1, /two-routes is not registered: deno task register two-routes/],
  [
    [NAME, "--check", "--out", "no-such-folder"],
    1,
    /no-such-folder does not exist: run the experiment, or name its --out/,
  ],
];
for (const [args, code, message] of mistakes) {
  Deno.test(`register ${args.join(" ")}: exit code ${code} and the way out`, async () => {
    const { stderr, ...found } = await outcome("register", args);
    assert.equal(found.code, code);
    assert.match(stderr, message);
  });
}
