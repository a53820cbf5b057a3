import { assertMet } from "../faults/assert_met.ts";
import { studyFleet } from "./fleet.ts";
import { studyCap } from "./shared.ts";

/** Short forms of `deno task dev soak fleet`. */

for (const live of [false, true]) {
  Deno.test(`fault 51: ${live ? "live" : "surrogate"} workers are killed and stopped, the server too, and nothing is lost`, async () => {
    await assertMet(
      studyFleet({ workers: 2, runs: 100, rounds: 4, points: 4, serverKills: 1, apartMs: 1500, seed: 1, live }),
    );
  });
}

Deno.test("fault 53: workers keep to one cap, and use it", async () => {
  await assertMet(studyCap({ workers: 2, capUsd: 0.1, runs: 12, rounds: 20, width: 4 }));
});
