import assert from "node:assert/strict";
import { Unanswered } from "@/model/chat_model.ts";
import { ablateRole, ABLATIONS } from "@/runs/ablate_station.ts";
import { collectStation } from "@/runs/collect_station.ts";
import { liveCouncil } from "@/runs/council.ts";
import { stationCouncil } from "@/runs/station_council.ts";
import { serve } from "@/tools/serve/endpoint.ts";

const ROLE = "C4_CIVIL";
const persona = stationCouncil("auditor", new Map());

/** A folder for the runs, removed afterwards. */
async function withFolder(use: (out: string) => Promise<void>): Promise<void> {
  const out = await Deno.makeTempDir();
  try {
    await use(out);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

Deno.test("a role is taken from a live council over HTTP as it is from the persona that answers there", async () => {
  await using served = await serve({ port: 0 });
  const env = new Map([["OPENAI_BASE_URL", served.baseUrl], ["OPENAI_API_KEY", "on-this-machine"]]);
  const live = stationCouncil("live:auditor", env, () => liveCouncil(env, { providers: { default: { seed: true } } }));
  await withFolder(async (out) => {
    for (const what of ABLATIONS) {
      const shared = { ruleset: "v2", seeds: [104] } as const;
      const [asked] = await collectStation({ ...shared, council: ablateRole(live, ROLE, what), out });
      const [played] = await collectStation({ ...shared, council: ablateRole(persona, ROLE, what) });
      assert.equal(asked!.summary.run_id, `auditor-C4_CIVIL-no-${what === "idle" ? "deed" : what}_seed104`);
      assert.deepEqual(asked!.events.slice(1), played!.events.slice(1), what);
      assert.deepEqual(asked!.summary.q, played!.summary.q);
    }
  });
});

Deno.test("an ablated live run that was cut off is resumed, asks nothing twice, and is no synthetic one", async () => {
  const { chat } = persona;
  assert.ok(chat !== "none");
  let [asked, left] = [0, 20];
  const model: typeof chat = async (request, options) => {
    if (left-- <= 0) throw new Unanswered("network", "gone", { scope: "endpoint", tries: [] });
    asked++;
    const { synthetic: _, ...reply } = await chat(request, options);
    return reply;
  };
  const live = { ...persona, chat: model, live: true, synthetic: false, identity: "live:test" };
  const council = ablateRole(live, ROLE, "idle");
  await withFolder(async (out) => {
    const run = () => collectStation({ council, ruleset: "v2", seeds: [104], out });
    await assert.rejects(
      run(),
      /0 of 1 runs are complete, 1 stay open:\n {2}network: 1, such as auditor-C4_CIVIL-no-deed/,
    );
    left = Infinity;
    const [resumed] = await run();
    assert.equal(asked, 30, "five roles in six rounds");
    assert.deepEqual([resumed!.summary.synthetic, resumed!.summary.model_actions], [false, 36]);
    const [again] = await run();
    assert.deepEqual([again!.summary, asked], [resumed!.summary, 30]);
  });
});
