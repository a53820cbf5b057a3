import assert from "node:assert/strict";
import { apiKey } from "../model/endpoint.ts";
import { type LiveSession, liveSession } from "@/runs/live_session.ts";
import { runExperiment } from "@/runs/run_experiment.ts";
import { ofWords, tokensOf, withPricedEndpoint } from "./priced_endpoint.ts";
import { withFiles } from "./with_files.ts";

const wanted = { scenario: "HL-01" };
const NAME = "HL-01__T0.0__N5__rolesTrue";

/** Tokens in all that a plan tells of, to a thousand. */
async function planned(session: LiveSession): Promise<number> {
  const [, prompts, completions] = /about (\d+)k prompt and (\d+)k completion tokens; /.exec(
    (await session.plan()).words,
  )!;
  return 1000 * (Number(prompts) + Number(completions));
}

const off = (plan: number, bill: number) => Math.abs(plan / bill - 1);

/** 110 words are what the prompt asks for; the others are told by one reply of the preflight. */
for (const [words, beforehand] of [[110, true], [60, false], [160, false]] as const) {
  Deno.test(`plan against bill: within 5 % of a whole run's tokens where arguments have ${words} words`, async () => {
    await withPricedEndpoint(async ({ baseUrl, sent }) => {
      await withFiles({}, async (out) => {
        const env = new Map([["OPENAI_API_KEY", apiKey], ["OPENAI_BASE_URL", baseUrl]]);
        const session = await liveSession(wanted, { council: "live", env, replicates: 2, out, data: out, live: {} });
        const unasked = await planned(session);
        const council = await session.open();
        const asked = await planned(session);
        const first = tokensOf(sent);
        await runExperiment(wanted, { council, replicates: 1, out });
        const half = tokensOf(sent);
        const { words: text } = await session.plan();
        assert.match(text, new RegExp(`^${NAME}: 2 runs, 106 of 212 calls remain, `));
        const rest = await planned(session);
        await runExperiment(wanted, { council, replicates: 2, out });
        const bill = tokensOf(sent) - first;
        assert.equal(off(unasked, bill) < 0.05, beforehand, `${unasked} planned unasked, ${bill} billed`);
        assert.ok(off(asked, bill) < 0.05, `${asked} planned, ${bill} billed`);
        assert.ok(off(rest, tokensOf(sent) - half) < 0.05, `${rest} planned, ${tokensOf(sent) - half} billed`);
        assert.match((await session.plan()).words, /^\S+ 2 runs, 0 of 212 calls remain, about 0k prompt and 0k/);
      });
    }, { reply: (text) => ofWords(text, words) });
  });
}
