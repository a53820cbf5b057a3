import assert from "node:assert/strict";
import { parameters } from "../model/surrogate/parameters.ts";
import { deliberate } from "@/deliberation/deliberate.ts";
import { preferencesByRound } from "@/deliberation/state.ts";
import { surrogate } from "@/model/surrogate/surrogate.ts";
import type { DeliberationEvent } from "@/schema/deliberation_event.ts";
import { condition, council, fold, ofKind, run, runUntilThrown } from "./committee.ts";

const committee = await condition({ temperature: 0.7 });
const spoilt = surrogate({ ...parameters, malformedShare: 0.2, malformedAgainShare: 0.02 });
const hopeless = surrogate({ ...parameters, malformedShare: 0.2, malformedAgainShare: 0.3 });

/** Events as a ledger gives them back. */
const stored = (events: readonly DeliberationEvent[]): DeliberationEvent[] => JSON.parse(JSON.stringify(events));

async function* everyPrefix(events: readonly DeliberationEvent[]) {
  for (let length = 0; length <= events.length; length++) yield { length, resumeFrom: stored(events.slice(0, length)) };
}

Deno.test("a run resumed after any of its events is the run that never stopped", async () => {
  const wholes: DeliberationEvent[][] = [];
  for (const replicate of [0, 1, 2, 3]) {
    const options = { seed: 3, replicate };
    const whole = await run(committee, spoilt, options);
    for await (const { length, resumeFrom } of everyPrefix(whole)) {
      const rest = await run(committee, spoilt, { ...options, resumeFrom });
      assert.deepEqual(rest, whole.slice(length), `replicate ${replicate} resumed after ${length} events`);
    }
    wholes.push(whole);
  }
  const all = wholes.flat();
  assert.ok(ofKind(all, "turn.answered").filter(({ again }) => again).length > 40, "repairs occur");
  assert.ok(ofKind(all, "ballot.answered").some(({ again }) => again), "second ballots occur");
  assert.ok(ofKind(all, "run.closed").some(({ outcome }) => outcome === "complete"));
});

Deno.test("so is a run that ends flagged", async () => {
  const options = { seed: 4, replicate: 0 };
  const whole = await run(committee, hopeless, options);
  assert.deepEqual(ofKind(whole, "run.closed")[0]!.outcome, "flagged");
  assert.ok(whole.length > 10, "some turns were finished before");
  for await (const { length, resumeFrom } of everyPrefix(whole)) {
    assert.deepEqual(await run(committee, hopeless, { ...options, resumeFrom }), whole.slice(length));
  }
});

Deno.test("fault 23: a run aborted twice during calls and resumed is the run that never stopped", async () => {
  const whole = await run(committee, spoilt);
  let events: DeliberationEvent[] = [];
  for (const calls of [31, 42]) {
    const stop = new AbortController();
    let made = 0;
    const part = await runUntilThrown(committee, (request, options) => {
      if (++made === calls) stop.abort("killed");
      return spoilt(request, options);
    }, { signal: stop.signal, resumeFrom: events });
    assert.equal(part.thrown, "killed");
    events = stored([...events, ...part.events]);
  }
  assert.equal(events.length, 1 + 30 + 41, "the call under way is all that was lost");
  const rest = await run(committee, spoilt, { resumeFrom: events });
  assert.deepEqual([...events, ...rest], whole);
});

Deno.test("resuming asks nothing that was answered before", async () => {
  const whole = await run(committee, council().chat);
  const { chat, requests } = council();
  await run(committee, chat, { resumeFrom: whole.slice(0, 61) });
  assert.equal(requests.length, 106 - 60);
  assert.deepEqual(await run(committee, chat, { resumeFrom: whole }), []);
  assert.equal(requests.length, 106 - 60);
});

Deno.test("K seeds give K different continuations of one state, each opening with run.forked", async () => {
  const options = { seed: 7, replicate: 2 };
  const council = surrogate(parameters);
  const prefix = (await run(committee, council, options)).slice(0, 1 + 10 * 5);
  const [seen, continuations] = [new Set<string>(), 30];
  for (let replicate = 100; replicate < 100 + continuations; replicate++) {
    const rest = await run(committee, council, { seed: 7, replicate, resumeFrom: prefix });
    assert.deepEqual(rest[0], { kind: "run.forked", seed: 7, replicate, fromSeed: 7, fromReplicate: 2 });
    assert.equal(rest.at(-1)!.kind, "run.closed");
    assert.equal(ofKind(rest, "turn.answered").length, 50);
    const rounds = preferencesByRound(fold(committee, [...prefix, ...rest]));
    assert.deepEqual(rounds.slice(0, 10), preferencesByRound(fold(committee, prefix)), "the past is shared");
    seen.add(JSON.stringify(rounds.slice(10)));
  }
  assert.equal(seen.size, continuations);
});

Deno.test("a continuation is reproducible, may itself be stopped and resumed, and may be forked again", async () => {
  const council = surrogate(parameters);
  const prefix = (await run(committee, council)).slice(0, 41);
  const fork = { seed: 99, replicate: 0 };
  const rest = await run(committee, council, { ...fork, resumeFrom: prefix });
  assert.deepEqual(await run(committee, council, { ...fork, resumeFrom: prefix }), rest);
  for (const length of [1, 2, 30, rest.length]) {
    const resumeFrom = stored([...prefix, ...rest.slice(0, length)]);
    assert.deepEqual(await run(committee, council, { ...fork, resumeFrom }), rest.slice(length));
  }
  const again = await run(committee, council, {
    seed: 100,
    replicate: 5,
    resumeFrom: [...prefix, ...rest.slice(0, 9)],
  });
  assert.deepEqual(again[0], { kind: "run.forked", seed: 100, replicate: 5, fromSeed: 99, fromReplicate: 0 });
});

Deno.test("a fork amid a repair goes on with that repair", async () => {
  const whole = await run(committee, spoilt);
  const unread = whole.findIndex((event) => event.kind === "turn.answered" && event.reading.kind === "invalid");
  const rest = await run(committee, spoilt, { seed: 50, resumeFrom: whole.slice(0, unread + 1) });
  const repair = rest[1]!;
  assert.ok(repair.kind === "turn.answered" && repair.again);
});

Deno.test("events of another condition are refused", async () => {
  const events = (await run(committee, council().chat)).slice(0, 5);
  for (const spec of [{}, { temperature: 0.7, roles: false }, { temperature: 0.7, maxTokens: 601 }]) {
    const { chat, requests } = council();
    const other = deliberate(await condition(spec), { chat, replicate: 0, seed: 1, resumeFrom: events });
    await assert.rejects(Array.fromAsync(other), {
      name: "RangeError",
      message: /^resumeFrom belongs to condition [0-9a-f]{12}, this is [0-9a-f]{12}$/,
    });
    assert.equal(requests.length, 0);
  }
});

Deno.test("events without their opening are refused", async () => {
  const { chat, requests } = council();
  const resumeFrom = (await run(committee, chat)).slice(1, 5);
  const asked = requests.length;
  const rest = deliberate(committee, { chat, replicate: 0, seed: 1, resumeFrom });
  await assert.rejects(Array.fromAsync(rest), /^RangeError: resumeFrom begins with turn.answered/);
  assert.equal(requests.length, asked);
});

Deno.test("a closed run is over: it cannot be forked", async () => {
  const events = await run(committee, council().chat);
  const forked = run(committee, council().chat, { seed: 2, resumeFrom: events });
  await assert.rejects(forked, { name: "RangeError", message: /closed run/ });
});
