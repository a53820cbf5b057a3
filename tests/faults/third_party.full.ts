import assert from "node:assert/strict";
import { recording, surrogate } from "@/model/mod.ts";
import { conditionRuns } from "@/lab/live/run_experiment.ts";
import { collectRuns, loadCondition, loadSurrogateParameters, readLedger } from "@/lab/runs/mod.ts";
import { readStationFolder } from "@/station/read_station_folder.ts";
import type { ModelCall } from "@/schema/model_call.ts";
import { liveRun } from "./live_command.ts";
import { withFolder } from "./live_study.ts";
import { type Fixture, startMock } from "./mock.ts";

/**
 * Live runs against a server that somebody else wrote. It knows one answer to each request, the one that an embedded council
 * gave to the same words, so that the live run and the embedded one must be the same run.
 */

/**
 * What a council said, as fixtures of the server. A request in other words, as the preflight's, gets the first reply; one that
 * ends like a ballot's, the first ballot.
 */
function fixturesOf(calls: readonly ModelCall[]): Fixture[] {
  const fixtures = calls.map(({ request: { messages }, reply }) => ({
    match: { systemMessage: messages[0]!.content, userMessage: messages.at(-1)!.content },
    response: { content: reply!.text },
  }));
  const ballot = fixtures.find(({ response }) => response.content.startsWith("{"));
  const ending = ballot && { userMessage: ballot.match.userMessage.split("\n").at(-1)! };
  const others = ending ? [{ match: ending, response: ballot.response }] : [];
  return [...fixtures, ...others, { match: {}, response: fixtures[0]!.response }];
}

Deno.test("a live committee of a third party's server is the embedded one", async () => {
  const condition = await loadCondition({ scenario: "HL-01", rounds: 3 });
  const calls: ModelCall[] = [];
  const chat = recording(surrogate(await loadSurrogateParameters()), (call) => void calls.push(call));
  const { runs: [embedded] } = await collectRuns(condition, { chat, replicates: 1, seed: 5 });
  await withFolder(async (folder) => {
    await using mock = await startMock(folder, { fixtures: fixturesOf(calls) });
    const flags = [
      "--scenario",
      "HL-01",
      "--rounds",
      "3",
      "--replicates",
      "1",
      "--seed",
      "5",
      "--council",
      "live",
      "--patience",
      "5s",
    ];
    const { code, stderr } = await liveRun([...flags, "--out", `${folder}/out`], { baseUrl: mock.baseUrl });
    assert.equal(code, 0, stderr);
    const [live] = conditionRuns(await readLedger(`${folder}/out/HL-01__T0.0__N5__rolesTrue__R3.jsonl`)).runs;
    assert.deepEqual(live!.preferences, embedded!.preferences);
    assert.equal(live!.decision, embedded!.decision);
    assert.equal(live!.synthetic, false);
  });
});

Deno.test("a live station of a third party's server is the embedded one", async () => {
  await withFolder(async (folder) => {
    const run = async (council: string, out: string, baseUrl?: string) => {
      const flags = [
        "station-floor",
        "--seed",
        "104",
        "--council",
        council,
        ...(baseUrl ? ["--patience", "5s"] : []),
        "--out",
        `${folder}/${out}`,
      ];
      const { code, stdout, stderr } = await liveRun(flags, { baseUrl });
      assert.equal(code, 0, stderr);
      return await readStationFolder(JSON.parse(stdout).folder);
    };
    const embedded = await run("coalition", "embedded");
    await using mock = await startMock(folder, { fixtures: fixturesOf(embedded.calls) });
    const live = await run("live:openai/gpt-4.1-mini", "live", mock.baseUrl);
    assert.equal(live.calls.length, 36);
    assert.deepEqual(live.calls.map(({ reply }) => reply?.text), embedded.calls.map(({ reply }) => reply?.text));
    assert.equal(live.summary?.q, embedded.summary?.q);
    assert.equal(live.summary?.fallback_actions, 0);
    assert.equal(live.summary?.synthetic, false);
  });
});
