import assert from "node:assert/strict";
import { createRng } from "@/core/rng.ts";
import { conditionName } from "@/deliberation/condition_name.ts";
import { conditionHash } from "@/deliberation/deliberate.ts";
import { conditionWords } from "@/deliberation/label_conditions.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { liveSession } from "@/lab/live/committee_session.ts";
import type { LiveSettings } from "@/lab/live/live_session.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { liveCouncil, openCouncil, replayCouncil } from "@/lab/live/open_council.ts";
import { runCondition } from "@/lab/live/run_condition.ts";
import { runExperiment } from "@/lab/live/run_experiment.ts";
import { loadProviders } from "@/lab/live/scenarios.ts";
import { conditionColumns } from "@/lab/runs/rows.ts";
import { UserError } from "@/core/user_error.ts";
import { isComplete } from "@/record/accounting.ts";
import { Providers } from "@/schema/providers.ts";
import { planSweep } from "@/lab/sweep/sweep_plan.ts";
import { completion, withEndpoint } from "../../model/endpoint.ts";
import { sampledReply } from "../../model/sampled_reply.ts";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";

const wanted = { scenario: "HL-01", rounds: 3, guided: true, agents: 5 };
const NAME = "HL-01__T0.0__N5__rolesTrue__R3__guided";
/** Turns, ballots and the clerk. */
const CALLS = 5 * 3 + 5 + 1;

type Body = Readonly<Record<string, unknown>>;

/** A server on this machine that writes at random what a request's pattern lets it; `use` gets what it was sent. */
async function withGuide(
  { guided, obeys = true, onCall = () => {} }: { guided?: string; obeys?: boolean; onCall?: (number: number) => void },
  use: (folder: string, sent: readonly Body[]) => Promise<void>,
): Promise<void> {
  const sent: Body[] = [], rng = createRng(7);
  const handler = async (request: Request): Promise<Response> => {
    const body = await request.json();
    onCall(sent.push(body));
    const words = 'Costs decide.\nSTATE: pref=[0.33,0.33,0.34]; conf=70; tags=["tag_one","tag_two"]';
    const content = obeys ? sampledReply(body, rng) : words;
    return Response.json(completion({ message: { role: "assistant", content } }, { model: "small" }));
  };
  await withEndpoint(handler, async (baseUrl) => {
    const providers = { here: { baseUrl, paid: false, ...(guided && { guided }), limits: { concurrency: 2 } } };
    const packet = await Deno.readTextFile(new URL("../../../scenarios/policy/HL-01.json", import.meta.url));
    const files = {
      "policy/HL-01.json": packet,
      "providers.json": JSON.stringify({ schema: "providers/1", providers }),
    };
    await withFiles(files, (folder) => use(folder, sent));
  });
}

const session = (folder: string, live: LiveSettings = {}) =>
  liveSession(wanted, {
    ...{ council: "live:here:small", env: new Map(), folder, replicates: 2, out: `${folder}/out`, data: folder },
    live: { trustPrices: true, ...live },
  });

Deno.test("guided is another condition, and where it is left out every hash stays", async () => {
  const [plain, off, guided] = await Promise.all(
    [{}, { guided: false }, { guided: true }].map((knob) => loadCondition({ scenario: "HL-01", rounds: 3, ...knob })),
  );
  assert.equal(conditionHash(off!), conditionHash(plain!));
  // As before there was such a knob.
  const before = "a08b273f1a82af4c1532df39027cec4ec2750758f50eb296501fd0847e8b87b2";
  assert.equal(conditionHash(await loadCondition({ scenario: "HL-01" })), before);
  assert.deepEqual(guided, { ...plain, guided: true });
  assert.equal(conditionName(guided!), NAME);
  assert.match(conditionWords(guided!), /replies guided/);
  assert.equal(conditionColumns({ label: "", condition: guided!, runs: [] }).guided, true);
  assert.equal("guided" in conditionColumns({ label: "", condition: plain!, runs: [] }), false);
  const both = loadCondition({ scenario: "HL-01", guided: true, structured: true });
  assert.match((await userErrorOf(both)).message, /structured must be left out: guided ballots are JSON already/);
});

