import assert from "node:assert/strict";
import OpenAI from "openai";
import { deliberate } from "@/deliberation/deliberate.ts";
import { createPrompter } from "@/deliberation/prompt.ts";
import { initialState } from "@/deliberation/state.ts";
import { collectRuns } from "@/lab/runs/collect_runs.ts";
import { surrogateCouncil } from "@/lab/live/council.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { loadSurrogateParameters } from "@/lab/live/scenarios.ts";
import { openaiChat } from "@/model/openai_chat.ts";
import { recording } from "@/model/replay.ts";
import { runStation } from "@/station/run_station.ts";
import { ModelError, Unanswered } from "@/model/chat_model.ts";
import { serve, type ServeOptions } from "@/lab/tools/serve/endpoint.ts";
import { SERVED_FAULTS } from "@/lab/tools/serve/answers.ts";
import { csvParse } from "d3-dsv";
import { withFiles } from "../runs/with_files.ts";
import { listedStations } from "../live/listed_stations.ts";
import { outcome } from "./command.ts";

const FIRST_TURN = { kind: "turn", round: 1, seat: 0, again: false } as const;
const MODEL = "openai/gpt-4.1-mini";

async function withEndpoint<T>(options: ServeOptions, work: (baseURL: string) => Promise<T>): Promise<T> {
  await using served = await serve({ port: 0, ...options });
  return await work(served.baseUrl);
}

Deno.test("serve: a live committee has the numbers of the embedded one", async () => {
  const condition = await loadCondition({ scenario: "HL-01", rounds: 2, temperature: 0.7 });
  const [replicates, seed] = [2, 5];
  const { chat } = await surrogateCouncil(await loadSurrogateParameters());
  const embedded = await collectRuns(condition, { chat, replicates, seed });
  const live = await withEndpoint({}, async (baseUrl) => {
    const chat = openaiChat({ baseUrl, apiKey: "any", sendSeed: true });
    return await collectRuns(condition, { chat, replicates, seed });
  });
  assert.deepEqual(live.runs.map(({ means }) => means), embedded.runs.map(({ means }) => means));
});

/** What people set where a local server wants a key and takes any. */
const DUMMY_KEYS = [
  ...[
    "e",
    "k",
    "x",
    "a",
    "o",
    "1",
    "0",
    "-",
    ".",
    "{",
    "any",
    "abc",
    "key",
    "none",
    "None",
    "null",
    "NULL",
    "nil",
    "test",
  ],
  ...[
    "EMPTY",
    "empty",
    "token",
    "dummy",
    "secret",
    "ollama",
    "vllm",
    "local",
    "fake",
    "foo",
    "xxx",
    "changeme",
    "default",
  ],
  ...[
    "sk-no-key",
    "sk-xxx",
    "sk-1234",
    "lm-studio",
    "not-needed",
    "no-key",
    "api-key",
    "anything",
    "placeholder",
    "STATE",
  ],
];

Deno.test("fault 46: a dummy key changes no word of a committee or a station: their runs are those under a long key", async () => {
  const condition = await loadCondition({ scenario: "IM-01", roles: true, rounds: 2, temperature: 0.7 });
  const runs = await withEndpoint({}, (baseUrl) => {
    const play = async (apiKey: string) => {
      const record: unknown[] = [];
      const chat = recording(openaiChat({ baseUrl, apiKey, sendSeed: true }), (call) => void record.push(call));
      for await (const event of deliberate(condition, { chat, replicate: 0, seed: 5 })) record.push(event);
      const council = { council: chat, model: "triage" };
      for await (const event of runStation({ ...council, seed: 104, ruleset: "v2" })) record.push(event);
      return JSON.stringify(record, (name, value) => name === "latencyMs" ? undefined : value);
    };
    return Promise.all(["a-long-key-that-nobody-says", ...DUMMY_KEYS].map(play));
  });
  const [long, ...short] = runs;
  assert.ok(long!.includes('"round":6') && long!.includes('"majority_count"') && !long!.includes("[redacted]"));
  assert.deepEqual(DUMMY_KEYS.filter((_, i) => short[i] !== long), []);
  assert.ok(new Set(DUMMY_KEYS).size >= 40);
});

