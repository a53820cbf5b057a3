import assert from "node:assert/strict";
import { apiKey, rejection } from "../model/endpoint.ts";
import { UserError } from "@/core/user_error.ts";
import { createRng } from "@/core/rng.ts";
import { callsOf } from "@/deliberation/calls_of.ts";
import { openaiFromEnvironment } from "@/model/openai_chat.ts";
import { queued } from "@/model/queued.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { audited, auditLedger } from "@/runs/audit.ts";
import { loadSurrogateParameters } from "@/runs/scenarios.ts";
import { recording, ReplayMismatch } from "@/model/replay.ts";
import { committeeRuns } from "@/runs/collect_runs.ts";
import { type Council, replayCouncil } from "@/runs/council.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { runExperiment } from "@/runs/run_experiment.ts";
import { runCondition } from "@/runs/run_condition.ts";
import type { Condition } from "@/schema/condition.ts";
import type { DeliberationEvent } from "@/schema/deliberation_event.ts";
import type { FailedTry, ModelCall } from "@/schema/model_call.ts";
import { council as surrogates } from "./councils.ts";
import { withLiveEndpoint } from "./live_endpoint.ts";
import { withFiles } from "./with_files.ts";

const condition = await loadCondition({ scenario: "HL-01" });
const settings = { replicates: 1, seed: 1 };

/** A live council as the command makes it, but without jitter, and every call kept as it was made. */
function keepingCouncil(baseUrl: string, calls: ModelCall[]): Council {
  const env = new Map([["OPENAI_API_KEY", apiKey], ["OPENAI_BASE_URL", baseUrl]]);
  const patient = queued(openaiFromEnvironment(env), { concurrency: 8, rng: createRng(0), baseMs: 0 });
  const chat = recording(patient, (call) => void calls.push(call));
  return { chat, identity: "live", synthetic: false, live: true, concurrency: 8 };
}

/** The 53rd request is refused with words that give the key away. */
const busyOnce = (request: number, key: string) =>
  request === 53
    ? Response.json({ error: { message: `slow down, ${key.replace("Bearer ", "")}` } }, {
      status: 429,
      headers: { "retry-after": "0" },
    })
    : undefined;

const repliesIn = (events: readonly DeliberationEvent[]) =>
  events.flatMap((event) => "reply" in event && event.reply ? [event.reply] : []);

async function everyText(folder: string): Promise<string> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  return (await Promise.all(names.map((name) => Deno.readTextFile(`${folder}/${name}`)))).join("\n");
}

Deno.test("a whole live run over HTTP, then its replay", async (t) => {
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    const made: ModelCall[] = [];
    let live: readonly DeliberationEvent[] = [];

    await t.step("106 calls make a complete run, and a 429 in the middle is survived and on record", async () => {
      await withLiveEndpoint(async ({ baseUrl, keys }) => {
        const ledger = await runCondition(condition, { ...settings, path, council: keepingCouncil(baseUrl, made) });
        assert.equal(ledger.declaration.synthetic, false);
        assert.equal(ledger.runs[0]!.closed?.outcome, "complete");
        live = ledger.runs[0]!.events;
        assert.equal(keys.length, 107);
        assert.deepEqual(new Set(keys), new Set([`Bearer ${apiKey}`]));
        assert.deepEqual(committeeRuns(ledger)[0]!.means.length, 20);
      }, { refuse: busyOnce });
      const replies = repliesIn(live);
      assert.equal(replies.length, 106);
      const tried = replies.flatMap(({ failedTries }, i) => failedTries ? [{ call: i + 1, failedTries }] : []);
      const model = "openai/gpt-4.1-mini";
      const message = `${model}: 429 slow down, [redacted]`;
      const { call, failedTries } = tried[0]!;
      const [{ waitedMs, ...failed }, ...more] = failedTries as [FailedTry, ...FailedTry[]];
      assert.deepEqual([call, failed, more, tried.length], [53, { code: "rate_limit", message }, [], 1]);
      assert.ok(waitedMs >= 0);
      const { latencyMs, text: _, ...rest } = replies[0]!;
      assert.ok(latencyMs! > 0);
      assert.deepEqual(rest, {
        servedModel: `${model}-served`,
        finishReason: "stop",
        usage: { promptTokens: 101, completionTokens: 10 },
        dropped: ["seed"],
      });
    });

    await t.step("every call follows from the ledger, with the request as it was made", () => {
      assert.deepEqual([...callsOf(condition, live)], made);
    });

    await t.step("fault 46: the key is in no file", async () => {
      const text = await everyText(folder);
      assert.ok(text.includes("[redacted]"));
      assert.ok(!text.includes(apiKey));
    });

    await t.step("replayed, the run is the same event by event", async () => {
      const council = await replayCouncil(path);
      const ledger = await runCondition(condition, { ...settings, path: `${folder}/replayed.jsonl`, council });
      assert.deepEqual(ledger.runs[0]!.events, live);
      assert.deepEqual([ledger.declaration.council, ledger.declaration.synthetic], ["replay", false]);
    });

    await t.step("fault 38: a changed prompt stops the replay at its first call, with a diff", async () => {
      const packet = { ...condition.packet, question: "Which option should be taken, if any?" };
      const changed: Condition = { ...condition, packet };
      const options = { ...settings, path: `${folder}/changed.jsonl`, council: await replayCouncil(path) };
      const error = await rejection(runCondition(changed, options));
      assert.ok(error instanceof ReplayMismatch);
      assert.equal(error.code, "drift");
      assert.match(error.message, /: call 1 of the replay asks openai\/gpt-4\.1-mini .* which was not recorded/);
      assert.match(error.message, /\n\+.*Which option should be taken, if any\?/);
      assert.ok(
        error.message.split("\n").some((line) => line.startsWith("-") && line.includes(condition.packet.question)),
      );
    });

    await t.step("fault 39: a second replicate exhausts the recording of one", async () => {
      const options = { ...settings, replicates: 2, council: await replayCouncil(path) };
      const error = await rejection(runCondition(condition, { ...options, path: `${folder}/two.jsonl` }));
      assert.ok(error instanceof ReplayMismatch);
      assert.equal(error.code, "exhausted");
      assert.match(error.message, /: call 107 of the replay .* all recorded calls \(106\) have been used$/);
    });
  });
});

