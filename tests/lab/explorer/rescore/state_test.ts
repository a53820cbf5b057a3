import fc from "fast-check";
import assert from "node:assert/strict";
import {
  cellCode,
  FRAGMENT,
  fullWeights,
  nameOf,
  PUBLISHED_STATE,
  settled,
  type State,
  withRun,
  withThreshold,
  withWeight,
} from "@/lab/explorer/rescore/state.ts";
import { openListing } from "@/lab/explorer/rescore/listing.ts";
import { rescoreExplorer } from "@/lab/notebook/rescore_explorer.ts";
import { loadPublishedRows } from "@/lab/paper/published_rows.ts";
import { loadSummaries } from "@/lab/runs/summary_files.ts";
import { withFiles } from "../../runs/with_files.ts";
import { NAMED_WEIGHTS, PUBLISHED_WEIGHTS, withShare } from "@/quality/weights.ts";
import { COMPONENTS } from "@/schema/quality_names.ts";

const near = (a: number, b: number) => Math.abs(a - b) < 1e-12;
const sum = (weights: Readonly<Record<string, number>>) =>
  Object.values(weights).reduce((sum, weight) => sum + weight, 0);

Deno.test("a weight that is moved has the others keep their proportions, as withShare()", () => {
  for (const at of [0, 0.1, 0.55, 1]) {
    const [found, expected] = [withWeight(PUBLISHED_STATE, "trust", at), withShare("trust", at)];
    for (const name of COMPONENTS) assert.ok(near(found[name], expected[name]), `${name} at ${at}`);
  }
});

Deno.test("whatever is moved and locked, weights sum to 1, none is negative, and what is locked stays", () => {
  const component = fc.constantFrom(...COMPONENTS), share = fc.double({ min: 0, max: 1, noNaN: true });
  const moves = fc.array(fc.tuple(component, share), { minLength: 1, maxLength: 12 });
  fc.assert(fc.property(fc.uniqueArray(component), moves, (locked, moves) => {
    let weights = PUBLISHED_STATE.weights as ReturnType<typeof withWeight>;
    for (const [name, at] of moves) {
      const next = withWeight({ weights, locked }, name, at);
      assert.ok(Math.abs(sum(next) - 1) < 1e-9 && COMPONENTS.every((other) => next[other] >= 0));
      for (const other of locked) if (other !== name) assert.equal(next[other], weights[other]);
      weights = next;
    }
  }));
});

Deno.test("a weight gets at most what the locked ones leave, and cannot move where all others are locked", () => {
  const locked: State["locked"] = ["executability", "public_order"]; // 0.38 together
  assert.ok(near(withWeight({ ...PUBLISHED_STATE, locked }, "trust", 0.9).trust, 0.62));
  const others = COMPONENTS.filter((name) => name !== "trust");
  assert.equal(withWeight({ ...PUBLISHED_STATE, locked: others }, "trust", 0.9), PUBLISHED_STATE.weights);
});

Deno.test("where the others have nothing to keep proportions of they share evenly", () => {
  const weights = withWeight({ weights: withShare("trust", 1), locked: ["coalition"] }, "trust", 0.3);
  assert.ok(near(weights.executability, 0.7 / 7) && weights.coalition === 0);
});

Deno.test("every named weighting is known again", () => {
  for (const [name, { weights }] of Object.entries(NAMED_WEIGHTS)) assert.equal(nameOf(weights), name);
  assert.equal(nameOf(withShare("trust", 0.5)), undefined);
});

Deno.test("given weights that are negative, sum to 0 or to more than 1 are refused; dividing is asked for", () => {
  assert.throws(() => fullWeights({ trust: -0.1, coalition: 1.1 }), /weight of trust must be a number of at least 0/);
  assert.throws(() => fullWeights({ trust: 0 }), /at least one weight must be above 0/);
  assert.throws(() => fullWeights({ trust: 1, coalition: 3 }), /sum to 4, not 1/);
  assert.deepEqual(fullWeights({ trust: 1, coalition: 3 }, { normalise: true }).coalition, 0.75);
  assert.equal(fullWeights({ trust: 1 }).coalition, 0);
});

Deno.test("a threshold moves alone, or takes the other along where they would cross", () => {
  const moved = (name: "strong" | "adequate", at: number) => withThreshold(PUBLISHED_STATE.thresholds, name, at);
  assert.deepEqual(moved("strong", 0.75), { strong: 0.75, adequate: 0.7 });
  assert.deepEqual(moved("strong", 0.5), { strong: 0.5, adequate: 0.5 });
  assert.deepEqual(moved("adequate", 0.8), { strong: 0.82, adequate: 0.8 });
  assert.deepEqual(moved("adequate", 0.9), { strong: 0.9, adequate: 0.9 });
});

