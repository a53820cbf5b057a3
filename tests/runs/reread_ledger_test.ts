import assert from "node:assert/strict";
import { type Answers, condition, council as committee } from "../deliberation/committee.ts";
import { outcome } from "../tools/command.ts";
import { withFiles } from "./with_files.ts";
import { conditionHash } from "@/deliberation/deliberate.ts";
import { accountReadings, accountRuns } from "@/runs/accounting.ts";
import { committeeRuns } from "@/runs/collect_runs.ts";
import { type Ledger, readLedger } from "@/runs/read_ledger.ts";
import { rereadLedger } from "@/runs/reread_ledger.ts";
import { runCondition } from "@/runs/run_condition.ts";
import type { Condition } from "@/schema/condition.ts";

const strict = await condition({ rounds: 2 });
const normalised = await condition({ rounds: 2, normaliser: true });

/** First replies are near misses with the shares 0.6, 0.3, 0.1; the answers to repair requests say 0.2, 0.3, 0.5. */
const loose: Answers = {
  turn: () => "Why not.\n\n**STATE:** pref=[0.6, 0.3, 0.1]; conf=60%; tags=[First tag, second-tag]",
  repair: () => 'STATE: pref=[0.2,0.3,0.5]; conf=60; tags=["first_tag","second_tag"]',
};

/** The ledger of two runs of a scripted council, in a folder that `use` may look into. */
const withLedger = (of: Condition, answers: Answers, use: (ledger: Ledger) => Promise<void> | void) =>
  withFiles({}, async (folder) => {
    const council = { chat: committee(answers).chat, identity: "by hand", synthetic: true, live: false };
    const path = `${folder}/x.jsonl`;
    await runCondition(of, { council: { ...council, concurrency: 1 }, replicates: 2, seed: 1, path });
    await use(await readLedger(path));
  });

const meansOf = (ledger: Ledger) =>
  committeeRuns(ledger).map(({ means }) => means.map((row) => row.map((x) => +x.toFixed(9))));
const twice = <T>(value: T): T[] => [value, value];

Deno.test("rereadLedger() gives the shares that the other parser reads in the same words", () =>
  withLedger(strict, loose, (ledger) => {
    assert.deepEqual(meansOf(ledger), twice(twice([0.2, 0.3, 0.5])));
    const again = rereadLedger(ledger, { normaliser: true });
    assert.deepEqual(meansOf(again), twice(twice([0.6, 0.3, 0.1])));
    assert.deepEqual(again.declaration.condition, normalised);
    assert.equal(again.declaration.hash, conditionHash(normalised));
    assert.equal(again.declaration.name, "IM-01__T0.0__N5__rolesTrue__R2__normaliser");
    const readings = (
      { turns, unreadable, normalised }: ReturnType<typeof accountReadings>,
    ) => [turns, unreadable, normalised];
    assert.deepEqual([ledger, again].map((one) => readings(accountReadings(one))), [[20, 20, 0], [20, 0, 20]]);
    assert.equal(rereadLedger(ledger, { normaliser: false }), ledger, "its own parser changes nothing");
  }));

Deno.test("rereadLedger() counts runs that would have gone on otherwise as missing, and leaves damaged ones alone", () =>
  withLedger(normalised, loose, (ledger) => {
    const { realised, causes } = accountRuns(rereadLedger(ledger, { normaliser: false }));
    assert.deepEqual([realised, causes], [0, { never_asked: 2 }]);
    const [first, second] = ledger.runs;
    const { closed: _, ...open } = second!;
    const cut = { ...open, events: open.events.slice(0, 2) };
    const damaged = { ...ledger, runs: [{ ...first!, damaged: true as const }, cut] };
    const mixed = accountRuns(rereadLedger(damaged, { normaliser: false }));
    assert.deepEqual(mixed.causes, { damaged: 1, unfinished: 1 });
  }));

Deno.test("rereadLedger() refuses continuations, which were not read from their beginning", () =>
  withLedger(strict, {}, (ledger) => {
    const base = [...ledger.runs[0]!.events];
    const continued = { ...ledger, declaration: { ...ledger.declaration, base } };
    assert.throws(
      () => rereadLedger(continued, { normaliser: true }),
      /x\.jsonl continues another run .*; name a ledger of whole runs$/m,
    );
  }));

Deno.test("measure --reread measures the same words under the other parser, and says so", () =>
  withLedger(strict, loose, async ({ path }) => {
    const flags = ["--from", "1", "--to", "2", "--resamples", "10", "--permutations", "10"];
    const measure = (...more: string[]) => outcome("measure", [path, "--verbose", ...flags, ...more]);
    const [json, words, strictly, wrong] = await Promise.all([
      measure("--json", "--reread", "normalised"),
      measure("--reread", "normalised"),
      measure("--json", "--reread", "strict"),
      measure("--reread", "lenient"),
    ]);
    const { name, reread, replicates } = JSON.parse(json.stdout);
    assert.deepEqual([name, reread, replicates], ["IM-01__T0.0__N5__rolesTrue__R2__normaliser", "normalised", 2]);
    assert.match(words.stdout, /^ {2}replies read again \(normalised\); they answer to what was read when/m);
    assert.deepEqual([JSON.parse(strictly.stdout).name, strictly.code], ["IM-01__T0.0__N5__rolesTrue__R2", 0]);
    assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    assert.match(wrong.stderr, /^measure: unknown parser "lenient"/);
    const input = outcome("measure", ["-", "--reread", "strict"], { input: "[]" });
    assert.match((await input).stderr, /^measure: --reread needs the replies, which standard input does not hold/);
  }));
