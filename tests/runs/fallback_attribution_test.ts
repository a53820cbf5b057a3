import assert from "node:assert/strict";
import { collectStation } from "@/runs/collect.ts";
import { cleanPrefix, fallbackAttribution, losingSlots, maskFallbacks, takeover } from "@/runs/fallback_attribution.ts";
import { stationCouncil } from "@/live/station_council.ts";
import { COUNCIL } from "@/schema/station_ids.ts";

const council = stationCouncil("triage", new Map());
const runOf = async (of = council, seed = 104) =>
  (await collectStation({ council: of, ruleset: "v2", seeds: [seed] }))[0]!;
const fallbacks = ({ events }: Awaited<ReturnType<typeof runOf>>) =>
  events.flatMap((one) =>
    one.kind === "action.taken" && one.origin.kind === "fallback" ? `${one.round} ${one.role}` : []
  );

Deno.test("with the clerk in every lost slot the run is what it was; with the council in all, what it would have been", async () => {
  const [whole, run] = [await runOf(), await runOf(losingSlots(council, 0.3))];
  assert.ok(fallbacks(run).length > 3 && fallbacks(run).length < 20);
  const again = await takeover(run, council, new Set(COUNCIL));
  assert.deepEqual(again.events, run.events);
  assert.deepEqual((await takeover(run, council, "council")).events, whole.events);
});

Deno.test("masked, the lost slots hold no deed, the others keep their council, and the prefix is the run's own", async () => {
  const run = await runOf(losingSlots(council, 0.3));
  const masked = await maskFallbacks(run, council), lost = new Set(fallbacks(run));
  assert.equal(masked.summary.fallback_actions, 0);
  for (const event of masked.events) {
    if (event.kind === "action.taken" && lost.has(`${event.round} ${event.role}`)) {
      assert.equal(event.action, "observe");
    }
  }
  const { events, calls } = cleanPrefix(run);
  assert.deepEqual(masked.events.slice(0, events.length), events);
  assert.deepEqual(masked.calls.slice(0, calls.length), calls);
  assert.equal(masked.calls.length, 36);
});

Deno.test("shares of the rescue sum to it, and only roles that lost a slot have one", async () => {
  const run = await runOf(losingSlots(council, 0.1), 109);
  const { shares, rescue, cost, observed, masked, uncontaminated, ...counts } = await fallbackAttribution(run, council);
  assert.equal(observed, run.summary.q);
  assert.equal(uncontaminated, (await runOf(council, 109)).summary.q);
  assert.equal(masked, (await maskFallbacks(run, council)).summary.q);
  assert.ok(Math.abs(Object.values(shares).reduce((sum, share) => sum + share, 0) - rescue) < 1e-12);
  assert.deepEqual([rescue, cost], [observed - masked, uncontaminated - observed]);
  assert.deepEqual(new Set(Object.keys(shares)), new Set(fallbacks(run).map((slot) => slot.split(" ")[1])));
  assert.equal(counts.fallbacks, fallbacks(run).length);
});

Deno.test("a larger share loses the same slots and more; none and all are the council and the clerk alone", async () => {
  const [some, more] = [await runOf(losingSlots(council, 0.2)), await runOf(losingSlots(council, 0.5))];
  for (const slot of fallbacks(some)) assert.ok(fallbacks(more).includes(slot));
  assert.deepEqual(fallbacks(await runOf(losingSlots(council, 0))), []);
  const none = await runOf(stationCouncil("none", new Map()));
  assert.equal((await runOf(losingSlots(council, 1))).summary.q, none.summary.q);
});

Deno.test("a run without fallbacks, a council that cannot take over, and a bad share are named", async () => {
  const run = await runOf();
  await assert.rejects(fallbackAttribution(run, council), /triage_v2_seed104: the clerk filled no slot/);
  const lost = await runOf(losingSlots(council, 0.3)), none = stationCouncil("none", new Map());
  for (const other of [none, { ...council, live: true }, { ...council, identity: "replay:1" }]) {
    await assert.rejects(maskFallbacks(lost, other), /cannot take over: name a persona/);
  }
  assert.throws(() => stationCouncil("triag", new Map()), /triag/);
  assert.throws(() => losingSlots(council, 1.2), /1\.2: must be from 0 to 1/);
  assert.throws(() => losingSlots(none, 0.5), /no slot to lose/);
});
