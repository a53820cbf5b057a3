import assert from "node:assert/strict";
import { apiKey } from "../model/endpoint.ts";
import { type PricedEndpoint, type Sent, withPricedEndpoint } from "../runs/priced_endpoint.ts";
import { withFiles } from "../runs/with_files.ts";
import { mapLimited } from "@/core/map_limited.ts";
import { readLedger } from "@/runs/read_ledger.ts";
import { assertFailed, outcome } from "./command.ts";

/** Prices on file of the uniform line-up's model, US$ a token. */
const [IN, OUT] = [0.4e-6, 1.6e-6];
const billOf = (sent: readonly Sent[]) =>
  sent.reduce((sum, { usage }) => sum + (usage ? usage.promptTokens * IN + usage.completionTokens * OUT : 0), 0);

const flags = [
  "--scenario",
  "HL-01",
  "--rounds",
  "2",
  "--replicates",
  "70",
  "--council",
  "live",
  "--concurrency",
  "64",
];
const NAME = "HL-01__T0.0__N5__rolesTrue__R2.jsonl";

const envOf = ({ baseUrl }: PricedEndpoint) => ({ OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl });

Deno.test("fault 45: a budget is never exceeded at width 64, and the same command goes on with a larger one", async () => {
  // Every twenty-third request is lost after it was billed, every thirty-first refused.
  const refuse = (number: number) =>
    number > 1 && number % 31 === 0
      ? new Response("{}", { status: 429, headers: { "retry-after": "0" } })
      : number > 1 && number % 23 === 0
      ? new Response("<html>", { status: 200 })
      : undefined;
  await withPricedEndpoint(async (endpoint) => {
    await withFiles({}, async (out) => {
      const run = (usd: number) => {
        const args = [...flags, "--out", out, "--budget-usd", String(usd), "--patience", "20s"];
        return outcome("run", args, { env: envOf(endpoint) });
      };
      const spentOf = (stderr: string) => Number(/^spent so far: US\$ ([\d.]+)/m.exec(stderr)![1]);
      for (const usd of [0.05, 0.12]) {
        const before = endpoint.sent.length;
        const stopped = await run(usd);
        assert.equal(stopped.code, 1, stopped.stderr);
        assert.match(stopped.stderr, /^run: \d+ of 70 runs are missing: .*unanswered \(budget stop\)/m);
        assert.match(
          stopped.stderr,
          new RegExp(`of US\\$ ${usd.toFixed(usd < 0.1 ? 3 : 2)} are spent, .* larger --budget-usd`),
        );
        const bill = billOf(endpoint.sent);
        assert.ok(endpoint.sent.length > before && bill <= usd, `${bill} of ${usd}`);
        // Lost tries count as the most that they can have cost; the printed sum is rounded.
        assert.ok(spentOf(stopped.stderr) >= bill - 0.005 && spentOf(stopped.stderr) <= usd + 0.005);
      }
      const asked = endpoint.sent.length;
      const rest = await run(2);
      assert.equal(rest.code, 0, rest.stderr);
      assert.match(rest.stderr, /: 70 runs, \d+ of 1120 calls remain, /);
      assert.ok(endpoint.sent.length > asked);
      const { runs } = await readLedger(`${out}/${NAME}`);
      assert.equal(runs.length, 70);
      assert.deepEqual(new Set(runs.map(({ attempt }) => attempt)), new Set([1]), "nothing is asked twice");
      // What every session told agrees with what every session was billed, but for lost tries.
      const replies = runs.flatMap(({ events }) => events.flatMap((event) => "reply" in event ? [event.reply!] : []));
      const told = replies.reduce(
        (sum, { usage }) => sum + usage!.promptTokens * IN + usage!.completionTokens * OUT,
        0,
      );
      const preflight = JSON.parse((await Deno.readTextFile(`${out}/preflight/calls.jsonl`)).split("\n")[0]!);
      const { promptTokens, completionTokens } = preflight.reply.usage;
      assert.ok(Math.abs(told + promptTokens * IN + completionTokens * OUT - billOf(endpoint.sent)) < 1e-9);
      const audit = JSON.parse(await Deno.readTextFile(`${out}/audit.json`));
      assert.deepEqual(
        audit.rows.map((
          { runs, emptyShare, heterogeneousShare }: Record<string, number>,
        ) => [runs, emptyShare, heterogeneousShare]),
        [[70, 0, 0]],
      );
      assert.match(rest.stderr, /^audit of HL-01\S+: \d+ calls in 70 runs, 0 % empty, 0 % of runs heterogeneous$/m);
    });
  }, { refuse, latencyMs: 2 });
});

