import assert from "node:assert/strict";
import { COLOURS } from "@/plots/palette.ts";
import { stationTimeline } from "@/plots/station_timeline.ts";
import { lines, parseSvg, textBoxes, texts } from "./read_svg.ts";
import { levels } from "./station_samples.ts";

/** The line of a level, without the legend's sign: the one with most points. */
const line = (svg: string, colour: string) =>
  lines(svg).filter(({ stroke }) => stroke === colour).flatMap(({ parts }) => parts)
    .toSorted((a, b) => b.length - a.length)[0]!;

const straight = [0, 1, 2].map((round) => ({ ...levels[0]!, round, order: 0.8 - 0.4 * round, trust: 0.4 }));

Deno.test("a level falls in proportion, on one scale with the others", () => {
  const { svg } = stationTimeline({ rounds: straight, synthetic: false });
  const [order, trust] = [line(svg, COLOURS[0]), line(svg, COLOURS[1])];
  assert.equal(order.length, 3);
  const drop = order[2]![1] - order[0]![1];
  assert.ok(drop > 100 && Math.abs(order[1]![1] - order[0]![1] - drop / 2) < 0.05);
  assert.ok(Math.abs(order[1]![1] - trust[1]![1]) < 0.02, "both are 0.40 after round 1");
});

Deno.test("thresholds stand at their levels: a level at its threshold meets the dotted line", () => {
  const rounds = levels.map((one) => ({ ...one, order: 0.35, info: 0.4 }));
  const { svg } = stationTimeline({ rounds, synthetic: false });
  const rules = [...parseSvg(svg).querySelectorAll('g[aria-label="rule"]')]
    .filter((group) => group.getAttribute("stroke-dasharray") === "1 4").flatMap((group) => [...group.children]);
  const heights = rules.map((rule) => {
    const shift = /translate\(([^,]+),([^)]+)\)/.exec(rule.parentElement!.parentElement!.getAttribute("transform")!)!;
    return Number(rule.getAttribute("y1")) + Number(shift[2]);
  });
  assert.equal(heights.length, 2);
  [COLOURS[0], COLOURS[2]].forEach((colour, i) => assert.ok(Math.abs(line(svg, colour)[0]![1] - heights[i]!) < 1));
});

Deno.test("what struck and what passed stand in the column of their round", () => {
  const { svg, alt, rows } = stationTimeline({
    ...{ rounds: levels, synthetic: false },
    shocks: [{ round: 2, id: "S1", kind: "scandal", severity: 1.25 }],
    passes: [{ round: 3, proposal: "P1" }],
    executions: [{ round: 3, proposal: "P1" }],
  });
  const middle = (text: string) => {
    const { left, right } = textBoxes(svg).find((box) => box.text === text)!;
    return (left + right) / 2;
  };
  assert.ok(Math.abs(middle("S1 (1.25)") - middle("round 2")) < 1);
  for (const word of ["passed", "executed"]) assert.ok(Math.abs(middle(word) - middle("round 3")) < 1);
  assert.ok(Math.abs(line(svg, COLOURS[0])[2]![0] - middle("round 2")) < 1, "the panels share the columns");
  assert.ok(texts(svg).includes("a plan passes"));
  assert.match(alt, /1 shock\..*public order: 0\.85 at the start, 0\.55 after round 6.*passed: P1 in round 3/);
  assert.equal(rows[2]!.shocks, "S1");
  assert.equal(rows[3]!.executed, "P1");
});

Deno.test("a round without a state breaks the line; rounds may come in any order", () => {
  const rounds = [levels[3]!, levels[0]!, levels[1]!, levels[4]!];
  const { svg, rows } = stationTimeline({ rounds, synthetic: false });
  const order = lines(svg).filter(({ stroke, parts }) => stroke === COLOURS[0] && parts.length === 2);
  assert.deepEqual(order.map(({ parts }) => parts.map((part) => part.length)), [[2, 2]]);
  assert.deepEqual(rows.map(({ round }) => round), [0, 1, 3, 4]);
});

Deno.test("names at the end of the lines keep apart where levels meet", () => {
  const rounds = [{ ...levels[0]!, order: 0, trust: 0, info: 0, authority: 0 }];
  const { svg } = stationTimeline({ rounds, synthetic: false });
  const names = textBoxes(svg).filter(({ text }) => / 0\.00$/.test(text)).toSorted((a, b) => a.top - b.top);
  assert.equal(names.length, 4);
  names.slice(1).forEach(({ top }, i) => assert.ok(top >= names[i]!.bottom));
});

Deno.test("stationTimeline() names the round that it refuses", () => {
  const draw = (more: object) => () =>
    stationTimeline({ rounds: [levels[0]!, { ...levels[1]!, ...more }], synthetic: false });
  assert.throws(draw({ round: 0 }), { name: "RangeError", message: /two states for round 0/ });
  assert.throws(draw({ round: 7 }), { name: "RangeError", message: /round 7; rounds are whole numbers from 0 to 6/ });
  assert.throws(draw({ trust: NaN }), { name: "RangeError", message: /a level of round 1 is NaN/ });
  const shocks = [{ round: 0, id: "R1", kind: "rumor" as const }];
  assert.throws(() => stationTimeline({ rounds: levels, shocks, synthetic: false }), /shock "R1" is in round 0/);
});
