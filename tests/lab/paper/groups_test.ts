import assert from "node:assert/strict";
import { type Group, loadGroups } from "@/lab/paper/groups.ts";
import { betaConvergence, divergence, lyapunovSlope } from "@/stats/mod.ts";

const groups = await loadGroups();
const named = (name: string): Group => groups.find((group) => group.name === name)!;
const meansOf = ({ runs }: Group) => runs.map(({ means }) => means);
const slopeOf = (group: Group) =>
  lyapunovSlope(divergence(meansOf(group)), { from: group.from, to: group.rounds }).lambda!;

Deno.test("the sets have the runs that were counted by another parser of the records", () => {
  const count = (set: string) => {
    const own = groups.filter((group) => group.set === set && group.runs.length > 0);
    return [own.length, own.reduce((sum, { runs }) => sum + runs.length, 0)];
  };
  assert.deepEqual(["naming", "negotiation", "reproduction"].map(count), [[25, 683], [24, 596], [33, 325]]);
});

Deno.test("slopes and β are those of other code on the same records", () => {
  // From throw-away scripts in another language, see the README of the records.
  const slopes = {
    "Claude, Q or M": [0.03, 0.113, 0.09, 0.137],
    "Llama-3-70B, F or J": [0.044, 0.073, 0.03, 0.117],
    "Llama-3-70B, X or Y": [-0.145, -0.12, -0.202, -0.038],
  };
  for (const [name, [lambda, ...expected]] of Object.entries(slopes)) {
    assert.ok(Math.abs(slopeOf(named(name)) - lambda!) < 6e-4, name);
    const { beta, low, high } = betaConvergence(meansOf(named(name)), { from: 2, to: 8 });
    [beta, low, high].forEach((value, i) => assert.ok(Math.abs(value! - expected[i]!) < 6e-4, `${name}: ${value}`));
  }
  assert.ok(Math.abs(slopeOf(named("GPT-4, seven parties")) - 0.0081) < 6e-5);
});

Deno.test("identical first calls are as many as in the README of the records", () => {
  const sums = (set: string, decoding: string) => {
    const own = groups.filter((group) => group.set === set && group.decoding === decoding);
    return (["pairs", "words", "read", "deal"] as const).map((key) =>
      own.reduce((sum, { calls }) => sum + calls![key], 0)
    );
  };
  assert.deepEqual(sums("negotiation", "hosted"), [728, 17, 682, 169]);
  assert.deepEqual(sums("negotiation", "local").slice(0, 2), [683, 652]);
  assert.deepEqual(sums("reproduction", "hosted"), [91, 3, 89, 41]);
  assert.deepEqual(sums("reproduction", "local").slice(0, 2), [137, 137]);
});

Deno.test("80 games of seven parties end in 33 deals", () => {
  const { runs } = named("GPT-4, seven parties");
  assert.deepEqual([runs.length, new Set(runs.map(({ decision }) => decision)).size], [80, 33]);
});

Deno.test("means and words are shares of one in every round, and a game that ended keeps its last one", () => {
  const isShare = (shares: readonly number[]) => Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-12;
  for (const { set, runs, options, rounds } of groups) {
    for (const { means, said, ended } of runs) {
      assert.ok(means.every((round) => round.length === options.length));
      assert.equal(means.length, set === "naming" ? 40 : rounds);
      if (set !== "naming") continue;
      assert.ok(means.every(isShare) && said!.every(isShare) && said!.length === 40);
      if (ended! < 40) assert.deepEqual([means.at(-1), said!.at(-1)], [means[ended! - 1], said![ended! - 1]]);
    }
  }
});

Deno.test("every condition says that it is of real models, whose, under which licence, and what is redrawn", () => {
  for (const { about, redrawn, decoding } of groups) {
    assert.equal(about.synthetic, false);
    assert.match(about.licence, /^MIT, Copyright \(c\) 20\d\d /);
    assert.match(about.cite, /20\d\d/);
    assert.equal(redrawn.includes("chance in the model"), decoding === "hosted");
  }
});

Deno.test("an unknown set is refused with the nearest", async () => {
  await assert.rejects(loadGroups({ set: "negotiations" }), /negotiation/);
  assert.equal((await loadGroups({ set: "reproduction" })).length, 33);
});