Deno.test("serve: it lists its models, streams the same words as it sends whole, and tells their tokens", () =>
  withEndpoint({}, async (baseURL) => {
    const client = new OpenAI({ baseURL, apiKey: "any", maxRetries: 0 });
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    assert.ok(ids.includes(MODEL) && ids.includes("triage"));
    const condition = await loadCondition({ scenario: "HL-01" });
    const messages = createPrompter(condition)(initialState(condition), FIRST_TURN);
    const asked = { model: MODEL, messages, seed: 3, temperature: 0 };
    const whole = await client.chat.completions.create(asked);
    assert.match(whole.choices[0]!.message.content!, /STATE: pref=/);
    assert.equal(whole.usage!.total_tokens, whole.usage!.prompt_tokens + whole.usage!.completion_tokens);
    let [words, told] = ["", 0];
    for await (const { choices: [choice], usage } of await client.chat.completions.create({ ...asked, stream: true })) {
      words += choice?.delta.content ?? "";
      told = usage?.total_tokens ?? told;
    }
    assert.equal(words, whole.choices[0]!.message.content);
    assert.equal(told, whole.usage!.total_tokens);
  }));

for (const hosted of [false, true]) {
  const when = hosted ? "at no temperature from a hosted endpoint" : "at T = 0 alone";
  Deno.test(`serve: without a seed equal requests get equal replies ${when}`, () =>
    withEndpoint({ hosted }, async (baseUrl) => {
      const chat = openaiChat({ baseUrl, apiKey: "any" }), condition = await loadCondition({ scenario: "HL-01" });
      const messages = createPrompter(condition)(initialState(condition), FIRST_TURN);
      for (const [temperature, isSame] of [[0, !hosted], [0.7, false]] as const) {
        const texts = new Set<string>();
        for (const seed of Array(12).keys()) {
          texts.add((await chat({ model: MODEL, messages, temperature, seed, maxTokens: 600 })).text);
        }
        assert.equal(texts.size === 1, isSame, `T = ${temperature}`);
      }
    }));
}

Deno.test("serve: what cannot be answered says why", () =>
  withEndpoint({}, async (baseURL) => {
    const client = new OpenAI({ baseURL, apiKey: "any", maxRetries: 0 });
    const ask = (model: string, content: string) =>
      client.chat.completions.create({ model, messages: [{ role: "user", content }] });
    await assert.rejects(ask("openai/gpt-4.1-mni", "x"), /404 .*did you mean openai\/gpt-4\.1-mini/);
    await assert.rejects(ask(MODEL, "What is the time?"), /400 .*surrogate council cannot read this prompt/);
    const bare = await fetch(`${baseURL}/chat/completions`, { method: "POST", body: "{}" });
    assert.equal(bare.status, 401);
    assert.match(await bare.text(), /no valid API key/);
    const empty = await fetch(`${baseURL}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer any" },
      body: "{",
    });
    assert.equal(empty.status, 400);
    await empty.body?.cancel();
  }));

/** What the client's record calls each fault. */
const RECORDED: Readonly<Partial<Record<string, string>>> = { no_usage: "reply" };

for (const kind of SERVED_FAULTS) {
  Deno.test(`serve --fault ${kind}: the client's record names it`, () =>
    withEndpoint({ faults: { [kind]: 1 } }, async (baseUrl) => {
      const chat = openaiChat({ baseUrl, apiKey: "any", timeoutMs: kind === "timeout" ? 300 : 60_000 });
      const condition = await loadCondition({ scenario: "HL-01", rounds: 1 });
      const messages = createPrompter(condition)(initialState(condition), FIRST_TURN);
      const found = await chat({ model: MODEL, messages, temperature: 0, seed: 1, maxTokens: 300 }).then(
        ({ usage }) => usage === undefined ? "reply" : "usage",
        (error: unknown) => error instanceof ModelError || error instanceof Unanswered ? error.code : String(error),
      );
      assert.equal(found, RECORDED[kind] ?? kind);
    }));
}

Deno.test("serve: bad arguments name the flag and what there is", async () => {
  const cases: [ServeOptions, RegExp][] = [
    [{ faults: { ratelimit: 0.1 } }, /--fault knows no kind "ratelimit"; there are rate_limit, /],
    [{ faults: { server: 1.5 } }, /--fault server: the rate must be a share from 0 to 1/],
    [{ faults: { server: 0.6, network: 0.6 } }, /sum to 1\.2/],
  ];
  for (const [options, words] of cases) await assert.rejects(serve({ port: 0, ...options }), words);
});

Deno.test("serve: a body of more than 1 MB is refused, with or without its length, and one of less is read", () =>
  withEndpoint({}, async (baseURL) => {
    const post = (body: BodyInit) =>
      fetch(`${baseURL}/chat/completions`, { method: "POST", headers: { authorization: "Bearer x" }, body });
    const status = async (body: BodyInit) => {
      const response = await post(body);
      await response.body?.cancel();
      return response.status;
    };
    const large = " ".repeat(2 ** 20 + 1);
    assert.equal(await status(large), 413);
    assert.equal(await status(new Blob([large]).stream()), 413);
    assert.equal(await status(" ".repeat(2 ** 20)), 400, "no JSON, but read");
  }));

/** The status of a request as a page of another site could send it: `fetch` sets the host itself. */
async function statusFor(baseURL: string, host: string): Promise<number> {
  const { hostname, port } = new URL(baseURL);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const request = `GET /v1/models HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(request));
  const answer = await new Response(connection.readable).text();
  return Number(answer.split(" ")[1]);
}

Deno.test("serve: only its own address is answered, so that no other site's page can ask by a name that points here", () =>
  withEndpoint({}, async (baseURL) => {
    const { port } = new URL(baseURL);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`]) {
      assert.equal(await statusFor(baseURL, host), 200, host);
    }
    const others = [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1",
      `127.0.0.1:${Number(port) + 1}`,
      `127.0.0.1.x:${port}`,
    ];
    for (const host of others) assert.equal(await statusFor(baseURL, host), 421, host);
  }));

