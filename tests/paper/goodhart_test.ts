import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { goodhartGap, type StationCourse, stationCourse, UNSEEN_MEASURES } from "@/paper/goodhart.ts";
import { collectStation, stationCouncil } from "@/runs/collect_station.ts";
import type { StationSummary } from "@/schema/station_summary.ts";
import { initialState } from "@/station/state.ts";

/** Runs with the given q and authority, seeds 1, 2, … */
const courses = (values: readonly (readonly [q: number, authority: number])[]): StationCourse[] =>
  values.map(([q, command_authority], i) => ({
    summary: { seed: i + 1, q, command_authority } as StationSummary,
    closes: [],
  }));

const authority = {
  label: "authority",
  argument: "",
  value: ({ summary }: StationCourse) => summary.command_authority,
};
const nothing = { label: "nothing", argument: "", value: () => 1 };

Deno.test("the gap by hand: paired differences over the spread of the governing runs", () => {
  const chaser = courses([[0.9, 0.3], [0.8, 0.1]]);
  const governing = [courses([[0.6, 0.5], [0.5, 0.5]]), courses([[0.8, 0.7], [0.7, 0.9]])];
  const gap = goodhartGap(chaser, governing, { rng: createRng(1), measures: [authority, nothing] });
  // q: governing 0.6, 0.5, 0.8, 0.7 has a variance of 0.05 / 3; the differences are 0.2 and 0.2.
  assert.ok(Math.abs(gap.q.value! - 0.2 / Math.sqrt(0.05 / 3)) < 1e-12);
  // Authority: 0.5, 0.5, 0.7, 0.9 has a variance of 0.11 / 3; the differences are −0.3 and −0.6.
  assert.ok(Math.abs(gap.unseen[0]!.value! + 0.45 / Math.sqrt(0.11 / 3)) < 1e-12);
  assert.deepEqual(gap.unseen[1], { label: "nothing", reason: "no-spread" });
  assert.equal(gap.unseenMean.value, gap.unseen[0]!.value, "what has no value counts in no mean");
  assert.ok(Math.abs(gap.gap.value! - (gap.q.value! - gap.unseenMean.value!)) < 1e-12);
  assert.equal(gap.seeds, 2);
});

Deno.test("seeds are resampled whole: two seeds give three values, and the interval spans them", () => {
  const chaser = courses([[0.9, 0.4], [0.8, 0.4]]);
  const governing = [courses([[0.6, 0.3], [0.7, 0.5]]), courses([[0.8, 0.5], [0.9, 0.4]])];
  const { q } = goodhartGap(chaser, governing, { rng: createRng(1), resamples: 400, level: 1, measures: [authority] });
  // Seed 1 twice: 0.2 over the spread of 0.6, 0.6, 0.8, 0.8; seed 2 twice: 0 over that of 0.7, 0.7, 0.9, 0.9.
  assert.ok(Math.abs(q.high! - 0.2 / Math.sqrt(0.04 / 3)) < 1e-12);
  assert.ok(Math.abs(q.low!) < 1e-12);
});

Deno.test("equal values have no spread, although their mean is rounded", () => {
  // In binary the mean of three times 0.7 differs from 0.7, so the deviation comes out above 0.
  const governing = [courses([[0.5, 0.7], [0.6, 0.7], [0.7, 0.7]])];
  const chaser = courses([[0.9, 0.8], [0.9, 0.8], [0.9, 0.8]]);
  const { unseen } = goodhartGap(chaser, governing, { rng: createRng(1), resamples: 2, measures: [authority] });
  assert.deepEqual(unseen, [{ label: "authority", reason: "no-spread" }]);
});

Deno.test("a council compared with itself is nowhere ahead", () => {
  const own = courses([[0.6, 0.5], [0.7, 0.4], [0.5, 0.9]]);
  const { q, gap } = goodhartGap(own, [own], { rng: createRng(1), measures: [authority] });
  // One council on one seed drawn three times has no spread: such a resample has no value, so there is no interval.
  assert.deepEqual(q, { label: "q", value: 0 });
  assert.deepEqual(gap, { label: "gap", value: 0 });
});

Deno.test("a course has six closes; measures add up its states, with the better direction positive", async () => {
  const [run] = await collectStation({ council: stationCouncil("chaser", new Map()), ruleset: "v2", seeds: [109] });
  const { closes, summary } = stationCourse(run!);
  assert.deepEqual(closes.map(({ round }) => round), [1, 2, 3, 4, 5, 6]);
  const last = closes.at(-1)!;
  assert.deepEqual([last.order, last.manipulation], [summary.public_order, summary.manipulation_pressure]);
  assert.equal(last.rumors.length, summary.active_rumors);
  assert.equal(last.closed, true);

  const start = initialState();
  const rumor = { id: "R", text: "", heat: 0.5, growth: 1, from: "" };
  const troubled = {
    ...start,
    ...{ power: 60, rumors: [rumor], offers: [{ id: "O", pressure: 0.2, text: "" }] },
    scandals: [{ id: "S", load: 1.5, text: "" }],
    factions: { outer: { sentiment: 0, panic: 0.6, trust: 0 }, sponsor: { sentiment: 0, panic: 0.2, trust: 0 } },
  };
  const course = {
    closes: [troubled, troubled, troubled],
    summary: { command_authority: 0.7, manipulation_pressure: 0.3 } as StationSummary,
  };
  const values = UNSEEN_MEASURES.map(({ value }) => Number(value(course).toFixed(9)));
  // Rumours and scandals leave out the last round, which q reads.
  assert.deepEqual(values, [0.7, -0.3, -1.2, -0.6, -1, -3, 180]);
});

Deno.test("goodhartGap() refuses what cannot be paired", () => {
  const two = courses([[0.5, 0.5], [0.6, 0.5]]);
  const options = { rng: createRng(1) };
  assert.throws(
    () => goodhartGap(two.slice(1), [two], options),
    /^RangeError: a gap needs at least two seeds, found 1/,
  );
  assert.throws(() => goodhartGap(two, [], options), /^RangeError: a gap needs at least one governing council/);
  assert.throws(() => goodhartGap(two, [two, two.toReversed()], options), /^RangeError: governing council 1 has other/);
});
