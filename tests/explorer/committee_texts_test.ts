// @ts-types="@types/d3-dsv"
import { csvParse } from "d3-dsv";
import assert from "node:assert/strict";
import { letter, runRounds } from "@/explorer/committee/data.ts";
import { divergenceCsv } from "@/explorer/committee/measure_view.ts";
import { roundText } from "@/explorer/committee/run_view.ts";
import { openingState, withReplicates, withTo } from "@/explorer/committee/state.ts";
import {
  bestLawText,
  chartText,
  drawnLawText,
  percentileText,
  stripText,
  studentisedTexts,
  summaryText,
  zerosText,
} from "@/explorer/committee/texts.ts";
import { OPTION_LETTERS } from "@/schema/scenario.ts";
import { doubling, entryOf, measuredOf, opening, shortRun } from "./committee_entries.ts";

Deno.test("what is read out holds runs, window, slope, interval, references and law", () => {
  assert.equal(
    summaryText(opening),
    "made by hand: 4 of 4 complete runs. λ̂ over rounds 3 to 20 is 0.6931, 95 % interval [0.6931, 0.6931]. " +
      "A random walk has 0.0509, straight paths have 0.1018. " +
      "Law of growth: exponential, best in 100 % of resamples.",
  );
  const lost = { ...opening, state: { ...opening.state, condition: { ...doubling, target: 6 } } };
  assert.match(summaryText(lost), /^made by hand: 4 of 4 complete runs \(6 planned\)\./);
});

Deno.test("what is still being worked out is an ellipsis; what does not exist says why, never a number", () => {
  const early = { ...opening, careful: {} };
  assert.deepEqual([percentileText(undefined), bestLawText(undefined), drawnLawText(early)], ["…", "…", "…"]);
  assert.deepEqual(studentisedTexts(undefined), { interval: "…", p: "…" });
  const two = measuredOf(withReplicates(opening.state, 2));
  assert.match(summaryText(two), /is 0\.6931, no interval\. .* Law of growth: undefined: too few replicates\.$/);
  assert.equal(percentileText(two.careful.bootstrap), "undefined: too few replicates");
  const still = measuredOf(openingState(entryOf(() => 1, { places: [2, 2, 2] })));
  assert.match(summaryText(still), /is undefined: no divergence, no interval/);
  assert.match(chartText(still), /D is 0\.0000 in round 1 .*; no line over rounds 3 to 20$/);
  assert.match(zerosText(still.quick), /^D = 0 in rounds 1, 2, 3, .*, 20: all runs agree/);
  assert.equal(zerosText(opening.quick), "");
});

Deno.test("pictures say in words what they show", () => {
  assert.match(chartText(opening), /^ln D\(t\) of made by hand; D is .* a line of slope 0\.6931 over rounds 3 to 20$/);
  assert.match(stripText(opening), /^λ̂ 0\.6931 with interval \[0\.6931, 0\.6931\] among .*straight paths 0\.1018$/);
});

Deno.test("the download is read back: D, ln D, fit, law and slope, unknown left empty", () => {
  const measured = measuredOf(withTo(opening.state, 12));
  const rows = csvParse(divergenceCsv(measured));
  assert.equal(rows.length, 20);
  for (const { round, D, ln_D, in_window, D_fitted, D_law, lambda, low, law, replicates, synthetic } of rows) {
    const inside = Number(round) >= 3 && Number(round) <= 12;
    // The six distances between 0, 1, 3 and 4.5 sum to 15.5.
    assert.ok(Math.abs(Number(D) / ((15.5 / 6) * 2 ** Number(round)) - 1) < 1e-12);
    assert.ok(Math.abs(Number(ln_D) - Math.log(Number(D))) < 1e-12);
    assert.deepEqual([in_window, law, replicates, synthetic], [String(inside), "exponential", "4", "true"]);
    if (!inside) assert.deepEqual([D_fitted, D_law], ["", ""]);
    else for (const fitted of [D_fitted, D_law]) assert.ok(Math.abs(Number(fitted) / Number(D) - 1) < 1e-9);
    for (const slope of [lambda, low]) assert.ok(Math.abs(Number(slope) - Math.LN2) < 1e-12);
  }
  const [first] = csvParse(divergenceCsv({ ...opening, careful: {} }));
  assert.deepEqual([first!.low, first!.high, first!.law], ["", "", ""]);
});

Deno.test("a run is read round by round: who spoke when, where everyone stands, and who changed", () => {
  const rounds = runRounds(shortRun);
  assert.deepEqual(rounds.map(({ mean }) => mean), [[0.25, 0.5, 0.25], [0.1, 0.8, 0.1]]);
  assert.deepEqual(rounds[0]!.spoken.map(({ name }) => name), ["Rights", "Chair"]);
  assert.deepEqual(rounds[0]!.seats.map(({ name, top, tied }) => [name, top, tied]), [
    ["Chair", "A", true],
    ["Rights", "B", false],
  ]);
  assert.deepEqual(rounds[1]!.seats.map(({ was }) => was), ["A", undefined]);
  assert.deepEqual(runRounds({ ...shortRun, turns: shortRun.turns.slice(0, 3) }).length, 1, "whole rounds alone");
  assert.deepEqual(OPTION_LETTERS.map((_, k) => letter(k)), [...OPTION_LETTERS]);
});

Deno.test("a round that is read out ends with the decision after the last", () => {
  const rounds = runRounds(shortRun);
  assert.equal(
    roundText(shortRun, rounds, 2),
    "a short run, round 2: committee mean A 0.10, B 0.80, C 0.10. Top options: Chair B, was A; Rights B. " +
      "After it the committee decides B.",
  );
  assert.match(roundText(shortRun, rounds, 1), /Top options: Chair A \(tie\); Rights B\.$/);
  const { decision: _, ...undecided } = shortRun;
  assert.match(roundText(undecided, rounds, 2), /After it no decision could be read\.$/);
});
