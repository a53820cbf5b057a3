import assert from "node:assert/strict";
import { COLOURS } from "@/plots/palette.ts";
import { type ProposalLife, proposalPlot } from "@/plots/proposal_plot.ts";
import { lines, parseSvg, textBoxes, texts } from "./read_svg.ts";

const gate = (round: number, support: number, passed = false) => ({
  round,
  support,
  against: 1,
  executability: 0.7,
  passed,
});

const life: ProposalLife = {
  ...{ id: "P1", by: "C3_ENGINEER", origin: "model", round: 2, status: "executed", executed: 4 },
  gates: [gate(2, 2.25), gate(3, 3), gate(4, 4.25, true)],
};

const centre = (svg: string, text: string) => {
  const box = textBoxes(svg).find((one) => one.text === text)!;
  return (box.left + box.right) / 2;
};

/** The rows' lines, without the legend's. */
const spans = (svg: string) =>
  lines(svg).filter(({ strokeWidth }) => strokeWidth === "1.4").map(({ parts }) => parts[0]!);

Deno.test("a row goes from the round of filing to that of its end, with the votes of each gate in its column", () => {
  const { svg, alt, rows } = proposalPlot({ proposals: [life], synthetic: false });
  const column = centre(svg, "round 3") - centre(svg, "round 2");
  const [[start, end]] = spans(svg) as [[[number, number], [number, number]]];
  assert.ok(Math.abs(start[0] - centre(svg, "round 2")) < column / 2 && start[0] < centre(svg, "round 2"));
  assert.ok(Math.abs(end[0] - centre(svg, "round 4")) < column / 2 && end[0] > centre(svg, "round 4"));
  for (const [words, round] of [["2.25 : 1", 2], ["3 : 1", 3], ["4.25 : 1", 4]] as const) {
    assert.ok(Math.abs(centre(svg, words) - centre(svg, `round ${round}`)) < 1);
  }
  assert.match(texts(svg).join(" "), /P1 C3_ENGINEER model executed in round 4/);
  assert.match(
    alt,
    /filed in round 2: 2\.25 to 1 and not passed in round 2, .*4\.25 to 1 and passed in round 4, executed/,
  );
  assert.deepEqual(rows.map(({ round, support, passed }) => [round, support, passed]), [
    [2, 2.25, false],
    [3, 3, false],
    [4, 4.25, true],
  ]);
});

Deno.test("a star stands where it passed, hollow squares where it did not", () => {
  const { svg } = proposalPlot({ proposals: [life], synthetic: false });
  const column = centre(svg, "round 3") - centre(svg, "round 2");
  const legendBottom = textBoxes(svg).find(({ text }) => text === "round 1")!.top;
  const rounds = (paint: string) =>
    [...parseSvg(svg).querySelectorAll(`g[aria-label="dot"][${paint}] path`)]
      .map((path) => /translate\(([^,]+),([^)]+)\)/.exec(path.getAttribute("transform")!)!.slice(1).map(Number))
      .filter(([, y]) => y! > legendBottom)
      .map(([x]) => Math.round((x! - centre(svg, "round 1")) / column) + 1);
  assert.deepEqual(rounds(`fill="${COLOURS[2]}"`), [4]);
  assert.deepEqual(rounds(`fill="white"][stroke="${COLOURS[1]}"`), [2, 3]);
  assert.deepEqual(rounds('fill="#1f1f1f"'), [4]);
});

Deno.test("a blocked proposal's line goes to the end of the last round, an invalid one's stays where it was filed", () => {
  const blocked = { ...life, status: "blocked", executed: undefined, gates: [gate(2, 1)] } as const;
  const invalid = { ...life, id: "P2", status: "invalid", flaw: "no-json", executed: undefined, gates: [] } as const;
  const { svg, rows } = proposalPlot({ proposals: [blocked, invalid], synthetic: false });
  const [long, short] = spans(svg);
  assert.ok(long![1]![0] > centre(svg, "round 6") && short![0]![0] === short![1]![0]);
  assert.ok(texts(svg).includes("blocked") && texts(svg).includes("invalid: no json"));
  assert.equal(rows.length, 2);
  assert.equal(rows[1]!.support, undefined);
});

Deno.test("what a model filed is filled, what the fallback filed is hollow, forks name their parent", () => {
  const fills = (origin: "model" | "fallback") => {
    const { svg } = proposalPlot({ proposals: [{ ...life, origin, parent: "P0" }], synthetic: false });
    assert.ok(texts(svg).includes(`${origin}, fork of`) || texts(svg).join(" ").includes(`${origin}, fork of P0`));
    const dots = [...parseSvg(svg).querySelectorAll('g[aria-label="dot"]')];
    return dots[6]!.getAttribute("fill");
  };
  assert.deepEqual([fills("model"), fills("fallback")], [COLOURS[0], "white"]);
});

Deno.test("proposalPlot() names the proposal that it refuses", () => {
  const draw = (more: Partial<ProposalLife>) => () =>
    proposalPlot({ proposals: [{ ...life, ...more }], synthetic: false });
  assert.throws(draw({ gates: [gate(2, NaN)] }), { name: "RangeError", message: /of "P1" in round 2 is NaN/ });
  assert.throws(draw({ gates: [gate(2, 1), gate(2, 2)] }), /"P1" is judged twice in one round/);
  assert.throws(draw({ gates: [gate(1, 1)] }), /"P1" was filed in round 2, after what befell it in 1/);
  assert.throws(draw({ executed: 1 }), /after what befell it in 1/);
  assert.throws(draw({ round: 0 }), /the filing of "P1" is in round 0/);
});
