import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { reasonDivergence, type ReasonedRun, sameVerdict } from "@/stats/mod.ts";
import peer from "./peer/reasons.json" with { type: "json" };

/** Made by `peer/reasons.py`, which computes the same by other routes and without this project's code, and says how to make it again. */
const runs: ReasonedRun[] = peer.runs.map(({ texts, ...run }) => ({
  ...run,
  texts: texts.map((round) => round.map((text) => text ?? undefined)),
}));

for (const measure of ["words", "characters", "tags"] as const) {
  const expected = peer.expected[measure];
  Deno.test(`distances of ${measure}: unit vectors in 40 digits and fractions give the same to 1e-12`, () => {
    const found = reasonDivergence(runs, { of: measure });
    const { alike, different, statistic } = sameVerdict(runs, { of: measure, rng: createRng(1), permutations: 1 });
    const own = {
      runs: found.runs.map(({ distance }) => distance),
      rounds: found.rounds.slice(1).map(({ distance }) => distance),
      agents: found.agents.map(({ distance }) => distance),
      verdict: [alike, different, statistic],
    };
    for (const [name, values] of Object.entries(expected)) {
      const mine = own[name as keyof typeof own];
      assert.equal(mine.length, values.length, name);
      values.forEach((value, i) => assert.ok(Math.abs(mine[i]! - value) < 1e-12, `${name} ${i}: ${mine[i]} ${value}`));
    }
    assert.equal(found.silent, { words: 2, characters: 1, tags: 0 }[measure]);
  });
}

const python = await new Deno.Command("python3", { args: ["--version"], stdout: "null", stderr: "null" }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  name: "the stored distances are those that the script computes, where there is a python3",
  ignore: !python,
  async fn() {
    const script = new URL("./peer/reasons.py", import.meta.url).pathname;
    const { stdout } = await new Deno.Command("python3", { args: [script] }).output();
    assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), peer);
  },
});
