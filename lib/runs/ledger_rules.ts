import { canonicalJson, contentHash } from "../core/json.ts";
import { UserError } from "../core/user_error.ts";
import type { Condition } from "../schema/condition.ts";
import type { DeliberationEvent } from "../schema/deliberation_event.ts";
import { type Declaration, LEDGER_SCHEMA, type LedgerEntry, UNSEALED_SCHEMA } from "../schema/ledger_line.ts";
import { refusePipe } from "./files.ts";
import { lastLine } from "./lines.ts";

const OPENINGS = [LEDGER_SCHEMA, UNSEALED_SCHEMA].map((schema) => `{"schema":"${schema}"`);

/** Whether some bytes are nothing but the beginning of a declaration: what a kill in a ledger's first moment leaves behind. */
export function isTornDeclaration(content: Uint8Array): boolean {
  const { offset, state } = lastLine(content);
  if (state !== "torn" || offset > 0) return false;
  return OPENINGS.some((opening) => opening.startsWith(new TextDecoder().decode(content.subarray(0, opening.length))));
}

/**
 * Refuses to resume what was made under another plan: mixing the two would make neither.
 *
 * @param differences every value that differs, in words; none where the plan is the same.
 * @throws {UserError} naming them and the way out.
 */
export function refuseOtherPlan(path: string, differences: readonly string[], wayOut: string): void {
  if (differences.length === 0) return;
  throw new UserError(
    `${path} was made under another plan and is left as it is; ${wayOut}.\n  ${differences.join("\n  ")}`,
  );
}

/** What is wrong with a declaration, alone or after an earlier one; undefined where nothing. */
export function declarationFlaw(now: Declaration, before: Declaration | undefined): string | undefined {
  if (contentHash(now.condition) !== now.hash) return "declares a condition that is not the one its hash was taken of";
  if (before === undefined) return undefined;
  if (before.hash !== now.hash) return "declares another condition; one ledger holds one condition";
  const field = (["seed", "council", "registered"] as const).find((name) => before[name] !== now[name]);
  if (field) return `declares ${field} ${now[field] ?? "none"}, the lines before it ${before[field] ?? "none"}`;
  const sameBase = canonicalJson(before.base) === canonicalJson(now.base);
  return sameBase ? undefined : "declares another run to continue; one ledger continues one run";
}

/** How an event is at odds with the plan it was recorded under; undefined where it fits. */
export function eventFlaw({ hash, replicate, event }: LedgerEntry, plan: Declaration | undefined): string | undefined {
  if (hash !== plan?.hash) return "belongs to a condition this ledger does not declare";
  if (replicate >= plan.target) return `is of replicate ${replicate}, the plan declares 0…${plan.target - 1}`;
  if (event.kind === "run.opened" || event.kind === "run.forked") return openingFlaw(event, { hash, replicate, plan });
  const { seats, rounds, packet: { options } } = plan.condition;
  if ("seat" in event && event.seat >= seats.length) {
    return `is of seat ${event.seat}, the condition has seats 0…${seats.length - 1}`;
  }
  if (event.kind !== "turn.answered") return undefined;
  if (event.round > rounds) return `is of round ${event.round}, the condition has ${rounds}`;
  const shares = "value" in event.reading ? event.reading.value.preferences.length : options.length;
  return shares === options.length ? undefined : `has ${shares} preferences, the packet has ${options.length} options`;
}

/** A run opens on its own, or where the ledger has a base, as a continuation of it. */
function openingFlaw(
  event: Extract<DeliberationEvent, { kind: "run.opened" | "run.forked" }>,
  { hash, replicate, plan }: { hash: string; replicate: number; plan: Declaration },
): string | undefined {
  const expected = plan.base === undefined ? "run.opened" : "run.forked";
  if (event.kind !== expected) return `is ${event.kind}, the runs of this ledger begin with ${expected}`;
  const other = event.kind === "run.opened" && event.condition !== hash;
  if (!other && event.seed === plan.seed && event.replicate === replicate) return undefined;
  return "opens a run of another condition, seed or replicate than the line itself says";
}

/** What a run that says it is complete lacks; undefined where nothing. */
export function closingFlaw(events: readonly DeliberationEvent[], { seats, rounds }: Condition): string | undefined {
  const closing = events.at(-1);
  if (closing?.kind !== "run.closed" || closing.outcome !== "complete") return undefined;
  const turns = events.filter((event) => event.kind === "turn.answered" && "value" in event.reading).length;
  const planned = seats.length * rounds;
  return turns === planned ? undefined : `says complete after ${turns} of ${planned} readable turns`;
}

/**
 * How many lines a ledger had when it was last closed: said beside it, since a ledger whose last lines are missing is like
 * one that was stopped earlier. 0 where nothing is said.
 */
export function linesCounted(path: string): number {
  try {
    // Cut off while it was written, a count is a smaller one, which still holds.
    return Number.parseInt(Deno.readTextFileSync(countOf(path)), 10) || 0;
  } catch {
    return 0;
  }
}

/** Says beside a ledger how many lines it has. */
export function countLines(path: string, lines: number): void {
  try {
    Deno.writeTextFileSync(countOf(path), `${lines}\n`);
  } catch {
    // The ledger itself is written: without a count it is read like one of earlier versions.
  }
}

export const countOf = (path: string): string => `${path}.lines`;

const NAME = LEDGER_SCHEMA.split("/")[0]!;
const OPENING_LINE = new RegExp(`^\\s*\\{\\s*"schema"\\s*:\\s*"${NAME}/`);
/** More than the opening needs, whatever white space it is written with. */
const LOOKED_AT = 256;

/**
 * Whether a file begins with the line of a ledger, of whatever version; other files hold runs that another programme wrote.
 *
 * A file that is empty or cannot be read counts as one: `readLedger` says what is wrong with it.
 */
export async function beginsAsLedger(path: string): Promise<boolean> {
  refusePipe(path);
  try {
    using file = await Deno.open(path);
    const start = new Uint8Array(LOOKED_AT);
    const size = await file.read(start) ?? 0;
    const read = start.subarray(0, size);
    return size === 0 || OPENING_LINE.test(new TextDecoder().decode(read)) || isTornDeclaration(read);
  } catch {
    return true;
  }
}