Deno.test("run refuses money and models that cannot be meant, by name, with 2 and nothing sent", async () => {
  const live = ["one-committee", "--council", "live"];
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [
      [...live, "--budget-usd", "0"],
      /^run: --budget-usd must be an amount above 0 in US\$, such as 20 or 0\.50, got "0"/,
    ],
    [[...live, "--budget-usd", "ten"], /^run: --budget-usd must be an amount above 0/],
    [
      [...live, "--budget-usd", "0.0001"],
      /^run: --budget-usd 0\.0001 pays for no call: one of openai\/gpt-4\.1-mini can cost US\$ 0\.00\d+/,
    ],
    [[...live, "--price=-1,2"], /^run: --price must be IN,OUT or MODEL=IN,OUT, each US\$ of at least 0 .*, got "-1,2"/],
    [[...live, "--price", "1"], /^run: --price must be IN,OUT/],
    [
      [...live, "--model", "new-model", "--budget-usd", "5"],
      /^run: --budget-usd needs a price for new-model: add --price IN,OUT/,
    ],
    [[...live, "--model", "gorq:llama"], /^run: unknown provider "gorq": did you mean groq/],
    [[...live, "--model", "groq:"], /^run: groq: names no model: write groq:MODEL/],
    [
      [...live, "--map", "a=b", "--map", "c=d"],
      /^run: --map has nothing to change in a and c: no seat asks them; the seats ask openai\/gpt-4\.1-mini/,
    ],
    [
      [...live, "--map", "openai/gpt-4.1-mini="],
      /^run: --map must be FROM=TO, two models, got "openai\/gpt-4\.1-mini="/,
    ],
    [[...live, "--map", "a=b", "--model", "c"], /^run: --map has nothing to change where one model sits in every seat/],
    [["one-committee", "--model", "c"], /^run: --model is for live councils: add --council live/],
    [
      [...live, "--model", "groq:llama", "--no-temperature"],
      /^run: --no-temperature is for the endpoint of OPENAI_BASE_URL, .* give groq "temperature": false/,
    ],
    [
      ["station-personas", "--council", "live", "--model", "new-model", "--budget-usd", "5"],
      /^run: --budget-usd needs a price for new-model/,
    ],
    [["station-personas", "--council", "live:gorq:llama"], /^run: unknown provider "gorq"/],
  ];
  await withFiles({}, async (cwd) => {
    const env = { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: "http://127.0.0.1:9/v1", GROQ_API_KEY: apiKey };
    const outcomes = await mapLimited(refused, 2, ([args]) => outcome("run", [...args], { cwd, env }));
    outcomes.forEach((one, i) => assertFailed(one, 2, refused[i]![1]));
    const unkeyed = await outcome("run", [...live, "--model", "groq:llama"], { cwd });
    assertFailed(unkeyed, 1, /^run: the provider groq needs a key: set GROQ_API_KEY$/m);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(cwd)), []);
  });
});

Deno.test("without a cap the plan says that a cost is unknown, with --price what it is, and with no key at all", async () => {
  const args = ["one-committee", "--council", "live", "--model", "groq:new", "--dry-run", "--replicates", "2"];
  const [unknown, priced] = await Promise.all([outcome("run", args), outcome("run", [...args, "--price", "1,10"])]);
  assert.deepEqual([unknown.code, unknown.stderr, priced.code], [0, "", 0]);
  assert.match(unknown.stdout, /^in all: 212 calls, .*; cost unknown: no price for groq:new/m);
  const [, prompts, completions, usd] = /about (\d+)k prompt and (\d+)k .* about US\$ ([\d.]+)/.exec(priced.stdout)!;
  assert.ok(Math.abs(Number(usd) - (Number(prompts) + 10 * Number(completions)) / 1000) < 0.02);
});

Deno.test("run --map puts a server's one model into the seats of a line-up, in a folder of its own", async () => {
  await withPricedEndpoint(async (endpoint) => {
    await withFiles({}, async (cwd) => {
      const others = ["openai/gpt-4.1", "anthropic/claude-sonnet-4.6", "google/gemini-2.5-flash", "x-ai/grok-3-mini"];
      const maps = [...others, "openai/gpt-4.1-mini"].flatMap((from) => ["--map", `${from}=local`]);
      const args = [
        "--scenario",
        "HL-01",
        "--lineup",
        "mixed",
        "--rounds",
        "1",
        "--replicates",
        "1",
        "--council",
        "live",
      ];
      const { code, stdout, stderr } = await outcome("run", [...args, ...maps], { cwd, env: envOf(endpoint) });
      assert.equal(code, 0, stderr);
      assert.deepEqual(new Set(endpoint.sent.map(({ body }) => body.model)), new Set(["local"]));
      assert.match(JSON.parse(stdout).ledger, /^data\/live\/ad-hoc\/127\.0\.0\.1-\d+-v1\/mapped-[0-9a-f]{8}\/HL-01/);
      assert.match(stderr, /^spent so far: unknown, at least US\$ 0\.00; not in it: local, which has no price$/m);
    });
  });
});

