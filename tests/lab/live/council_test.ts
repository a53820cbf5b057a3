import assert from "node:assert/strict";
import { contentHash } from "@/core/json.ts";
import { surrogateCouncil } from "@/lab/live/council.ts";
import { liveCouncil, openCouncil, replayCouncil } from "@/lab/live/open_council.ts";
import type { Plant } from "@/model/mod.ts";
import type { ChatReply, ChatRequest } from "@/schema/model_call.ts";
import { parameters } from "../runs/councils.ts";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";

const noKey = new Map<string, string>();
const request: ChatRequest = {
  model: "m",
  messages: [{ role: "user", content: "?" }],
  temperature: 0,
  seed: 1,
  maxTokens: 9,
};
const recorded = (reply: ChatReply) => `${JSON.stringify({ schema: "model-call/1", request, reply })}\n`;

Deno.test("a surrogate council is synthetic and named by its parameters", async () => {
  const { identity, synthetic, live } = await surrogateCouncil(parameters);
  assert.equal(identity, `surrogate:${contentHash(parameters).slice(0, 12)}`);
  assert.deepEqual([synthetic, live], [true, false]);
  const fitted = await openCouncil("surrogate", noKey);
  assert.match(fitted.identity, /^surrogate:[0-9a-f]{12}$/);
  assert.notEqual(fitted.identity, identity);
});

Deno.test("a planted council says so in its name, which follows from the whole plant", async () => {
  const name = async (plant: Plant) => (await surrogateCouncil(parameters, { plant })).identity;
  const plant: Plant = { skill: 0.6, answers: { "QE-01": "B", "QE-02": "A" } };
  const { identity } = await surrogateCouncil(parameters), planted = await name(plant);
  assert.match(planted, new RegExp(`^${identity}\\+planted:[0-9a-f]{12}$`));
  assert.equal(
    await name({ answers: { "QE-02": "A", "QE-01": "B" }, slope: 1, spread: 1, scatter: 1, skill: 0.6 }),
    planted,
  );
  const others = [{ skill: 0.7 }, { slope: 0.5 }, { answers: { "QE-01": "B" } }, { spread: 2 }, { scatter: 2 }];
  for (const other of others) assert.notEqual(await name({ ...plant, ...other }), planted);
  assert.equal((await surrogateCouncil(parameters, { plant })).synthetic, true);
});

Deno.test("a live council costs money, is not synthetic, and needs a key before anything is asked", async () => {
  const { identity, synthetic, live } = liveCouncil(new Map([["OPENAI_API_KEY", "k"]]));
  assert.deepEqual([identity, synthetic, live], ["live:openai", false, true]);
  const elsewhere = liveCouncil(
    new Map([["OPENAI_API_KEY", "k"], ["OPENAI_BASE_URL", "https://host.test/v1/?key=x"]]),
  );
  assert.equal(elsewhere.identity, "live:host.test/v1", "the endpoint, and nothing secret");
  assert.match((await userErrorOf(openCouncil("live", noKey))).message, /OPENAI_API_KEY/);
});

Deno.test("a replayed council answers as recorded, and says whether a surrogate was recorded", async () => {
  const files = { "live.jsonl": recorded({ text: "A" }), "tried.jsonl": recorded({ text: "B", synthetic: true }) };
  await withFiles(files, async (folder) => {
    const live = await openCouncil(`replay:${folder}/live.jsonl`, noKey);
    assert.deepEqual([live.synthetic, live.live], [false, false]);
    assert.deepEqual(await live.chat(request), { text: "A" });
    assert.equal((await replayCouncil(`${folder}/tried.jsonl`)).synthetic, true);
  });
});

for (
  const [name, message] of [
    ["surogate", /^unknown council "surogate": did you mean surrogate/],
    ["replay", /needs a path: --council replay:PATH/],
    ["live:", /names no model; write live:MODEL or live/],
  ] as const
) {
  Deno.test(`openCouncil() refuses ${name} as a bad argument`, async () => {
    const error = await userErrorOf(openCouncil(name, noKey));
    assert.match(error.message, message);
    assert.equal(error.exitCode, 2);
  });
}
