import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { type ConditionRuns, conditionRuns, runExperiment } from "@/live/run_experiment.ts";
import { lookFlaw } from "@/record/ledger_rules.ts";
import type { LookLine } from "@/schema/ledger_line.ts";
import { type LookRow, lookRows, stopReport } from "@/runs/stop_report.ts";
import { planRuns } from "@/live/run_plan.ts";
import { stopRule, stopRuleOf } from "@/runs/stop_rule.ts";
import type { Look, UntilSpec } from "@/schema/until.ts";
import { sequentialSlope } from "@/stats/sequential.ts";
import { Unanswered } from "@/model/chat_model.ts";
import { surrogateCouncil } from "@/live/council.ts";
import { growing } from "../stats/ensembles.ts";
import { council, counting, LIVE } from "./councils.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const spec = { scenario: "HL-01", agents: 3, rounds: 6 } as const, NAME = "HL-01__T0.0__N3__rolesTrue__R6";
const until: UntilSpec = { reach: "growth", looks: [3, 5, 7], resamples: 400, alpha: 0.01 };
const rule = () => stopRule(until, { rounds: 6 });
const words = async (work: Promise<unknown>) => (await userErrorOf(work)).message;
const bare = ({ looks }: { looks: readonly Look[] }) =>
  looks.map(({ look, begun, runs, decision }) => [look, begun, runs, decision]);

Deno.test("a design that finds nothing takes all its looks; the same call again asks nothing and changes nothing", async () => {
  await withFiles({}, async (out) => {
    const { council, requests } = counting(LIVE);
    const [first] = await runExperiment(spec, { council, until: rule(), out });
    assert.deepEqual(bare(first!.ledger), [[1, 3, 3, "go on"], [2, 5, 5, "go on"], [3, 7, 7, "no decision"]]);
    assert.deepEqual([first!.accounting.target, first!.accounting.realised], [7, 7]);
    const [asked, text] = [requests.length, await Deno.readTextFile(`${out}/${NAME}.jsonl`)];
    const [again] = await runExperiment(spec, { council, until: rule(), out });
    assert.equal(requests.length, asked);
    assert.equal(await Deno.readTextFile(`${out}/${NAME}.jsonl`), text);
    assert.deepEqual(again!.ledger.looks, first!.ledger.looks);
    const means = first!.runs.map(({ means }) => means);
    const options = { looks: [3, 5, 7], alpha: 0.01, resamples: 400, rng: createRng(1).fork("looks"), from: 3, to: 6 };
    const seen = (looks: readonly { p?: number | undefined; level?: number | undefined }[]) =>
      looks.map(({ p, level }) => [p, level]);
    assert.deepEqual(seen(first!.ledger.looks), seen(sequentialSlope(means, options).looks));
  });
});

Deno.test("cut off at any line, a ledger with looks is resumed to the same runs, looks and decisions", async () => {
  await withFiles({}, async (out) => {
    const path = `${out}/${NAME}.jsonl`;
    const [whole] = await runExperiment(spec, { council: council(undefined, LIVE), until: rule(), out });
    const lines = (await Deno.readTextFile(path)).split("\n").slice(0, -1);
    const kinds = lines.map((line) => JSON.parse(line).kind);
    const near = kinds.flatMap((kind, i) => kind === "event" ? [] : [i, i + 1]);
    const cuts = [...new Set([...near, 20, 75, 130])].filter((cut) => cut > 0 && cut < lines.length);
    assert.ok(cuts.length >= 10);
    for (const cut of cuts) {
      await Deno.remove(`${path}.lines`);
      await Deno.writeTextFile(path, lines.slice(0, cut).map((line) => `${line}\n`).join(""));
      const [resumed] = await runExperiment(spec, { council: council(undefined, LIVE), until: rule(), out });
      const seen = ({ ledger }: typeof resumed & object) => ledger.looks.map(({ at: _, ...look }) => look);
      assert.deepEqual(seen(resumed!), seen(whole!), `cut at line ${cut}`);
      assert.deepEqual(resumed!.runs.map(({ means }) => means), whole!.runs.map(({ means }) => means));
      assert.deepEqual((await readLedger(path)).damaged, []);
    }
  });
});

