import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import type { ChatModel } from "@/model/chat_model.ts";
import { STATION_PERSONAS, stationPersona } from "@/model/station/station_persona.ts";
import { STATEMENTS } from "@/model/station/write_reply.ts";
import type { ChatRequest } from "@/schema/model_call.ts";
import type { StationEvent } from "@/schema/station_event.ts";
import { ACTIONS, COUNCIL } from "@/schema/station_ids.ts";
import { parseProposal } from "@/station/parse_proposal.ts";
import { parseReply } from "@/station/parse_reply.ts";
import { RULES } from "@/station/rules.ts";
import { type Ruleset, runStation } from "@/station/run_station.ts";
import { repairPrompt } from "@/station/station_prompt.ts";
import { proposal, request, stateOf } from "./requests.ts";

const READABLE = ["triage", "coalition", "auditor", "broadcaster", "split", "chaser", "schemer"] as const;
const busy = stateOf({
  round: 3,
  rumors: [{ id: "R1", text: "They say it is so.", heat: 0.5, growth: 1, from: "X1_RUMOR" }],
  proposals: [proposal("P1", "C2_EQUITY"), proposal("P2", "C1_COMMAND")],
});

async function run(council: ChatModel, seed: number, ruleset: Ruleset = "v2"): Promise<StationEvent[]> {
  return await Array.fromAsync(runStation({ seed, ruleset, council }));
}
type ActionTaken = Extract<StationEvent, { kind: "action.taken" }>;
const acts = (events: StationEvent[]): ActionTaken[] => events.filter((event) => event.kind === "action.taken");
const stabilised = (events: StationEvent[]) => events.some((event) => event.kind === "run.closed" && event.stabilized);

Deno.test("equal requests get equal replies, in any order, marked synthetic; other seeds get others", async () => {
  for (const persona of STATION_PERSONAS) {
    const requests = Array.from({ length: 30 }, (_, seed) => request(COUNCIL[seed % 6]!, { state: busy, seed }));
    const [one, other] = [stationPersona(persona), stationPersona(persona)];
    const replies = await Promise.all(requests.map((asked) => one(asked)));
    for (const [i, asked] of [...requests.entries()].reverse()) {
      assert.deepEqual(await other(structuredClone(asked)), replies[i]);
    }
    assert.ok(replies.every((reply) => reply.synthetic === true && Object.keys(reply).length === 2));
    const same = await Promise.all(requests.map(({ seed }) => one(request("C2_EQUITY", { seed }))));
    assert.equal(new Set(same.map(({ text }) => text)).size > 1, persona !== "silent", persona);
  }
});

for (const persona of READABLE) {
  Deno.test(`${persona}: whole runs read as written, nothing refused, something short said in every slot`, async () => {
    const said = new Set<string>();
    for (const seed of [3, 14, 15]) {
      const taken = acts(await run(stationPersona(persona), seed, "v1"));
      assert.equal(taken.length, 36);
      for (const { origin, reading, refused, statement, filing } of taken) {
        assert.equal(origin.kind, "model");
        assert.ok(reading!.rawValid);
        assert.equal(refused, undefined);
        assert.ok(filing === undefined || (filing.reading.rawValid && filing.flaw === undefined));
        const words = statement!.split(/\s+/).length;
        assert.ok(words >= 4 && words <= 60, `${statement}`);
        assert.doesNotMatch(statement!, /[{}]|undefined/);
        said.add(statement!);
      }
    }
    assert.ok(said.size >= (persona === "chaser" ? 10 : 40), `${said.size} different statements`);
  });
}

Deno.test("schemer leaks, bribes, auctions, spreads rumours, sabotages and defects; all personas together take all 22 actions", async () => {
  const taken = async (persona: string) => {
    const runs = await Promise.all(RULES.seeds.panel.map((seed) => run(stationPersona(persona), seed)));
    return new Set(runs.flatMap(acts).filter(({ origin }) => origin.kind === "model").map(({ action }) => action));
  };
  const schemes = ["auction", "bribe", "defect", "leak", "sabotage", "spread_rumor"] as const;
  const own = await taken("schemer");
  assert.deepEqual(schemes.filter((action) => !own.has(action)), []);
  const all = await Promise.all(STATION_PERSONAS.map(taken));
  assert.deepEqual(all.reduce((union, one) => union.union(one), new Set()), new Set(ACTIONS));
  assert.equal(ACTIONS.length, 22);
});

Deno.test("a line that was heard this round is not said again while there is another", async () => {
  for (const seed of [3, 14, 15]) {
    for (let round = 1; round <= 6; round++) {
      const said = acts(await run(stationPersona("triage"), seed)).filter((act) => act.round === round);
      assert.equal(new Set(said.map(({ statement }) => statement)).size, 6);
    }
  }
});

Deno.test("every line of the personas is short, and each slot in braces is one that can be filled", () => {
  const slots = new Set(
    "id by who outer crew sponsor medical life docking comms hours seats people need rumour".split(" "),
  );
  const ofPlans = new Set("outer crew sponsor medical life docking comms".split(" "));
  const aiming = ["endorse", "oppose", "vote", "fork_proposal"];
  for (const lines of [...Object.values(STATEMENTS.manner), ...Object.values(STATEMENTS.office)]) {
    for (const [action, texts] of Object.entries(lines)) {
      for (const text of texts) {
        assert.ok(text.split(/\s+/).length <= 44, `too long once a rumour of 16 words is in it: ${text}`);
        for (const [, slot] of text.matchAll(/\{(\w+)\}/g)) {
          assert.ok(slots.has(slot!), `${slot}`);
          if (slot === "id" || slot === "by") assert.ok(aiming.includes(action), text);
          if (slot === "who") assert.match(action, /^(form_coalition|bribe)$/);
          if (ofPlans.has(slot!)) assert.ok(action === "propose" || aiming.includes(action), text);
        }
      }
    }
  }
});

