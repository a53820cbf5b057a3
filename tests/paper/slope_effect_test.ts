import assert from "node:assert/strict";
import { loadStatedEffects } from "@/paper/published_deliberation.ts";
import { ablatedBy, effectChangeWords, slopeEffect, statedEffects } from "@/paper/stated_effects.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import type { ConditionSpec } from "@/schema/condition.ts";

/** Three runs whose distances grow as e^(λt), so that λ̂ is `lambda` to the last bits. */
const growing = (lambda: number) =>
  [0, 1, 3].map((scale) => Array.from({ length: 20 }, (_, t) => [scale * 0.01 * Math.exp(lambda * t)]));

const run = async (spec: ConditionSpec, lambda: number) => ({
  condition: await loadCondition(spec),
  means: growing(lambda),
});

/** Committees that differ from the full one in ways that no effect is about stand before it. */
const CONDITIONS = await Promise.all([
  run({ scenario: "IM-01", temperature: 0.1 }, 0.9),
  run({ scenario: "IM-01", lineup: "mixed" }, 0.9),
  run({ scenario: "IM-01", variant: "formal" }, 0.9),
  run({ scenario: "HL-01" }, 0.9),
  run({ scenario: "IM-01" }, 0.08),
  run({ scenario: "IM-01", ablate: "Chair" }, 0.03),
  run({ scenario: "IM-01", ablate: "Equity" }, 0.1),
  run({ scenario: "IM-01", window: 3 }, 0.02),
  run({ scenario: "IM-01", window: 1 }, 0.01),
  run({ scenario: "IM-01", roles: false }, 0),
]);

for (
  const [change, fall] of [
    ["ablate-Chair", 0.05],
    ["ablate-Equity", -0.02],
    ["k3", 0.06],
    ["k1", 0.07],
    ["no-roles", 0.08],
  ] as const
) {
  Deno.test(`slopeEffect() gives the fall ${fall} of ${change} from the full committee, at T = 0 and uniform`, () => {
    const { delta, full, changed, reason } = slopeEffect(CONDITIONS, { scenario: "IM-01", change });
    assert.ok(Math.abs(delta! - fall) < 1e-12);
    assert.equal(full, CONDITIONS[4]);
    assert.notEqual(changed, full);
    assert.equal(reason, undefined);
  });
}

Deno.test("slopeEffect() says what was not run, and keeps what was", () => {
  const missing = slopeEffect(CONDITIONS, { scenario: "HL-01", change: "k3" });
  assert.deepEqual(missing, { scenario: "HL-01", change: "k3", full: CONDITIONS[3], reason: "not-run" });
  assert.equal(slopeEffect([], { scenario: "HL-01", change: "k3" }).reason, "not-run");
});

Deno.test("slopeEffect() has one interval for one effect, whatever stands beside it", () => {
  const noisy = CONDITIONS.map((one, i) => ({
    ...one,
    means: Array.from(
      { length: 12 },
      (_, r) => one.means[r % 3]!.map(([x], t) => [x! + ((7 * i + r * r + t) % 11) / 500]),
    ),
  }));
  const effect = { scenario: "IM-01", change: "k3" } as const;
  const alone = slopeEffect([noisy[4]!, noisy[7]!], effect);
  assert.ok(alone.low! < alone.delta! && alone.delta! < alone.high!);
  assert.deepEqual(slopeEffect(noisy, effect), alone);
  assert.notEqual(slopeEffect(noisy, effect, { seed: 2 }).low, alone.low);
});

Deno.test("statedEffects() puts the paper's words beside each effect, in the order of the rows", async () => {
  const rows = (await loadStatedEffects()).filter(({ figure, scenario }) =>
    scenario === "IM-01" && (figure === "2B" || figure === "3B")
  );
  const effects = statedEffects(CONDITIONS, rows, { resamples: 50 });
  assert.deepEqual(
    effects.map(({ change, stated, verdict }) => [change, stated, verdict.sign]),
    [["ablate-Chair", "positive, interval excludes zero", "as stated"], ["k1", "positive", "as stated"]],
  );
});

Deno.test("statedEffects() says nothing for the paper where the paper says nothing", async () => {
  const row = (await loadStatedEffects()).find(({ change }) => change === "no-roles")!;
  const [effect] = statedEffects(CONDITIONS, [{ ...row, scenario: "IM-01" }], { resamples: 50 });
  assert.equal(effect!.stated, undefined);
  assert.equal(effect!.verdict.sign, "not stated");
});

Deno.test("a change in words, and the role that it ablates", () => {
  assert.deepEqual(["no-roles", "k3", "k1", "ablate-Rights"].map((change) => effectChangeWords(change as "k3")), [
    "no roles",
    "k = 3",
    "k = 1",
    "without Rights",
  ]);
  assert.equal(ablatedBy("ablate-Rights"), "Rights");
  assert.equal(ablatedBy("k3"), undefined);
});