Deno.test("the run that is picked comes first, the one before it second", () => {
  assert.deepEqual(withRun(["own-1", "own-2"], "own-3"), ["own-3", "own-1"]);
  assert.deepEqual(withRun(["own-1", "own-2"], "own-2"), ["own-2", "own-1"]);
});

Deno.test("an address gives back what it was made from", () => {
  const state = {
    ...PUBLISHED_STATE,
    weights: { ...withShare("trust", 1 / 3) },
    locked: ["trust" as const],
    runs: ["own-3"],
  };
  assert.deepEqual(FRAGMENT.read(FRAGMENT.write(state)), state);
  assert.equal(FRAGMENT.read("#which-runs-are-ranked"), undefined);
});

const of = (changes: object) => FRAGMENT.write({ ...PUBLISHED_STATE, ...changes } as State);
const WRONG: readonly [string, RegExp][] = [
  [of({}).replace("=1,", "=2,"), /of version 2 of this explorer, which is version 1/],
  [of({}).slice(0, -20), /cut off or was changed/],
  [of({ weights: { ...PUBLISHED_WEIGHTS, trust: 0.6 } }), /^weights: the weights sum to 1\.5, not 1/],
  [of({ weights: { ...PUBLISHED_WEIGHTS, trust: -0.1 } }), /^weights\.trust: /],
  [of({ weights: { trust: 1 } }), /^weights\.executability: /],
  [of({ thresholds: { strong: 0.5, adequate: 0.7 } }), /^thresholds: strong must be at least adequate/],
  [
    of({ components: { trust: { field: "x", worst: 0, best: 1 } } }),
    /plain name that none of the nine has, found "trust"/,
  ],
  [of({ components: { hope: { field: "x", worst: 1, best: 1 } } }), /worst and best of hope/],
  [of({ weights: { ...PUBLISHED_WEIGHTS, hope: 0 } }), /unknown component "hope"/],
  [of({ locked: ["hope"] }), /unknown component "hope"/],
  [of({ runs: ["constructor-0"] }), /^runs\.0: /],
];
for (const [i, [fragment, words]] of WRONG.entries()) {
  Deno.test(`an address that cannot be is refused with the reason: ${words.source}, case ${i}`, () => {
    assert.throws(() => FRAGMENT.read(fragment), { name: "UserError", message: words });
  });
}

const zeros = Object.fromEntries(COMPONENTS.map((name) => [name, 0]));
const components = { calm: { field: "manipulation_pressure", worst: 0.02, best: 0 } };

Deno.test("a component of one's own has a weight that is moved, locked and kept in the address like the others", () => {
  const opened = settled({ ...PUBLISHED_STATE, components });
  assert.deepEqual(opened.weights, { ...PUBLISHED_WEIGHTS, calm: 0 });
  assert.equal(settled(opened), opened);
  assert.equal(nameOf(opened.weights), "published");
  const weights = withWeight(opened, "calm", 0.5);
  assert.ok(near(weights.calm!, 0.5) && near(weights.executability, 0.11) && near(sum(weights), 1));
  const state = { ...opened, weights, locked: ["calm"] };
  assert.deepEqual(FRAGMENT.read(FRAGMENT.write(state)), state);
  assert.ok(near(withWeight(state, "trust", 0.9).trust, 0.5), "what calm leaves");
  assert.deepEqual(fullWeights({ calm: 1 }, { components }), { ...zeros, calm: 1 });
});

for (const declared of [undefined, components]) {
  Deno.test(`the code of a cell gives the numbers of the page when it is run, ${declared ? "with calm" : "plain"}`, async () => {
    await assertCellCode(declared);
  });
}

async function assertCellCode(declared: typeof components | undefined) {
  const path = "data/preserved/station";
  const { data } = rescoreExplorer({ published: await loadPublishedRows(), own: await loadSummaries(path), path });
  const moved = withWeight(
    settled({ ...PUBLISHED_STATE, components: declared }),
    declared ? "calm" : "coalition",
    0.37,
  );
  const state: State = { ...PUBLISHED_STATE, components: declared, weights: moved, sets: ["published", "own"] };
  const listed = openListing(data).show(state);
  const rank = (entries: typeof data.own) => listed[entries === data.own ? 1 : 0]!.ranking.runs;
  const expected = [
    ...rank(data.published).map(({ q }, i) => `${data.published[i]!.label} ${q!.low.toFixed(6)} ${q!.high.toFixed(6)}`),
    ...rank(data.own).map(({ q, rank }) => `${q!.low.toFixed(3)} ${rank!.best}`),
  ];
  await withFiles({ "cell.ts": cellCode(state, path) }, async (folder) => {
    const { stdout, stderr } = await new Deno.Command("deno", {
      args: ["run", "--quiet", "--no-check", "--allow-read", "--config", "deno.json", `${folder}/cell.ts`],
    }).output();
    const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line, i) => i < data.published.length ? line : line.split(" ").slice(1, 3).join(" ")),
      expected,
      new TextDecoder().decode(stderr),
    );
  });
}