for (const guided of ["gbnf", "regex"]) {
  Deno.test(`a guided committee of 5 agents and 3 rounds by ${guided}: every reply is read; killed, resumed, replayed`, async () => {
    const stop = new AbortController();
    const onCall = (number: number) => number === 20 && stop.abort(new Error("killed"));
    await withGuide({ guided, onCall }, async (folder, sent) => {
      const run = async (out: string, signal?: AbortSignal) => {
        const council = await (await session(folder, { preflight: false })).open({ signal });
        // As after one Ctrl-C: calls in flight come in.
        const signals = { signal, callSignal: new AbortController().signal };
        return await runExperiment(wanted, { council, folder, replicates: 2, out, seed: 1, ...signals });
      };
      await assert.rejects(run(`${folder}/out`, stop.signal), /killed/);
      assert.ok(sent.length >= 20 && sent.length < 2 * CALLS);
      const [condition] = await run(`${folder}/out`);
      const { runs, declaration } = await readLedger(`${folder}/out/${NAME}.jsonl`);
      assert.ok(runs.length === 2 && runs.every(isComplete));
      assert.equal(declaration.condition.guided, true);
      const readings = runs.flatMap(({ events }) =>
        events.flatMap((event) => "reading" in event ? [event.reading.kind] : [])
      );
      assert.deepEqual(readings, Array.from({ length: 2 * CALLS }, () => "read"), "nothing is asked for again");
      assert.equal(sent.length, 2 * CALLS, "and nothing twice");
      const fields = new Set(sent.flatMap((body) => Object.keys(body)));
      const own = guided === "gbnf" ? ["grammar"] : ["structured_outputs", "guided_regex", "regex"];
      assert.deepEqual(own.filter((field) => !fields.has(field)), []);
      const council = await replayCouncil(`${folder}/out`);
      const [again] = await runExperiment(wanted, { council, folder, replicates: 2, out: `${folder}/again`, seed: 1 });
      assert.deepEqual(again!.runs.map(({ means }) => means), condition!.runs.map(({ means }) => means));
    });
  });
}

Deno.test("the plan of a committee on this machine costs nothing, also under a budget; a file from elsewhere cannot say so", async () => {
  await withGuide({ guided: "gbnf" }, async (folder) => {
    const { words, calls } = await (await session(folder)).plan();
    assert.equal(calls, 2 * CALLS);
    assert.match(words, /; nothing is paid on this machine$/);
    const council = await (await session(folder, { budgetUsd: 0.01 })).open();
    assert.equal(council.identity, "live:here");
    const stranger = await session(folder, { trustPrices: false, budgetUsd: 0.01 });
    assert.match((await stranger.plan()).words, /cost unknown: no price for here:small/);
    assert.match((await userErrorOf(stranger.check())).message, /--budget-usd needs a price for here:small/);
  });
});

Deno.test("a provider without guidance is refused before the first call, by name and with a way out", async () => {
  await withGuide({}, async (folder, sent) => {
    const { message, exitCode } = await userErrorOf(session(folder));
    assert.equal(
      message,
      'guided replies: the provider here has no "guided" in scenarios/providers.json: add "gbnf" for llama.cpp or "regex" ' +
        "for vLLM and SGLang, ask another provider, or leave guided out",
    );
    assert.equal(exitCode, 2);
    const sweep = planSweep({ wanted: [wanted], council: "live:ollama:small" }, new Map());
    assert.match((await userErrorOf(sweep)).message, /the provider ollama has no "guided"/);
    const condition = await loadCondition(wanted), { baseUrl } = (await loadProviders({ folder })).here!;
    const council = liveCouncil(new Map([["OPENAI_BASE_URL", baseUrl!]]));
    const direct = runCondition(condition, { council, replicates: 1, seed: 1, path: `${folder}/x.jsonl` });
    assert.ok(await userErrorOf(direct) instanceof UserError);
    assert.equal(sent.length, 0);
  });
});

Deno.test("only a server on this machine without a key may be said not to be paid", () => {
  const accepts = (provider: Record<string, unknown>) =>
    Providers.safeParse({ schema: "providers/1", providers: { own: { paid: false, ...provider } } }).success;
  assert.ok(accepts({ baseUrl: "http://127.0.0.1:8080/v1" }) && accepts({ baseUrl: "http://localhost:8080" }));
  for (const baseUrl of ["https://api.openai.com/v1", "http://127.0.0.1.example.org/v1", "http://192.168.0.7/v1"]) {
    assert.ok(!accepts({ baseUrl }), baseUrl);
  }
  assert.ok(!accepts({ baseUrl: "http://127.0.0.1:8080/v1", keyVariable: "OWN_API_KEY" }));
});

Deno.test("the preflight finds a server that lets a readable reply be otherwise than guided", async () => {
  await withGuide({ guided: "gbnf", obeys: false }, async (folder, sent) => {
    const { message } = await userErrorOf((await session(folder)).open());
    assert.match(
      message,
      /small \(Chair, .*: its reply is not guided: is "guided" in scenarios\/providers\.json what its server understands\?/,
    );
    assert.equal(sent.length, 2, "it is asked for once more");
  });
});

Deno.test("surrogates play a guided condition as any other", async () => {
  await withFiles({}, async (folder) => {
    const council = await openCouncil("surrogate", new Map());
    const [one] = await runExperiment(wanted, { council, replicates: 1, out: folder, seed: 1 });
    assert.equal(one!.accounting.target, 1);
  });
});
