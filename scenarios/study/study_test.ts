import assert from "node:assert/strict";
import { loadCondition, loadScenario } from "@/mod.ts";

const folder = import.meta.dirname!;

Deno.test("the scenario has an answer, and no message of the committee holds where it comes from", async () => {
  const { answer, source, options } = await loadScenario("MY-01", { folder });
  assert.ok(answer && options["ABC".indexOf(answer)]);
  const { prompts, packet } = await loadCondition({ scenario: "MY-01", committee: `${folder}/committee.json` }, {
    folder,
  });
  assert.equal(packet.answer, answer);
  assert.ok(!JSON.stringify(prompts).includes(source!));
});

Deno.test("three members sit, and two of them decide", async () => {
  const { seats, committee } = await loadCondition({ scenario: "MY-01", committee: `${folder}/committee.json` }, {
    folder,
  });
  assert.deepEqual(seats.map(({ label }) => label), ["Builder", "Auditor", "Neighbour"]);
  assert.deepEqual(committee?.decision, { by: "ballots", atLeast: "two-thirds" });
});