Deno.test("fault 46: a key that a model says is cut before anybody reads it: record, other agents and replay see one text", async () => {
  const short = await loadCondition({ scenario: "HL-01", rounds: 2 });
  const parrot = surrogate({ ...await loadSurrogateParameters(), malformedShare: 0 });
  const prompts: string[] = [];
  const chat: ChatModel = async (request) => {
    const heard = JSON.stringify(request.messages);
    prompts.push(heard);
    const { text } = await parrot(request);
    return { text: text.includes("STATE:") ? `The key is ${apiKey}. ${text}` : text };
  };
  await withFiles({}, async (folder) => {
    const path = `${folder}/x.jsonl`;
    await withLiveEndpoint(async ({ baseUrl }) => {
      const ledger = await runCondition(short, { ...settings, path, council: keepingCouncil(baseUrl, []) });
      const { events } = ledger.runs[0]!;
      assert.equal(ledger.runs[0]!.closed?.outcome, "complete");
      const cut = repliesIn(events).filter(({ text }) => text.startsWith("The key is [redacted]. "));
      assert.deepEqual([cut.length, cut.every(({ redacted }) => redacted)], [10, true]);
      assert.equal(repliesIn(events).filter(({ redacted }) => redacted).length, 10);
      // Nobody has spoken before the first turn, and the clerk is shown ballots alone.
      assert.equal(prompts.filter((heard) => heard.includes("The key is [redacted]. ")).length, prompts.length - 2);
      const row = auditLedger(ledger);
      assert.deepEqual([row.redacted, row.calls], [10, prompts.length]);
      assert.match(
        await audited(folder, [row]),
        /: 16 calls in 1 runs, a configured key cut out of 10 replies, 0 % empty/,
      );
      const text = await everyText(folder);
      assert.ok(text.includes('"redacted": 10') && !text.includes(apiKey) && !prompts.join().includes(apiKey));
      const replayed = { ...settings, path: `${folder}/replayed.jsonl`, council: await replayCouncil(path) };
      assert.deepEqual((await runCondition(short, replayed)).runs[0]!.events, events);
    }, { chat });
  });
});

Deno.test("fault 39: a file of calls of one model puts that model into every seat, one of several leaves each its own", async () => {
  const wanted = { scenario: "HL-01", agents: 2, rounds: 1, lineup: "mixed" };
  const run = (council: Council, out: string) => runExperiment(wanted, { council, replicates: 1, seed: 1, out });
  for (const model of ["local/one", undefined]) {
    await withFiles({}, async (folder) => {
      const calls: ModelCall[] = [];
      const kept = surrogates((chat) => recording(chat, (call) => void calls.push(call)), { live: true, model });
      const [live] = await run(kept, `${folder}/live`);
      const path = `${folder}/calls.jsonl`;
      await Deno.writeTextFile(path, calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
      const council = await replayCouncil(path);
      assert.equal(council.model, model);
      const [again] = await run(council, `${folder}/again`);
      assert.deepEqual(again!.ledger.runs[0]!.events, live!.ledger.runs[0]!.events);
      const error = await rejection(
        runExperiment({ ...wanted, rounds: 2 }, { council, replicates: 1, out: `${folder}/x` }),
      );
      assert.ok(error instanceof UserError && error instanceof ReplayMismatch);
      assert.match(error.message, /calls\.jsonl: the recording does not fit at turn\/1\/\d\/false\. Replay it with /);
    });
  }
});
