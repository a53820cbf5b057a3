import assert from "node:assert/strict";
import { conditionName } from "@/deliberation/condition_name.ts";
import { conditionHash } from "@/deliberation/deliberate.ts";
import { collectRuns } from "@/runs/collect_runs.ts";
import { surrogateCouncil } from "@/runs/council.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { listScenarios, loadSurrogateParameters } from "@/runs/scenarios.ts";

// A spoilt reply may flag a run by the luck of its seed; what is asked here is whether the packets can be played.
const { chat } = await surrogateCouncil({ ...await loadSurrogateParameters(), malformedShare: 0 });

for (const { id, variants } of await listScenarios()) {
  for (const variant of [undefined, ...variants]) {
    const name = [id, variant].filter(Boolean).join(", ");

    Deno.test(`${name}: a surrogate committee plays it, with a share for every option in every round`, async () => {
      const condition = await loadCondition({ scenario: id, variant, rounds: 2 });
      const { runs, accounting } = await collectRuns(condition, { chat, replicates: 1, seed: 1 });
      assert.deepEqual([accounting.realised, accounting.causes], [1, {}]);
      const { means, decision } = runs[0]!;
      assert.equal(means.length, 2);
      for (const shares of means) {
        assert.equal(shares.length, condition.packet.options.length);
        assert.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
      }
      assert.ok("ABCDE".slice(0, condition.packet.options.length).includes(decision!));
    });
  }
}

Deno.test("each rewording is a condition of its own in name and hash, with the original's seats and order", async () => {
  const { variants } = (await listScenarios()).find(({ id }) => id === "IM-01")!;
  const original = await loadCondition({ scenario: "IM-01" });
  const reworded = await Promise.all(variants.map((variant) => loadCondition({ scenario: "IM-01", variant })));
  assert.deepEqual(
    reworded.map(conditionName),
    variants.map((variant) => `IM-01__T0.0__N5__rolesTrue__variant-${variant}`),
  );
  assert.equal(new Set([original, ...reworded].map(conditionHash)).size, 1 + variants.length);
  for (const { packet, ...rest } of reworded) {
    assert.equal(packet.id, "IM-01");
    assert.deepEqual({ ...rest, packet: original.packet }, original);
  }
});
