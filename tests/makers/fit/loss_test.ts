import assert from "node:assert/strict";
import { type Role, ROLES } from "@/schema/scenario.ts";
import {
  type CellFacts,
  majorityMisfit,
  type StageOneCell,
  type StageOneFacts,
  stageOneLoss,
  stageOneTerms,
} from "./loss.ts";

const terms = await stageOneTerms();

// Fig. 1B and Table S5 at T = 0: λ̂, flip rate, median time to majority.
const PUBLISHED: readonly [StageOneCell, number, number?, number?][] = [
  ["HL-01 no roles", 0.0221],
  ["HL-01 roles", 0.0541],
  ["HL-01 mixed", 0.0947],
  ["HL-01 mixed roles", 0.0519],
  ["IM-01 roles", 0.0838, 0.45, 2],
  ["IM-01 no roles", 0.0045, 0, 1],
  ["IM-01 -Chair", 0.0304, 0, 16],
  ["IM-01 -Welfare", 0.068, 0.3, 2],
  ["IM-01 -Rights", 0.0711, 0.5, 2],
  ["IM-01 -Equity", 0.0413, 0.25, 2],
  ["IM-01 -Security", 0.0822, 0.45, 2],
];

/** Facts that are the published ones: Table S7's switches, S4.3's outcomes 4 : 2 : 0, S3.2's Γ̂. */
function published(): { cells: Record<StageOneCell, CellFacts>; gamma: number } {
  const blank: CellFacts = {
    lambda: 0,
    flip: 0,
    majority: 1,
    outcomes: [2 / 3, 1 / 3, 0],
    switches: [2.76, 0.71, 0.09, 9, 9],
    // D(1) 0.03, and D(20) 0.1; roles and mixed have 0.15.
    divergence: [0.03, ...new Array<number>(18).fill(0.05), 0.1],
    carried: 0.01,
  };
  const above = { divergence: blank.divergence.with(19, 0.15) };
  const cells = Object.fromEntries([
    ...PUBLISHED.map(([name, lambda, flip = 0, majority = 1]) => [name, {
      ...{ ...blank, lambda, flip, majority },
      ...(["HL-01 roles", "HL-01 mixed"].includes(name) && above),
    }]),
    // The Chair's fall 0.04, the others' 0.
    ...ROLES.map((role) => [`HL-01 -${role}`, { ...blank, lambda: role === "Chair" ? 0.0141 : 0.0541 }]),
  ]);
  return { cells, gamma: 0.054 };
}
const changed = (name: StageOneCell, more: Partial<CellFacts>): StageOneFacts => {
  const facts = published();
  return { ...facts, cells: { ...facts.cells, [name]: { ...facts.cells[name], ...more } } };
};
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

Deno.test("stageOneTerms(): eleven λ̂, seven flips, seven times, three switches, three outcomes, the fall, five signs, Γ̂ and nine readings", () => {
  const counts = [...Map.groupBy(terms, ({ group }) => group)].map(([group, of]) => [group, of.length]);
  assert.deepEqual(Object.fromEntries(counts), {
    "λ̂ of IM-01 and HL-01 at T = 0": 11,
    "flip rate at T = 0": 7,
    "time to majority at T = 0": 7,
    "switches: Chair, Welfare, Rights": 3,
    "outcomes of IM-01": 3,
    "the Chair's fall in IM-01": 1,
    "ablations of HL-01": 5,
    "branching entropy Γ̂": 1,
    "levels of HL-01": 2,
    "noise of HL-01": 2,
    "no run carries HL-01's ablations": 5,
  });
});

Deno.test("the published numbers have no loss; a slope's change counts in units of 0.01", () => {
  near(stageOneLoss(terms, published()), 0);
  // HL-01 with roles is part of all five signs, IM-01's two of the Chair's fall: 0.02 there is 10/3 units of 0.006.
  for (const [name, lambda] of PUBLISHED.filter(([name]) => name !== "HL-01 roles")) {
    const fall = name === "IM-01 roles" || name === "IM-01 -Chair" ? (10 / 3) ** 2 : 0;
    near(stageOneLoss(terms, changed(name, { lambda: lambda + 0.02 })), 4 + fall);
  }
});

Deno.test("flips, switches, outcomes and Γ̂ count in their units", () => {
  near(stageOneLoss(terms, changed("IM-01 roles", { flip: 0.45 - 0.11 })), 1);
  near(stageOneLoss(terms, changed("IM-01 roles", { switches: [3, 0.71, 0.09, 0, 0] })), 4);
  near(stageOneLoss(terms, changed("IM-01 roles", { outcomes: [2 / 3, 1 / 3 - 0.06, 0.06] })), 4 + (0.06 / 0.19) ** 2);
  near(stageOneLoss(terms, { ...published(), gamma: 0.054 + 0.024 }), 9);
});

Deno.test("majorityMisfit(): nothing within what a whole round hides, then quarters of a round or eighths of the time", () => {
  assert.deepEqual([majorityMisfit(2.4, 2), majorityMisfit(1.6, 2), majorityMisfit(1, 1)], [0, 0, 0]);
  near(majorityMisfit(2.9, 2), 2);
  near(majorityMisfit(1, 16), 14.6 / 2);
  near(stageOneLoss(terms, changed("IM-01 -Chair", { majority: 20.4 })), 4);
});

Deno.test("HL-01: the Chair's fall must be 0.03 and 0.03 above every other", () => {
  const chair = (lambda: number) => stageOneLoss(terms, changed("HL-01 -Chair", { lambda }));
  near(chair(0.0541 - 0.05), 0);
  // 0.01 short of 0.03, and so of all four others.
  near(chair(0.0541 - 0.02), 1 + 4);
  const other = (role: Role, fall: number) => stageOneLoss(terms, changed(`HL-01 -${role}`, { lambda: 0.0541 - fall }));
  near(other("Equity", 0.01), 0);
  near(other("Equity", 0.03), 4);
  near(other("Rights", -0.05), 0);
});

Deno.test("HL-01's readings: D(20) half as much again as the baseline's, D(1) at most 0.03, no run worth 0.01 of λ̂", () => {
  const { divergence } = published().cells["HL-01 mixed"];
  const ended = (name: StageOneCell, last: number) => changed(name, { divergence: divergence.with(19, last) });
  near(stageOneLoss(terms, ended("HL-01 mixed", 0.2)), 0);
  near(stageOneLoss(terms, ended("HL-01 roles", 0.15 * Math.exp(-0.2))), 4);
  // A baseline too high is too high for both.
  near(stageOneLoss(terms, ended("HL-01 no roles", 0.1 * Math.exp(0.2))), 4 + 4);
  const begun = (name: StageOneCell) => changed(name, { divergence: published().cells[name].divergence.with(0, 0.06) });
  near(stageOneLoss(terms, begun("HL-01 no roles")), 9);
  near(stageOneLoss(terms, begun("HL-01 roles")), 9);
  // Its models differ, so that its agents differ from the first call on.
  near(stageOneLoss(terms, begun("HL-01 mixed")), 0);
  near(stageOneLoss(terms, changed("HL-01 -Rights", { carried: 0.04 })), 9);
  near(stageOneLoss(terms, changed("HL-01 -Rights", { carried: 0 })), 0);
});

Deno.test("an undefined slope is infinitely far", () => {
  assert.equal(stageOneLoss(terms, changed("IM-01 roles", { lambda: undefined })), Infinity);
});
