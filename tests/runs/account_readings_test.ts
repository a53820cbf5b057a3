import assert from "node:assert/strict";
import { accountReadings } from "@/runs/accounting.ts";
import type { Ledger } from "@/runs/read_ledger.ts";

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