Deno.test("a design is the one declared before the first run: another, a later or none is refused with the difference", async () => {
  await withFiles({}, async (out) => {
    const settings = { council: council(undefined, LIVE), out };
    const aborted = new AbortController();
    const stopped = runExperiment(spec, {
      ...settings,
      until: rule(),
      signal: aborted.signal,
      onRun: () => aborted.abort(),
    });
    await stopped.catch(() => {});
    assert.match(await words(runExperiment(spec, { ...settings, replicates: 3 })), /until: ledger \{.*, now none/);
    const other = stopRule({ ...until, looks: [3, 6, 7] }, { rounds: 6 });
    assert.match(await words(runExperiment(spec, { ...settings, until: other })), /until.looks.1: ledger 5, now 6/);
    await runExperiment({ ...spec, roles: false }, { ...settings, replicates: 1 });
    assert.match(
      await words(runExperiment({ ...spec, roles: false }, { ...settings, until: rule() })),
      /until: ledger none, now \{/,
    );
  });
});

Deno.test("going on after a design has ended is possible, marked as not planned, and counts in no look", async () => {
  await withFiles({}, async (out) => {
    const settings = { council: council(undefined, LIVE), out };
    await runExperiment(spec, { ...settings, until: rule() });
    const [more] = await runExperiment(spec, { ...settings, replicates: 9 });
    assert.equal(more!.runs.length, 9);
    assert.equal(more!.ledger.declaration.unplanned, true);
    assert.match(stopReport(more!)!, /no decision at look 3 of 3 \(7 of 7 runs, .*; 2 more runs were not planned/);
    const [again] = await runExperiment(spec, { ...settings, until: rule() });
    assert.deepEqual([again!.runs.length, again!.ledger.looks.length], [9, 3]);
  });
});

Deno.test("a design of the experiment needs its rule, and goes with no continuations", async () => {
  const settings = { council: council(), out: "/nowhere" };
  const branch = { round: 2, continuations: 2 };
  assert.match(await words(runExperiment(spec, { ...settings, until: rule(), branch })), /cannot be continued/);
});

/** Looks at made runs one after the other, as a ledger would. */
function lookAt(
  runs: readonly (readonly (readonly number[])[])[],
  given: UntilSpec,
  lost: readonly number[] = [],
): Look[] {
  const { next, look } = stopRule(given, { rounds: 20 }), looks: Look[] = [];
  for (let begun = next(looks); begun !== undefined; begun = next(looks)) {
    const there = runs.slice(0, begun).filter((_, i) => !lost.includes(i));
    looks.push(look(there, { begun, looks, seed: 1 }));
  }
  return looks;
}

const parting = growing(createRng(3), 0.1, { replicates: 40 }), still = growing(createRng(4), 0, { replicates: 60 });

Deno.test("a look that shows growth is the last", () => {
  const looks = lookAt(parting, { reach: "growth", looks: [8, 16, 24] });
  assert.equal(looks.at(-1)!.decision, "growth");
  assert.ok(looks.length < 3 && looks.slice(0, -1).every(({ decision }) => decision === "go on"));
});

Deno.test("lost runs: levels follow the runs that there are, and looks without any new run are passed over", () => {
  const given: UntilSpec = { reach: "growth", looks: [8, 12, 16] };
  const whole = lookAt(still, given), lost = lookAt(still, given, [2, 8, 9, 10, 11]);
  assert.deepEqual(lost.map(({ begun, runs, decision }) => [begun, runs, decision]), [
    [8, 7, "go on"],
    [12, 7, "skipped"],
    [16, 11, "no decision"],
  ]);
  assert.equal(lost[1]!.reason, "no-new-runs");
  assert.ok(lost[0]!.level! < whole[0]!.level!);
  const none = lookAt(still, given, Array.from({ length: 16 }, (_, i) => i));
  assert.deepEqual(none.map(({ decision }) => decision), ["skipped", "skipped", "no decision"]);
});

Deno.test("a width: the pilot says how many runs are needed, and the second look is the last", () => {
  const looks = lookAt(still, { reach: "width", halfWidth: 0.015, atMost: 50 });
  assert.equal(looks[0]!.begun, 12);
  assert.ok(looks[0]!.needed! > 12 && looks[0]!.needed! <= 50);
  assert.deepEqual(looks.map(({ begun }) => begun), [12, looks[0]!.needed!]);
  assert.ok(["narrow", "no decision"].includes(looks[1]!.decision));
  assert.equal(lookAt(still, { reach: "width", halfWidth: 0.5, atMost: 20 }).length, 1);
  const [few] = lookAt(still, { reach: "width", halfWidth: 0.015, atMost: 50 }, [0, 1, 2, 3, 4]);
  assert.deepEqual([few!.decision, few!.reason], ["no decision", "too-few-replicates"]);
});

const flawed: readonly (readonly [string, UntilSpec, Parameters<typeof stopRule>[1], RegExp])[] = [
  ["falling looks", { reach: "growth", looks: [8, 6] }, { rounds: 20 }, /is not in form: looks: must rise/],
  [
    "another number of runs",
    { reach: "growth", looks: [8, 30] },
    { rounds: 20, replicates: 20 },
    /ends at 30 runs, and 20/,
  ],
  ["too few rounds", { reach: "growth" }, { rounds: 4 }, /fits rounds 3 to 4: a slope needs at least 3/],
  ["rounds that are not there", { reach: "growth", window: { from: 3, to: 20 } }, { rounds: 9 }, /have 9/],
  ["a level of one half", { reach: "growth", alpha: 0.5 }, { rounds: 20 }, /alpha: /],
  ["a small pilot", { reach: "width", halfWidth: 0.1, pilot: 5 }, { rounds: 20 }, /pilot: /],
  ["less runs than the pilot", { reach: "width", halfWidth: 0.1, atMost: 9 }, { rounds: 20 }, /atMost must be/],
];
for (const [name, given, options, message] of flawed) {
  Deno.test(`stopRule() refuses ${name}`, () => {
    assert.throws(() => stopRule(given, options), { name: "UserError", message });
  });
}

Deno.test("an experiment's own design is taken, and another beside it is refused", async () => {
  const plan = await planRuns(spec), declared = { ...plan, replicates: 7, until };
  assert.deepEqual(stopRuleOf(declared, {})!.design, rule().design);
  assert.equal(stopRuleOf(plan, {}), undefined);
  assert.equal(stopRuleOf(plan, { until, replicates: 7 })!.largest, 7);
  assert.throws(() => stopRuleOf(declared, { until }), /declares when it may stop, so until cannot be given/);
  assert.throws(() => stopRuleOf({ ...declared, replicates: 9 }, {}), /ends at 7 runs, and 9 are asked for/);
});

Deno.test("where no looks are named they come every four runs, the last at the most there may be", () => {
  const looksOf = (replicates: number) =>
    (stopRule({ reach: "growth" }, { replicates, rounds: 20 }).design as { looks: number[] }).looks;
  assert.deepEqual([looksOf(20), looksOf(10), looksOf(8), looksOf(6)], [[8, 12, 16, 20], [8, 10], [8], [6]]);
});

Deno.test("the report names look, runs, calls, what is shown, and what a reader of every p would have said", async () => {
  await withFiles({}, async (out) => {
    const [one] = await runExperiment({ scenario: "HL-01" }, {
      ...{ council: await surrogateCouncil(), seed: 1, out },
      until: stopRule({ reach: "growth" }, { replicates: 20, rounds: 20 }),
    });
    const { look, begun, p, level } = one!.ledger.looks.at(-1)!, words = stopReport(one!)!;
    assert.ok(p! <= level!);
    assert.match(
      words,
      new RegExp(
        `^HL-01, roles on: stopped at look ${look} of 4 \\(${begun} of 20 runs, \\d+ calls\\)`.replace(
          "HL-01, roles on",
          one!.label,
        ),
      ),
    );
    assert.match(words, /runs drift apart, which a random walk does too \(0\.0509\)/);
    assert.match(words, /a reader who stops at the first p ≤ 0\.05 would have stopped at \d+ runs$/);
    const rows: LookRow[] = lookRows([conditionRuns(await readLedger(one!.ledger.path))]);
    assert.deepEqual(
      rows.map(({ n, decision }) => [n, decision]),
      one!.ledger.looks.map(({ runs, decision }) => [runs, decision]),
    );
  });
});

Deno.test("a look waits for a run that the endpoint left open", async () => {
  await withFiles({}, async (out) => {
    let calls = 0;
    const once = council((chat) => (request, options) => {
      if (++calls === 5) throw new Unanswered("timeout", "no answer", { scope: "call", tries: [] });
      return chat(request, options);
    }, LIVE);
    const [waiting] = await runExperiment(spec, { council: once, until: rule(), out });
    assert.deepEqual([waiting!.ledger.looks.length, waiting!.accounting.deficit], [0, 1]);
    assert.match(stopReport(waiting!)!, /look 1 of 3 waits for 3 runs/);
    const [resumed] = await runExperiment(spec, { council: council(undefined, LIVE), until: rule(), out });
    assert.deepEqual(bare(resumed!.ledger).map(([look]) => look), [1, 2, 3]);
  });
});

Deno.test("a look that is missing before another, of another design or of another condition is named", async () => {
  await withFiles({}, async (out) => {
    const [{ ledger: { declaration, looks } }] = await runExperiment(spec, {
      council: council(),
      until: rule(),
      out,
    }) as [
      ConditionRuns,
    ];
    const [first, second, third] = looks as [LookLine, LookLine, LookLine];
    assert.equal(lookFlaw(third, declaration, [first, second]), undefined);
    assert.match(lookFlaw(third, declaration, [first])!, /is look 3, after 1 looks/);
    assert.match(lookFlaw({ ...first, design: "other" }, declaration, [])!, /design that is not declared/);
    assert.match(lookFlaw({ ...first, hash: "other" }, declaration, [])!, /does not declare/);
  });
});
