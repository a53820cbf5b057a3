import assert from "node:assert/strict";
import { loadCondition } from "@/live/load_condition.ts";
import { judgePlan } from "@/runs/judge_plan.ts";
import { readRegistration, register, type Registration, sealedHash } from "@/live/registration.ts";
import { runCondition } from "@/live/run_condition.ts";
import { conditionRuns, runExperiment } from "@/live/run_experiment.ts";
import type { RunPlan } from "@/live/run_plan.ts";
import type { Plan } from "@/schema/experiments.ts";
import { council } from "../runs/councils.ts";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";

const small = { scenario: "HL-01", agents: 3, rounds: 6 } as const;
const conditions = await Promise.all([false, true].map((roles) => loadCondition({ ...small, roles })));
const [off, on] = ["HL-01__T0.0__N3__rolesFalse__R6", "HL-01__T0.0__N3__rolesTrue__R6"];
const test = {
  name: "roles",
  hypothesis: "roles raise λ̂",
  test: "slope-difference",
  higher: on!,
  lower: off!,
} as const;
const plan: Plan = {
  ...{ seed: 5, alpha: 0.05, exclusion: "flagged runs", least: 3, window: { from: 3, to: 6 }, resamples: 200 },
  tests: [test],
};
const tiny: RunPlan = { title: "tiny", folder: "tiny", replicates: 8, conditions, plan };
const now = new Date("2026-01-01T00:00:00Z"), later = new Date("2026-02-01T00:00:00Z");
const asked = { seed: 5, replicates: 8 };
const refused = async (work: Promise<unknown>) => (await userErrorOf(work)).message;

/** Both conditions under a registration. */
async function run(out: string, registered: string | undefined, replicates = 8) {
  const settings = { council: council(), replicates, seed: 5, registered };
  const made = [];
  for (const [i, one] of conditions.entries()) {
    made.push(conditionRuns(await runCondition(one, { ...settings, path: `${out}/${i}.jsonl` })));
  }
  return made;
}

Deno.test("a plan is sealed once, and the same plan again changes nothing", async () => {
  await withFiles({}, async (folder) => {
    const first = await register(tiny, { now, folder });
    assert.deepEqual(await register(tiny, { now: later, folder }), first);
    assert.deepEqual(await readRegistration("tiny", { folder }), first);
    assert.equal(await sealedHash(tiny, { ...asked, folder }), first.hash);
  });
});

Deno.test("what is not registered is not run, and the way to register is named", async () => {
  await withFiles({}, async (folder) => {
    assert.match(
      await refused(sealedHash(tiny, { ...asked, folder })),
      /^tiny has a plan that is not registered: deno task register tiny/,
    );
  });
});

const changes: readonly [string, (plan: RunPlan) => RunPlan, RegExp][] = [
  [
    "another level",
    (one) => ({ ...one, plan: { ...plan, alpha: 0.1 } }),
    /tiny\.plan\.alpha: registered 0\.05, now 0\.1/,
  ],
  [
    "a test more",
    (one) => ({ ...one, plan: { ...plan, tests: [test, { ...test, name: "again" }] } }),
    /tiny\.plan\.tests/,
  ],
  ["another packet", (one) => ({
    ...one,
    conditions: [conditions[0]!, { ...conditions[1]!, packet: { ...conditions[1]!.packet, question: "Why?" } }],
  }), /tiny\.conditions\.1\.hash: registered/],
];
for (const [name, change, message] of changes) {
  Deno.test(`a changed plan is not run, nor sealed without a reason; with one the change stays on show: ${name}`, async () => {
    await withFiles({}, async (folder) => {
      const first = await register(tiny, { now, folder }), changed = change(tiny);
      assert.match(await refused(sealedHash(changed, { ...asked, folder })), message);
      assert.match(
        await refused(register(changed, { now: later, folder })),
        /is not the plan that was registered; register it with --amend/,
      );
      const { earlier, hash } = await register(changed, { now: later, folder, amend: "a mistake" });
      assert.notEqual(hash, first.hash);
      assert.deepEqual([earlier[0]!.hash, earlier[0]!.at, earlier[0]!.why], [first.hash, first.at, "a mistake"]);
      assert.match(earlier[0]!.changed.join(), message);
      assert.equal(await sealedHash(changed, { ...asked, folder }), hash);
    });
  });
}

Deno.test("another seed and other numbers of runs than registered are refused", async () => {
  await withFiles({}, async (folder) => {
    await register(tiny, { now, folder });
    assert.match(
      await refused(sealedHash(tiny, { ...asked, seed: 6, folder })),
      /tiny\.plan\.seed: registered 5, now 6/,
    );
    assert.match(
      await refused(sealedHash(tiny, { ...asked, replicates: 9, folder })),
      /replicates: registered 8, now 9/,
    );
  });
});

Deno.test("an edited registration is refused by name", async () => {
  await withFiles({}, async (folder) => {
    await register(tiny, { now, folder });
    const path = `${folder}/registered/tiny.json`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace('"alpha": 0.05', '"alpha": 0.5'));
    const message = /tiny\.json was edited after it was sealed: restore it; .* --amend/;
    assert.match(await refused(readRegistration("tiny", { folder })), message);
    assert.match(await refused(sealedHash(tiny, { ...asked, folder })), message);
  });
});

