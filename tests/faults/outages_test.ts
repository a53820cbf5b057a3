import { assertMet } from "./assert_met.ts";
import { committees, stations } from "./live_study.ts";
import { studyMixture, studyOutage } from "./outages.ts";

/** Short forms of `deno task dev soak outages mixture`: the command itself, against an endpoint that fails. */

const small = committees(3, { small: true });
const station = stations({ seed: 7 });

Deno.test("faults 01, 32: rate limits without headers cost no committee its run, and no answered call is asked again", async () => {
  await assertMet(studyOutage(small, { fault: "rate limit, bare", lastsMs: 200, after: 10 }));
});

Deno.test("faults 03, 32: a while of 503 leaves no slot of a station to the clerk, and every try is on record", async () => {
  await assertMet(studyOutage(station, { fault: "status 503", lastsMs: 200, after: 10 }));
});

Deno.test("faults 01, 03, 07, 09, 12: what fails in seventeen ways is on record try by try, token by token", async () => {
  await assertMet(studyMixture(small, { share: 0.25, seed: 2 }));
});
