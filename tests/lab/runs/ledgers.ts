import { deliberation } from "@/deliberation/deliberate.ts";
import assert from "node:assert/strict";
import { contentHash } from "@/core/json.ts";
import { UserError } from "@/core/user_error.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";
import { wholeLines } from "@/record/lines.ts";
import type { RunEvent } from "@/record/protocol.ts";
import { GrowingLedger, type Ledger, type ReadLedgerOptions } from "@/record/read_ledger.ts";
import { sealed } from "@/record/seal.ts";
import type { DeliberationEvent } from "@/schema/deliberation_event.ts";
import { type Declaration, type LedgerEntry, type LedgerLine, type UnansweredCall } from "@/schema/ledger_line.ts";

const UNSEALED = "deliberation-ledger/1";

/** What tests of ledgers share: a small condition, and lines made by hand. */

/** Two agents, one round, three options. */
export const condition = await loadCondition({ scenario: "HL-01", agents: 2, rounds: 1 });

const hash = contentHash(condition);
const at = "2026-01-02T03:04:05.678Z";

export function declared(overrides: Partial<Declaration> = {}): Declaration {
  return {
    schema: UNSEALED,
    kind: "declared",
    at,
    hash,
    name: "HL-01__T0.0__N2__rolesTrue__R1",
    condition,
    target: 3,
    seed: 1,
    council: "by hand",
    synthetic: true,
    promptPack: contentHash(condition.prompts),
    made: { library: "0.0.0", deno: "2.0.0" },
    ...overrides,
  };
}

export function entry(replicate: number, attempt: number, event: DeliberationEvent): LedgerEntry {
  return { schema: UNSEALED, kind: "event", hash, replicate, attempt, event };
}

/** The events of one run up to its closing: eight lines in all. */
const body = (replicate: number): DeliberationEvent[] => [
  { kind: "run.opened", seed: 1, replicate, condition: hash },
  ...[0, 1].map((seat) => ({
    kind: "turn.answered" as const,
    round: 1,
    seat,
    again: false,
    seed: 10 * replicate + seat,
    reply: { text: "Coverage first — naïve costs später. 💡", synthetic: true as const },
    reading: { kind: "read" as const, value: { preferences: [0.5, 0.3, 0.2], confidence: 50, tags: ["a", "b"] } },
  })),
  ...[0, 1].map((seat) => ({
    kind: "ballot.answered" as const,
    again: false,
    seat,
    seed: 10 * replicate + 2 + seat,
    reply: { text: '{"decision":"A","confidence":50}', synthetic: true as const },
    reading: { kind: "read" as const, value: { decision: "A", confidence: 50 } },
  })),
  {
    kind: "clerk.answered",
    seat: 0,
    seed: 10 * replicate + 4,
    reading: { kind: "missing", code: "timeout", message: "no reply" },
  },
  { kind: "run.decided", decision: "A", by: "majority", votes: [2, 0, 0], clerk: "unreadable" },
];

export const wholeRun = (replicate: number, attempt = 1): LedgerEntry[] =>
  [...body(replicate), { kind: "run.closed", outcome: "complete" } as const]
    .map((event) => entry(replicate, attempt, event));

/** The first `events` events of a run that was then cut off. */
export const cutRun = (replicate: number, attempt = 1, events = 1): LedgerEntry[] =>
  body(replicate).slice(0, events).map((event) => entry(replicate, attempt, event));

export const flaggedRun = (replicate: number, attempt: number, cause: string): LedgerEntry[] => [
  ...cutRun(replicate, attempt, 2),
  entry(replicate, attempt, { kind: "run.closed", outcome: "flagged", cause }),
];

/** A call that the endpoint left without an outcome. */
export const unanswered = (replicate: number, tries: UnansweredCall["tries"]): UnansweredCall => ({
  ...{ schema: UNSEALED, kind: "unanswered", hash, replicate, attempt: 1, at },
  ...{ place: "turn/1/0/false", code: tries.at(-1)!.code, tries: [...tries] },
});

export const textOf = (lines: readonly LedgerLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** A ledger's lines, edited by hand, as if they had been written like that. */
export function resealed(text: string): string {
  const last = new Map<string, string>();
  return text.trimEnd().split("\n").map((line, i) => {
    const { n: _, check: __, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const chain = rest.replicate === undefined ? "declared" : `${rest.replicate}/${rest.attempt}`;
    const { text, check } = sealed({ ...rest, n: i + 1 }, last.get(chain));
    last.set(chain, check);
    return `${text}\n`;
  }).join("");
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** As `readRecord`, on the content of a ledger. */
export function parseLedger<Plan, Event extends RunEvent>(
  content: string | Uint8Array,
  path: string,
  options: ReadLedgerOptions<Plan, Event>,
): Ledger<Plan, Event> {
  const { lines, torn } = wholeLines(typeof content === "string" ? bytesOf(content) : content);
  const held = new GrowingLedger(path, options);
  lines.forEach((line, i) => held.take(line, i + 1));
  return held.ledger({ torn });
}

export const parse = (lines: readonly LedgerLine[]): Ledger =>
  parseLedger(textOf(lines), "x.jsonl", { protocol: deliberation });

/** The message with which a ledger is refused. */
export function refusal(content: string | Uint8Array): string {
  try {
    parseLedger(content, "x.jsonl", { protocol: deliberation });
  } catch (error) {
    assert.ok(error instanceof UserError, `not a UserError: ${error}`);
    return error.message;
  }
  return assert.fail("the ledger was read");
}
