import assert from "node:assert/strict";
import { apiKey } from "../model/endpoint.ts";
import { assertMet } from "./assert_met.ts";
import type { FaultName } from "./faults.ts";
import { committees, type Plan, play, reconciled, stations, whole, withFolder } from "./live_study.ts";
import { filesBelow } from "./record.ts";
import { faultServer } from "./server.ts";

/** What an endpoint refuses for good: the command says why in one line and stops, and goes on once it is mended. */
function testRefusal(title: string, plan: Plan, { fault, from }: { fault: FaultName; from: number }, words: RegExp) {
  Deno.test(`${title}: ${plan.name} refused from request ${from} on`, async () => {
    await withFolder(async (out) => {
      let mended = false;
      const script = ({ number }: { number: number }) => (number >= from && !mended ? fault : undefined);
      await using server = await faultServer({ script });
      const place = { out, baseUrl: server.baseUrl };
      const refused = await play(plan, place);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, words);
      assert.doesNotMatch(refused.stderr, /^\s+at /m, "a refusal is no defect: no stack");
      // Those under way when the first refusal came are refused too.
      assert.ok(server.seen.length < from + 8, `${server.seen.length} requests`);
      assert.ok(!refused.stderr.includes(apiKey));
      mended = true;
      await assertMet(play(plan, place).then((done) => whole(title, done)));
      await assertMet(reconciled(title, out, server.seen));
      for (const path of await filesBelow(out)) assert.ok(!(await Deno.readTextFile(path)).includes(apiKey), path);
    });
  });
}

const small = committees(4, { small: true });
const station = stations({ seed: 7 });

testRefusal("faults 04, 46", small, { fault: "status 401", from: 1 }, /^ {2}openai.*401 .*check OPENAI_API_KEY/m);
testRefusal("fault 04", small, { fault: "status 400", from: 10 }, /^run: 4 of 4 runs are missing: .*bad request/m);
testRefusal("fault 02", station, { fault: "no credit", from: 10 }, /^run: .*429 .*add credit/m);
