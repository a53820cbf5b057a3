import { assertMet } from "./assert_met.ts";
import { studyKills } from "./kills.ts";
import { committees, stations } from "./live_study.ts";

/** Short form of `deno task dev soak kills`. */

for (
  const [plan, width] of [
    [committees(6, { small: true }), 8],
    [committees(20, { small: true, embedded: true }), 1],
    [stations({ seed: 7 }), 1],
  ] as const
) {
  Deno.test(`fault 23: ${plan.name}, killed and started again, are as if nothing had happened`, async () => {
    await assertMet(studyKills(plan, { kills: plan.live ? 2 : 1, width, seed: 3 }));
  });
}
