import { assertMet } from "./assert_met.ts";
import { committees, type Plan, play, reconciled, stations, whole, withFolder } from "./live_study.ts";
import { studyMixture, studyOutage } from "./outages.ts";
import assert from "node:assert/strict";
import { readLedger } from "@/deliberation/ledger.ts";
import { filesBelow } from "./record.ts";
import { faultServer } from "./server.ts";

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

/** The Equity seat's model of the mixed line-up. */
const DOWN = "x-ai/grok-3-mini";
const flags = ["--scenario", "HL-01", "--lineup", "mixed", "--rounds", "1", "--replicates", "2"];
const plan: Plan = {
  name: "mixed committees",
  args: [...flags, "--council", "live", "--patience", "0.3s"],
  live: true,
};

Deno.test("fault 14: while one provider is down its seat is left open, and no other model speaks for it", async () => {
  await withFolder(async (out) => {
    let down = true;
    await using server = await faultServer({
      // The first ten ask each model for a turn and a ballot, before anything is spent.
      script: ({ question, number }) => (down && number > 10 && question.model === DOWN ? "status 503" : undefined),
    });
    const place = { out, baseUrl: server.baseUrl };
    const stopped = await play(plan, place);
    assert.equal(stopped.code, 1);
    assert.match(stopped.stderr, /503 status 503 on purpose/);
    assert.match(stopped.stderr, /^run: 2 of 2 runs are missing: .*server/m);
    const path = (await filesBelow(out)).find((file) => file.endsWith(".jsonl"))!;
    const open = await readLedger(path);
    assert.deepEqual(open.runs.map(({ closed }) => closed), [undefined, undefined]);
    down = false;
    await assertMet(play(plan, place).then((done) => whole(plan.name, done)));
    await assertMet(reconciled(plan.name, out, server.seen));
    const { declaration: { condition }, runs } = await readLedger(path);
    const spoken = runs.flatMap(({ events }) => events.flatMap((event) => ("seat" in event ? [event] : [])));
    assert.ok(spoken.some(({ seat }) => condition.seats[seat]!.model === DOWN));
    for (const { seat, reply } of spoken) assert.equal(reply?.servedModel, `${condition.seats[seat]!.model}-served`);
  });
});
