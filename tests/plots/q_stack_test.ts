import assert from "node:assert/strict";
import { qStack, type QStackRun } from "@/plots/q_stack.ts";
import { contributions, qualityOfSurvival } from "@/quality/mod.ts";
import { type ComponentName, COMPONENTS } from "@/schema/station_summary.ts";
import { boxes, texts } from "./read_svg.ts";

const SUMMARY = {
  ...{
    stabilized: true,
    plan_executability: 0.8,
    public_order: 0.62,
    info_integrity: 0.7,
    trust: 0.6,
    coalition_edges: 6,
  },
  ...{
    time_to_first_pass: 3,
    passed_count: 2,
    active_rumors: 2,
    scandal_load: 1,
    raw_validity: 0.9,
    norm_dependency: 0,
  },
};

/** The bars' parts, without the legend's boxes. */
const parts = (svg: string) => boxes(svg).filter(({ height }) => height === 24);

const draw = (...runs: QStackRun[]) => qStack({ runs, synthetic: false });

Deno.test("parts adjoin in the order of the components, as wide as what they add, and end at q", () => {
  const { q, components } = qualityOfSurvival(SUMMARY);
  const added = contributions(components);
  const half = { label: "half", parts: { executability: 0.5 } };
  const { svg } = draw({ label: "run", parts: added, q }, half);
  const drawn = parts(svg);
  assert.equal(drawn.length, 10);
  const unit = drawn[9]!.width / 0.5;
  COMPONENTS.forEach((name, i) => assert.ok(Math.abs(drawn[i]!.width - added[name]! * unit) < 0.05));
  drawn.slice(1, 9).forEach(({ x }, i) => assert.ok(Math.abs(x - drawn[i]!.x - drawn[i]!.width) < 0.05));
  assert.ok(Math.abs(drawn[8]!.x + drawn[8]!.width - drawn[0]!.x - q * unit) < 0.1);
  assert.equal(new Set(drawn.slice(0, 9).map(({ fill }) => fill)).size, 9);
});

Deno.test("total, class and published total are in words, and numbers repeat the colours", () => {
  const run = { label: "seed 104", parts: { executability: 0.2, trust: 0.09 }, q: 0.709, published: 0.774 };
  const { svg, alt, rows } = draw({ ...run, classification: "BENCHMARK_ADEQUATE" });
  const said = texts(svg);
  for (const words of ["q 0.709", "adequate", "published 0.774", "1 executability", "9 schema independence"]) {
    assert.ok(said.includes(words), words);
  }
  assert.ok(said.includes("1") && said.includes("4"), "in the parts");
  assert.match(
    alt,
    /seed 104: q 0\.709, adequate, published 0\.774; executability 0\.200, trust 0\.090; not known: public/,
  );
  assert.deepEqual([rows[0]!.executability, rows[0]!.coalition], [0.2, undefined]);
});

Deno.test("an unknown component is named, a known zero is not; without any the row says so", () => {
  const zero = Object.fromEntries(COMPONENTS.map((name) => [name, 0])) as Record<ComponentName, number>;
  const known = draw({ label: "a", parts: zero, q: 0 });
  assert.doesNotMatch(texts(known.svg).join(" "), /not known/);
  const none = draw({ label: "Gemini 104", parts: {}, classification: "FAILED_NO_VALID_PLAN", published: 0.659 });
  const said = texts(none.svg).join("|");
  assert.match(said, /q not known\|failed no valid plan\|published 0\.659\|no component known/);
  assert.equal(parts(none.svg).length, 0);
});

Deno.test("parts that stack higher than 1 stay within the axis", () => {
  const { svg } = draw({ label: "a", parts: { executability: 0.9, trust: 0.8 }, q: 1 });
  const [first, second] = parts(svg);
  assert.ok(second!.x + second!.width < 720 - 170 && Math.abs(first!.width / second!.width - 9 / 8) < 0.01);
});

Deno.test("qStack() names the run that it refuses", () => {
  assert.throws(() => draw({ label: "a", parts: { trust: -0.1 } }), {
    name: "RangeError",
    message: /trust of "a" is -0.1/,
  });
  assert.throws(() => draw({ label: "a", parts: { trust: NaN } }), /trust of "a" is NaN/);
  assert.throws(() => draw({ label: "a", parts: {}, q: 1.2 }), /q of "a" is 1.2/);
  assert.throws(() => draw({ label: "a", parts: {}, published: NaN }), /q of "a" is NaN/);
});
