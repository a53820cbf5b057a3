import assert from "node:assert/strict";
import { rumorPlot, type RumorTrack } from "@/plots/rumor_plot.ts";
import { boxes, textBoxes, texts } from "./read_svg.ts";

const track: RumorTrack = {
  ...{ id: "R1", from: "X1_RUMOR", text: "They say so.", born: { round: 2, heat: 0.5 } },
  heat: [{ round: 2, heat: 0.81 }, { round: 3, heat: 0.27 }, { round: 4, heat: 0 }],
  cooled: ["C1_COMMAND", "C2_EQUITY"].map((by) => ({ round: 3, act: "broadcast", by })),
};

/** The cells, without the legend's boxes and the card. */
const cells = (svg: string) => boxes(svg).filter(({ height }) => height > 20);

const brightness = (colour: string) => (colour.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0);

Deno.test("a rumour has cells from its birth to its end, in the columns of the rounds", () => {
  const { svg } = rumorPlot({ rumors: [track], synthetic: false });
  const drawn = cells(svg);
  assert.equal(drawn.length, 3);
  drawn.forEach(({ x, width }, i) => {
    const { left, right } = textBoxes(svg).find(({ text }) => text === `round ${i + 2}`)!;
    assert.ok(Math.abs(x + width / 2 - (left + right) / 2) < 1);
  });
  const [hot, warm, over] = drawn;
  assert.ok(brightness(hot!.fill!) < brightness(warm!.fill!), "hotter is darker");
  assert.equal(over!.fill, "#ffffff");
});

Deno.test("a cell prints heat, birth and what cooled it how often", () => {
  const { svg, alt, rows } = rumorPlot({ rumors: [track], synthetic: false });
  const said = texts(svg);
  assert.deepEqual(said.slice(said.indexOf("0.81")), ["0.81", "0.50", "0.27", "×2", "over"]);
  assert.ok(said.includes("broadcast") && said.includes("R1, X1_RUMOR"));
  assert.match(alt, /R1 from X1_RUMOR \(They say so\.\): born in round 2 at 0\.50, 0\.81 after round 2, 0\.27 after/);
  assert.match(alt, /over in round 4; cooled by broadcast of C1_COMMAND in round 3, broadcast of C2_EQUITY in round 3/);
  assert.deepEqual(rows.map(({ round, born, heat }) => [round, born, heat]), [
    [2, 0.5, 0.81],
    [3, undefined, 0.27],
    [4, undefined, 0],
  ]);
});

Deno.test("acts are counted apart, each by its own sign", () => {
  const cooled = [...track.cooled!, { round: 3, act: "fact_check", by: "C4_CIVIL" }];
  const { svg } = rumorPlot({ rumors: [{ ...track, cooled }], synthetic: false });
  const said = texts(svg);
  assert.deepEqual(
    said.slice(said.indexOf("0.27")),
    ["0.27", "×2", "over"],
    "two broadcasts, one check without a count",
  );
  assert.ok(said.includes("fact check"));
});

Deno.test("a round that is not known says so, which is not over", () => {
  const { svg } = rumorPlot({ rumors: [{ ...track, heat: [{ round: 2, heat: 0.81 }] }], synthetic: false });
  assert.equal(texts(svg).filter((text) => text === "not known").length, 4);
  assert.ok(!texts(svg).includes("over"));
});

Deno.test("rumorPlot() names the rumour that it refuses", () => {
  const draw = (more: Partial<RumorTrack>) => () => rumorPlot({ rumors: [{ ...track, ...more }], synthetic: false });
  assert.throws(draw({ heat: [{ round: 1, heat: 0.5 }] }), /rumour "R1" has a heat in round 1, before it was born/);
  assert.throws(draw({ heat: [{ round: 2, heat: 1.2 }] }), /the heat of rumour "R1" is 1.2/);
  assert.throws(draw({ heat: [{ round: 2, heat: 1 }, { round: 2, heat: 1 }] }), /two heats for round 2/);
  assert.throws(draw({ heat: [{ round: 7, heat: 1 }] }), { name: "RangeError", message: /in round 7/ });
});
