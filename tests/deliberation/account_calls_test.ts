import assert from "node:assert/strict";
import { deliberation } from "@/deliberation/deliberate.ts";
import { accountCalls, accountReadings } from "@/deliberation/account_calls.ts";
import type { Ledger } from "@/record/read_ledger.ts";
import type { ChatReply } from "@/schema/model_call.ts";
import { condition, declared, entry, parseLedger, textOf, unanswered } from "../lab/runs/ledgers.ts";

const model = condition.seats[0]!.model;
const [first, second] = condition.order as [number, number];
const opened = (replicate: number) =>
  entry(replicate, 1, { kind: "run.opened", seed: 1, replicate, condition: declared().hash });
const answered = (replicate: number, seat: number, reply: ChatReply | undefined) =>
  entry(replicate, 1, {
    kind: "turn.answered",
    round: 1,
    again: false,
    seat,
    seed: 1,
    ...(reply && { reply }),
    reading: reply
      ? { kind: "read", value: { preferences: [0.5, 0.3, 0.2], confidence: 50, tags: ["a", "b"] } }
      : { kind: "missing", code: "timeout", message: "late" },
  });

Deno.test("accountCalls() sums what is known, counts what is not, and names who answered (fault 12)", () => {
  const usage = { promptTokens: 100, completionTokens: 20 };
  const tried = (more: object = {}) => ({ code: "server" as const, message: "500", waitedMs: 1, ...more });
  const retried = { failedTries: [tried({ usage: { promptTokens: 7, completionTokens: 1 } })] };
  const lines = [
    declared(),
    opened(0),
    answered(0, first, { text: "x", usage, servedModel: "m-1", fingerprint: "f1", ...retried }),
    answered(0, second, { text: "x", servedModel: "m-1", fingerprint: "f1" }),
    opened(1),
    answered(1, first, { text: "x", usage, servedModel: "m-2" }),
    answered(1, second, undefined),
    opened(2),
    unanswered(2, [tried(), tried({ usage: { promptTokens: 1000, completionTokens: 100 } })]),
  ];
  assert.deepEqual(accountCalls(parseLedger(textOf(lines), "x.jsonl", { protocol: deliberation })), {
    calls: 4,
    failed: 1,
    retries: 1,
    unanswered: 1,
    tries: 4 + 1 + 2,
    promptTokens: 200 + 7 + 1000,
    completionTokens: 40 + 1 + 100,
    withoutUsage: 1,
    served: [
      { asked: model, served: "m-1", fingerprint: "f1", calls: 2 },
      { asked: model, served: "m-2", calls: 1 },
    ],
    heterogeneousRuns: 0,
  });
});

Deno.test("accountCalls() counts a run in which a seat's model changed", () => {
  const reply = (fingerprint: string) => ({ text: "no STATE line", fingerprint });
  const invalid = { kind: "invalid", code: "missing", message: "none" } as const;
  const call = (fingerprint: string, again: boolean) =>
    entry(0, 1, {
      kind: "turn.answered",
      round: 1,
      again,
      seat: first,
      seed: 1,
      reply: reply(fingerprint),
      reading: invalid,
    });
  const count = (...fingerprints: [string, string]) =>
    accountCalls(
      parseLedger(textOf([declared(), opened(0), call(fingerprints[0], false), call(fingerprints[1], true)]), "x", {
        protocol: deliberation,
      }),
    )
      .heterogeneousRuns;
  assert.equal(count("f1", "f1"), 0);
  assert.equal(count("f1", "f2"), 1);
});

type Events = Ledger["runs"][number]["events"];

const turn = (kind: string, again = false) => ({ kind: "turn.answered", again, reading: { kind } });
const runs = (...events: object[][]) => ({
  runs: events.map((events, replicate) => ({
    ...{ replicate, attempt: 1, unanswered: [] },
    events: events as unknown as Events,
  })),
});

Deno.test("accountReadings() tells first replies, repair requests and calls without a reply apart", () => {
  const totals = accountReadings(runs(
    [{ kind: "run.opened" }, turn("read"), turn("normalised"), turn("invalid"), turn("read", true), turn("read")],
    [turn("invalid"), turn("normalised", true), turn("invalid"), turn("invalid", true), { kind: "run.closed" }],
    [turn("missing")],
    [turn("invalid"), turn("missing", true), { kind: "ballot.answered", again: false, reading: { kind: "invalid" } }],
  ));
  assert.deepEqual(totals, {
    ...{ turns: 8, asWritten: 2, normalised: 1, unreadable: 4 },
    ...{ repaired: 2, failed: 1, missing: 2 },
  });
  const { turns, asWritten, normalised, unreadable, repaired, failed, missing } = totals;
  // Every first reply has one end, and so has every repair request; one call without a reply is of each.
  assert.equal(turns, asWritten + normalised + unreadable + missing - 1);
  assert.equal(unreadable, repaired + failed + missing - 1);
});

Deno.test("accountReadings() of no runs counts nothing", () => {
  assert.ok(Object.values(accountReadings(runs())).every((count) => count === 0));
});