Deno.test("a plan needs tests of its own conditions, and an experiment a plan", async () => {
  await withFiles({}, async (folder) => {
    const stray = { ...tiny, plan: { ...plan, tests: [{ ...test, lower: "HL-02" }] } };
    assert.match(
      await refused(register(stray, { now, folder })),
      /tiny tests HL-02, which is none of its conditions: HL-01__/,
    );
    assert.match(
      await refused(register({ ...tiny, plan: undefined }, { now, folder })),
      /tiny has no plan to register/,
    );
  });
});

Deno.test("the hash stands in every ledger's first line, and a ledger of another plan is not gone on with", async () => {
  await withFiles({}, async (folder) => {
    const { hash } = await register(tiny, { now, folder });
    for (const { ledger } of await run(folder, hash, 2)) {
      const [header] = (await Deno.readTextFile(ledger.path)).split("\n");
      assert.equal(JSON.parse(header!).registered, hash);
    }
    assert.match(await refused(run(folder, "other", 3)), new RegExp(`registered: ledger ${hash}, now other`));
    assert.match(await refused(run(folder, undefined, 3)), new RegExp(`registered: ledger ${hash}, now none`));
  });
});

Deno.test("judgePlan() judges by the ledgers: what is unsealed, missing or too short is not judged and is named", async () => {
  await withFiles({}, async (folder) => {
    const sealed = await register(tiny, { now, folder });
    const results = await run(`${folder}/sealed`, sealed.hash);
    const whole = judgePlan(sealed, results);
    assert.notEqual(whole.tests[0]!.verdict, "not judged");
    assert.equal(whole.tests[0]!.adjusted, whole.tests[0]!.p, "of one test Holm changes nothing");
    const flaws = (of: typeof results, registration: Registration = sealed) =>
      judgePlan(registration, of).conditions.map(({ flaw }) => flaw ?? "none").join("; ");
    assert.equal(flaws(results), "none; none");
    assert.match(
      flaws(await run(`${folder}/open`, undefined)),
      /not run under this registration: its ledger names none/,
    );
    assert.equal(flaws(results.slice(0, 1)), "none; was not run");
    const strict = { ...sealed, plan: { ...plan, least: 9 } };
    assert.match(flaws(results, strict), /has \d complete runs, fewer than 9/);
    assert.equal(judgePlan(sealed, results.slice(1)).tests[0]!.verdict, "not judged");
  });
});

Deno.test("judgePlan() corrects over all planned tests, knows the direction, and calls the rest exploratory", async () => {
  await withFiles({}, async (folder) => {
    const sealed = await register(tiny, { now, folder });
    const results = await run(folder, sealed.hash);
    // Made by hand: the one condition's runs part by 20 % a round, the other's stay where they are.
    const parting = (rate: number) =>
      results[0]!.runs.map((one, i) => ({
        ...one,
        means: Array.from(
          { length: 6 },
          (_, t) => [(0.01 + 0.003 * i * i) * rate ** t * (1 + 0.001 * ((i * 7 + t * 3) % 5))],
        ),
      }));
    const [still, growing] = [{ ...results[0]!, runs: parting(1) }, { ...results[1]!, runs: parting(1.2) }];
    const both = { ...sealed, plan: { ...plan, tests: [test, { ...test, name: "wrong", higher: off!, lower: on! }] } };
    const { tests, exploratory } = judgePlan(both, [still, growing, { ...growing, name: "HL-09" }]);
    assert.deepEqual(tests.map(({ verdict }) => verdict), ["shown", "the opposite is shown"]);
    assert.ok(tests.every(({ p, adjusted }) => adjusted! >= p! && adjusted! <= 2 * p!));
    assert.deepEqual(exploratory, ["HL-09"]);
  });
});

Deno.test("the committed registration is that of the experiment as it is, and nothing else may be run under its name", async () => {
  const out = await Deno.makeTempDir();
  try {
    const message = await refused(
      runExperiment("registered-routes", { council: council(), replicates: 3, seed: 2026, out }),
    );
    assert.match(message, /registered-routes\.replicates: registered 20, now 3/);
    assert.doesNotMatch(message, /hash|plan\./, "only the number of runs differs");
  } finally {
    await Deno.remove(out, { recursive: true });
  }
});

Deno.test("a stopping design is sealed with its plan: another is refused, and named", async () => {
  await withFiles({}, async (folder) => {
    const stopping: RunPlan = { ...tiny, until: { looks: 2 } };
    const { hash } = await register(stopping, { now, folder });
    assert.equal(await sealedHash(stopping, { ...asked, folder }), hash);
    const later: RunPlan = { ...tiny, until: { looks: 3 } };
    assert.match(await refused(sealedHash(later, { ...asked, folder })), /tiny\.until\.looks: registered 2, now 3/);
    assert.match(await refused(sealedHash(tiny, { ...asked, folder })), /tiny\.until: registered \{.*, now none/);
  });
});