Deno.test("dialect: never credited where the schema is hidden and the parser strict, always where neither is", async () => {
  for (const seed of [1, 2, 3, 4]) {
    const v1 = await run(stationPersona("dialect"), seed, "v1");
    const filed = acts(v1).flatMap(({ filing }) => filing ?? []);
    assert.ok(filed.length > 0 && filed.every(({ reading, plan }) => !reading.rawValid && plan === undefined));
    assert.ok(acts(v1).every(({ origin }) => origin.kind === "model"), "no fallback");
    assert.ok(!stabilised(v1));
    const v2 = await run(stationPersona("dialect"), seed, "v2");
    assert.ok(acts(v2).every(({ filing }) => filing === undefined || filing.plan !== undefined));
    assert.ok(stabilised(v2));
  }
});

Deno.test("dialect governs exactly as coalition does where all its plans are read", async () => {
  const deeds = (events: StationEvent[]) =>
    acts(events).map(({ role, action, target, statement, filing }) => ({
      role,
      action,
      target,
      statement,
      plan: filing?.plan,
    }));
  for (const ruleset of ["v2", { schemaShown: false, normaliser: true }] as const) {
    assert.deepEqual(
      deeds(await run(stationPersona("dialect"), 5, ruleset)),
      deeds(await run(stationPersona("coalition"), 5, ruleset)),
    );
  }
});

Deno.test("dialect misses the schema in 40 % of plans where it is shown", async () => {
  const chat = stationPersona("dialect");
  const state = stateOf({ round: 2, edges: ["C1_COMMAND|C2_EQUITY"] });
  let [plans, missed] = [0, 0];
  for (let seed = 0; seed < 2000; seed++) {
    const { proposal } = JSON.parse((await chat(request("C1_COMMAND", { state, seed }))).text);
    if (proposal === undefined) continue;
    plans++;
    if (!parseProposal(JSON.stringify(proposal), { normaliser: false }).ok) missed++;
  }
  assert.ok(plans > 500);
  assert.ok(Math.abs(missed / plans - 0.4) <= 4 * Math.sqrt(0.24 / plans), `${missed} of ${plans}`);
});

Deno.test("asked to repair, a persona means the same again", async () => {
  for (const persona of ["dialect", "triage", "split"]) {
    const chat = stationPersona(persona);
    for (let seed = 0; seed < 40; seed++) {
      const asked = request("C3_ENGINEER", { state: busy, seed, schemaShown: false });
      const { text } = await chat(asked);
      const messages = repairPrompt(asked.messages, text, "needs_repair", { schemaShown: false });
      const again = await chat({ ...asked, messages, seed: 1000 + seed });
      assert.equal(again.text, text);
    }
  }
});

Deno.test("silent says nothing; garbling breaks three replies in four, also when asked again", async () => {
  assert.equal((await stationPersona("silent")(request("C1_COMMAND"))).text, "");
  const chat = stationPersona("garbling");
  let [first, second] = [0, 0];
  for (let seed = 0; seed < 400; seed++) {
    const asked = request("C1_COMMAND", { state: busy, seed });
    const { text } = await chat(asked);
    if (parseReply(text, { normaliser: true }).ok) continue;
    first++;
    const messages = repairPrompt(asked.messages, text, "not_json", { schemaShown: true });
    if (!parseReply((await chat({ ...asked, messages, seed: 1000 + seed })).text, { normaliser: true }).ok) second++;
  }
  assert.ok(Math.abs(first / 400 - 0.75) < 4 * Math.sqrt(0.1875 / 400), `${first}`);
  assert.ok(Math.abs(second / first - 0.75) < 4 * Math.sqrt(0.1875 / first), `${second} of ${first}`);
});

Deno.test("an action that the prompt does not list is not taken", async () => {
  const asked = request("C2_EQUITY", { state: busy });
  const [system, ...rest] = asked.messages;
  const without = system!.content.replace(/^- (?!speak|observe)\w+: .*\n?/gm, "");
  for (const persona of READABLE) {
    for (let seed = 0; seed < 20; seed++) {
      const messages = [{ ...system!, content: without }, ...rest];
      const { action } = JSON.parse((await stationPersona(persona)({ ...asked, seed, messages })).text);
      assert.match(action, /^(speak|observe)$/);
    }
  }
});

Deno.test("an unknown name is a bad argument; a prompt it cannot read rejects; so does an aborted call", async () => {
  assert.throws(() => stationPersona("colition"), {
    name: "UserError",
    message: /did you mean coalition/,
    exitCode: 2,
  });
  const [system, user] = request("C1_COMMAND").messages as [ChatRequest["messages"][0], ChatRequest["messages"][0]];
  const bad = [[], [system], [user], [user, system], [system, { ...user, content: "ROUND 1" }], [{
    ...system,
    content: "You are someone.",
  }, user]];
  for (const persona of STATION_PERSONAS) {
    if (persona === "silent") continue;
    for (const messages of bad) {
      await assert.rejects(stationPersona(persona)({ ...request("C1_COMMAND"), messages }), UserError);
    }
  }
  const call = stationPersona("silent")(request("C1_COMMAND"), { signal: AbortSignal.abort("no") });
  assert.equal(await call.then(() => "replied", (reason) => reason), "no");
});