/** Commands against `serve`: it answers for language models, and everything that a reader sees says that it is none. */

Deno.test("a live station that serve answers is complete, and synthetic in line, manifest and summary", () =>
  withFiles({}, async (cwd) => {
    await using served = await serve({ port: 0 });
    const env = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: served.baseUrl };
    const args = ["station-personas", "--council", "live:triage", "--seed", "104", "--out", "out"];
    const { code, stdout, stderr } = await outcome("run", args, { cwd, env });
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).synthetic, true);
    const { manifest: [row], summaries: [summary] } = await listedStations(`${cwd}/out`);
    assert.deepEqual([row!.synthetic, summary!.synthetic], [true, true]);
    const again = await outcome("run", args, { cwd, env });
    assert.deepEqual([again.code, again.stdout], [0, stdout]);
  }));

Deno.test("live committees that serve answers are synthetic in line, tables and measures, complete or not", () =>
  withFiles({}, async (cwd) => {
    const condition = ["--scenario", "IM-01", "--roles", "true", "--rounds", "4", "--replicates", "2"];
    const args = [...condition, "--council", "live", "--out", "out", "--csv", "tables"];
    const runWith = async (faults: Record<string, number>, more: readonly string[] = []) => {
      await using served = await serve({ port: 0, faults });
      const env = { OPENAI_API_KEY: "any", OPENAI_BASE_URL: served.baseUrl };
      return await outcome("run", [...args, ...more], { cwd, env });
    };
    const done = await runWith({});
    assert.equal(done.code, 0, done.stderr);
    const line = JSON.parse(done.stdout);
    assert.deepEqual([line.synthetic, line.realised], [true, 2]);
    const means = csvParse(await Deno.readTextFile(`${cwd}/tables/means.csv`));
    assert.deepEqual([...new Set(means.map(({ synthetic }) => synthetic))], ["true"]);
    const measured = await outcome("measure", [line.ledger, "--json", "--from", "1", "--to", "4"], { cwd });
    assert.equal(JSON.parse(measured.stdout).synthetic, true, measured.stderr);
    const short = await runWith({ truncated: 0.5 }, ["--out", "short", "--no-preflight"]);
    const none = JSON.parse(short.stdout);
    assert.deepEqual([short.code, none.synthetic, none.realised], [1, true, 0]);
  }));
