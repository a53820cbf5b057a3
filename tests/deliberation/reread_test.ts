import assert from "node:assert/strict";
import { conditionHash } from "@/deliberation/deliberate.ts";
import { reread } from "@/deliberation/reread.ts";
import { ModelError } from "@/model/chat_model.ts";
import { condition, council, deepFreeze, fold, ofKind, run, stateLine } from "./committee.ts";

const strict = await condition({ rounds: 2 });
const normaliser = await condition({ rounds: 2, normaliser: true });

const OWN = "[0.6, 0.3, 0.1]";
const dialect = (argument: string) => `${argument}\n\n**STATE:** pref=${OWN}; conf=60%; tags=[First tag, second-tag]`;
const words = ["code_fence", "surrounding_prose", "quoted_number", "option_word", "percent_sign"];

/** Everybody writes a dialect; asked again, they write as asked. */
const loose = () =>
  council({
    turn: (_, index) => dialect(`Argument ${index}.`),
    ballot: () => 'My ballot:\n```json\n{"decision": "Option A", "confidence": "60%"}\n```',
    clerk: () => "The count: {decision: 'A', majority_count: 5, total: 5}",
  });

Deno.test("with the normaliser near misses need no second request, and each repair is in the event", async () => {
  const [asked, unasked] = [loose(), loose()];
  const [before, after] = [await run(strict, asked.chat), await run(normaliser, unasked.chat)];
  assert.deepEqual([asked.requests.length, unasked.requests.length], [2 * 10 + 2 * 5 + 1, 10 + 5 + 1]);
  for (const { reading } of ofKind(after, "turn.answered")) {
    assert.deepEqual(reading, {
      kind: "normalised",
      value: { preferences: [0.6, 0.3, 0.1], confidence: 60, tags: ["first_tag", "second_tag"] },
      repairs: ["markup", "percent_sign", "tag_case", "tag_spaces", "tag_hyphen"],
    });
  }
  for (const { reading } of ofKind(after, "ballot.answered")) {
    assert.deepEqual(reading, { kind: "normalised", value: { decision: "A", confidence: 60 }, repairs: words });
  }
  assert.deepEqual(ofKind(before, "clerk.answered")[0]!.reading.kind, "invalid");
  assert.deepEqual([before, after].map((events) => ofKind(events, "run.decided")[0]!.clerk), ["unreadable", "agrees"]);
  assert.deepEqual(fold(normaliser, after).turns.map(({ argument }) => argument).slice(0, 2), [
    "Argument 0.",
    "Argument 1.",
  ]);
});

Deno.test("reread() under its own parser gives the run's own events", async () => {
  const failing = council({
    turn: (_, index) => index === 3 ? new ModelError("timeout", "late") : stateLine([0.6, 0.3, 0.1]),
  });
  for (const one of [strict, normaliser]) {
    for (const { chat } of [council(), loose(), failing]) {
      const events = deepFreeze(await run(one, chat));
      assert.deepEqual(reread(events, one), events);
    }
  }
});

Deno.test("reread() with the normaliser reads first replies, and leaves answers to needless repair requests unused", async () => {
  const recorded = deepFreeze(await run(strict, loose().chat));
  const again = reread(recorded, normaliser);
  const first = recorded.filter((event) => !("again" in event && event.again));
  assert.deepEqual(again.map(({ kind }) => kind), first.map(({ kind }) => kind));
  assert.deepEqual(
    again.flatMap((event) => "reply" in event ? [event.reply?.text] : []),
    first.flatMap((event) => "reply" in event ? [event.reply?.text] : []),
  );
  assert.ok(ofKind(again, "turn.answered").every(({ reading }) => reading.kind === "normalised"));
  assert.deepEqual(again.at(-1), { kind: "run.closed", outcome: "complete" });
  assert.equal(again[0]!.kind === "run.opened" && again[0]!.condition, conditionHash(normaliser));
});

Deno.test("reread() ends, still open, where a request follows that was never sent", async () => {
  const never = council({ turn: (_, index) => dialect(`Argument ${index}.`), repair: () => "No." });
  const flagged = await run(strict, never.chat);
  assert.equal(flagged.at(-1)!.kind, "run.closed");
  const again = reread(flagged, normaliser);
  assert.deepEqual(
    again.map(({ kind }) => kind),
    ["run.opened", "turn.answered"],
    "the second speaker was never asked",
  );
  const strictly = reread(await run(normaliser, loose().chat), strict);
  assert.deepEqual(
    strictly.map(({ kind }) => kind),
    ["run.opened", "turn.answered"],
    "nor was a repair ever asked for",
  );
});

Deno.test("reread() refuses what is no run of its own", async () => {
  const events = await run(strict, council().chat);
  const fork = { kind: "run.forked", seed: 2, replicate: 0, fromSeed: 1, fromReplicate: 0 } as const;
  for (const wrong of [[], events.slice(1), [events[0]!, fork]]) {
    assert.throws(() => reread(wrong, strict), /^RangeError: only a run from its run\.opened on/);
  }
});

Deno.test("a condition declared before keeps its hash, and the normaliser is in hash and name only where it is used", async () => {
  assert.ok(!("normaliser" in strict));
  assert.deepEqual(await condition({ rounds: 2, normaliser: false }), strict);
  assert.deepEqual({ ...strict, normaliser: true }, normaliser);
  assert.notEqual(conditionHash(strict), conditionHash(normaliser));
});