Deno.test("fault 45: a station council of two models stops at its budget, goes on, and its fallback share is audited", async () => {
  await withPricedEndpoint(async (endpoint) => {
    await withFiles({}, async (out) => {
      const council = "live:C1_COMMAND=one,default=two";
      const args = ["station-personas", "--council", council, "--seed", "7", "--out", out, "--structured", "true"];
      const money = ["--price", "0.4,1.6", "--budget-usd"];
      const stopped = await outcome("run", [...args, ...money, "0.01"], { env: envOf(endpoint) });
      assert.equal(stopped.code, 1, stopped.stderr);
      assert.match(stopped.stderr, /0 of 1 runs are complete, 1 stay open:\n {2}budget_stop: 1, such as mixed-/);
      assert.ok(billOf(endpoint.sent) <= 0.01);
      const before = endpoint.sent.length;
      const rest = await outcome("run", [...args, ...money, "1"], { env: envOf(endpoint) });
      assert.equal(rest.code, 0, rest.stderr);
      assert.ok(before > 4 && endpoint.sent.length - before < 36);
      const asked = endpoint.sent.map(({ body }) => body.model);
      assert.deepEqual([...new Set(asked)].sort(), ["one", "two"]);
      const formats = endpoint.sent.slice(2).map(({ body }) => (body.response_format as { type: string }).type);
      assert.deepEqual(new Set(formats), new Set(["json_schema"]));
      assert.match(
        rest.stderr,
        /^audit of mixed-\w+: \d+ calls in 1 runs, 0 % empty, 0 % of runs .*, 0 % of turns fallback$/m,
      );
      assert.equal(JSON.parse(await Deno.readTextFile(`${out}/audit.json`)).rows[0].fallbackShare, 0);
    });
  });
});

/** Two short runs of two agents: ten calls, and one of the preflight. */
const SHORT = ["--scenario", "HL-01", "--agents", "2", "--rounds", "1", "--replicates", "2", "--council", "live"];
const SHORT_NAME = "HL-01__T0.0__N2__rolesTrue__R1.jsonl";

Deno.test("fault 26: a live folder with a ledger that a kill left empty or torn at birth is planned and run by the same command", async () => {
  await withPricedEndpoint(async (endpoint) => {
    await withFiles({}, async (out) => {
      const env = envOf(endpoint);
      const args = [...SHORT, "--out", out, "--budget-usd", "1"];
      const path = `${out}/${SHORT_NAME}`;
      assert.equal((await outcome("run", args, { env })).code, 0);
      const header = (await Deno.readTextFile(path)).split("\n")[0]!;
      for (const torn of ["", header.slice(0, 1), header.slice(0, 700)]) {
        await Deno.remove(`${path}.lines`);
        await Deno.writeTextFile(path, torn);
        const planned = await outcome("run", [...args, "--dry-run"], { env });
        assert.deepEqual([planned.code, planned.stderr], [0, ""]);
        assert.match(planned.stdout, /: 2 runs, 10 calls, /);
        assert.equal(await Deno.readTextFile(path), torn, "planning repairs nothing");
        const ran = await outcome("run", args, { env });
        assert.equal(ran.code, 0, ran.stderr);
        assert.equal(/line 1 was torn off; its bytes are kept in /.test(ran.stderr), torn !== "", ran.stderr);
        assert.equal(JSON.parse(ran.stdout).realised, 2);
      }
      const asked = (await Deno.readTextFile(`${out}/preflight/calls.jsonl`)).trimEnd().split("\n");
      assert.equal(asked.length, 1, "the model is asked once for all sessions");
    });
  });
});

Deno.test("fault 25: a ledger that is removed while the command pays for it ends with 1, and what was spent is still told", async () => {
  await withFiles({}, async (out) => {
    const path = `${out}/${SHORT_NAME}`;
    const refuse = (number: number) => {
      if (number === 8) Deno.removeSync(path);
      return undefined;
    };
    await withPricedEndpoint(async (endpoint) => {
      const args = [...SHORT, "--concurrency", "1", "--out", out];
      const lost = await outcome("run", args, { env: envOf(endpoint) });
      assertFailed(
        lost,
        1,
        /^run: .*__R1\.jsonl was removed or renamed while it was being written\. All that was recorded/m,
      );
      assert.equal(endpoint.sent.length, 11);
      const spent = /^spent so far: US\$ ([\d.]+)$/m.exec(lost.stderr)![1];
      const again = await outcome("run", args, { env: envOf(endpoint) });
      assertFailed(
        again,
        1,
        /^run: .*\.jsonl\.rescued holds all that was recorded .*: rename it to .*__R1\.jsonl and run/m,
      );
      await Deno.rename(`${path}.rescued`, path);
      const whole = await outcome("run", args, { env: envOf(endpoint) });
      assert.equal(whole.code, 0, whole.stderr);
      assert.equal(/^spent so far: US\$ ([\d.]+)$/m.exec(whole.stderr)![1], spent);
      assert.equal(endpoint.sent.length, 11, "nothing is asked a second time");
    }, { refuse });
  });
});
