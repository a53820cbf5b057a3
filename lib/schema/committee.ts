import * as z from "zod";
import { nearest } from "../core/user_error.ts";
import { Name } from "./providers.ts";
import { PACK, type PackTexts, PromptLines, ROLES } from "./scenario.ts";

const SeatName = z.string().regex(/^\p{L}[\p{L}\p{N}-]{0,29}$/u, {
  error: "must be one word of at most 30 letters, digits and hyphens, such as Public-health",
}).refine((name) => name !== "none", { error: 'must not be "none", which means no mandate' });

/** Shares of the seats that a decision can ask for; a whole number means so many ballots. */
const SHARES: Readonly<Record<AtLeast & string, (seats: number) => number>> = {
  majority: (seats: number) => Math.floor(seats / 2) + 1,
  "two-thirds": (seats: number) => Math.ceil(2 * seats / 3),
  "three-quarters": (seats: number) => Math.ceil(3 * seats / 4),
  all: (seats: number) => seats,
};

export type AtLeast = "majority" | "two-thirds" | "three-quarters" | "all" | number;

const shares = Object.keys(SHARES) as (AtLeast & string)[];

const AtLeast: z.ZodType<AtLeast, AtLeast> = z.custom<AtLeast>(
  (value) => shares.some((name) => name === value) || isCount(value),
  {
    error: `must be ${shares.map((name) => `"${name}"`).join(", ")}, or a number of ballots from 1`,
  },
);

const isCount = (value: unknown): boolean => Number.isInteger(value) && value as number >= 1;

/** The ballots that one option needs, of a committee of so many seats. */
export const ballotsNeeded = (atLeast: AtLeast, seats: number): number =>
  typeof atLeast === "number" ? atLeast : SHARES[atLeast](seats);

/** How a committee comes to its decision. */
export type Decision =
  /** With fewer ballots there is no decision; absent: most ballots, a draw by confidence. */
  | { by: "ballots"; atLeast?: AtLeast | undefined }
  | { by: "clerk" }
  | { by: "mean" };
const Decision: z.ZodType<Decision, Decision> = z.discriminatedUnion("by", [
  z.strictObject({ by: z.literal("ballots"), atLeast: AtLeast.optional() }),
  z.strictObject({ by: z.literal("clerk") }),
  z.strictObject({ by: z.literal("mean") }),
], { error: 'must be { "by": "ballots" }, { "by": "clerk" } or { "by": "mean" }' });

/** Reason why a rule can never be met by so many seats; undefined if it can. */
export function decisionFlaw(decision: Decision | undefined, seats: number): string | undefined {
  const needed = decision?.by === "ballots" && decision.atLeast !== undefined
    ? ballotsNeeded(decision.atLeast, seats)
    : 0;
  return needed <= seats ? undefined : `asks for ${needed} ballots of ${seats} seats, which can never come together`;
}

/** The rules by which a committee departs from the published protocol; each is absent where it does not. */
export type CommitteeRules = {
  id: string;
  /** Of all its seats, in order: what ablate and agents name. */
  names: string[];
  order?: "shuffled" | undefined;
  endWhenAgreed?: true | undefined;
  table?: "own" | "none" | undefined;
  decision?: Decision | undefined;
};
export const CommitteeRules: z.ZodType<CommitteeRules> = z.strictObject({
  id: Name,
  names: z.array(SeatName).min(2),
  order: z.literal("shuffled").optional(),
  endWhenAgreed: z.literal(true).optional(),
  table: z.enum(["own", "none"]).optional(),
  decision: Decision.optional(),
});

/** Who sits: a mandate follows the heading with the seat's name and may be empty; without a model, that of the line-up. */
type CommitteeSeat<Text = string> = { name: string; mandate: Text; model?: string | undefined };

/** Texts that a committee words differently from the standard pack. */
type OwnTexts<Text = string> = { [Name in keyof PackTexts]?: PackTexts<Text>[Name] | undefined };
const { schema: _, id: __, mandates: ___, ...texts } = PACK;
const ownTexts = z.strictObject(texts).partial();

const COMMITTEE = {
  schema: z.literal("committee/1"),
  id: Name,
  title: z.string().min(1),
  seats: z.array(z.strictObject({
    name: SeatName,
    mandate: PromptLines,
    model: z.string().min(1).optional(),
  })).min(2, { error: "must have two seats at least: one agent is no committee" }).max(26),
  lineup: z.string().min(1).optional(),
  order: z.enum(["fixed", "shuffled"]).default("fixed"),
  rounds: z.int().min(1).default(20),
  endWhenAgreed: z.boolean().default(false),
  window: z.int().min(0).default(15),
  table: z.enum(["all", "own", "none"]).default("all"),
  decision: Decision.default({ by: "ballots" }),
  prompts: z.union([z.string().min(1), ownTexts], { error: "must be a pack's name, or the texts that differ from it" })
    .default("standard"),
};

/** Words for a key that no committee has, with the nearest that it can have. */
function misspelt({ code, keys }: { readonly code?: string; readonly keys?: readonly string[] }): string | undefined {
  const [key, ...others] = code === "unrecognized_keys" ? keys ?? [] : [];
  if (key === undefined || others.length > 0) return undefined;
  return `is not a known key: did you mean ${nearest(key, Object.keys(COMMITTEE)).join(", ")}?`;
}

/**
 * A committee as a file: who sits, how they speak and how they decide. What it leaves out is as in the published protocol;
 * `scenarios/committees/README.md` describes the file.
 */
export type Committee = {
  schema: "committee/1";
  /** Stands in the names of conditions and ledgers. */
  id: string;
  title: string;
  seats: CommitteeSeat[];
  /** Whose models sit where a seat names none. */
  lineup?: string | undefined;
  /** One order throughout, or another each round of each run. */
  order: "fixed" | "shuffled";
  rounds: number;
  /** After the first whole round in which all have one top option. */
  endWhenAgreed: boolean;
  /** Arguments each agent sees, k. */
  window: number;
  /** Rows of the table of states that a seat sees. */
  table: "all" | "own" | "none";
  decision: Decision;
  /** A pack's name, or the texts that differ from it. */
  prompts: string | OwnTexts;
};

/** The same as a file writes it: what is left out takes its default, and a text may be a list of lines. */
export type CommitteeSpec =
  & Pick<Committee, "schema" | "id" | "title" | "lineup">
  & { [Field in "order" | "rounds" | "endWhenAgreed" | "window" | "table" | "decision"]?: Committee[Field] | undefined }
  & { seats: CommitteeSeat<string | string[]>[]; prompts?: string | OwnTexts<string | string[]> | undefined };
export const Committee: z.ZodType<Committee, CommitteeSpec> = z.strictObject(COMMITTEE, { error: misspelt })
  .superRefine(
    ({ seats, lineup, decision }, context) => {
      const complain = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
      for (const [i, { name, model }] of seats.entries()) {
        if (seats.findIndex((seat) => seat.name === name) < i) {
          complain(["seats", i, "name"], `must be this seat's alone: ${name} is the name of two seats`);
        }
        if (model === undefined && lineup === undefined) {
          complain(["seats", i], `lacks a model: name one, or a "lineup" for all seats without`);
        }
      }
      const flaw = decisionFlaw(decision, seats.length);
      if (flaw) complain(["decision"], flaw);
    },
  );

/** The committee of the deliberation paper. */
export const PUBLISHED = "published";

/** A committee's own rules; undefined where it is the published one. */
export function rulesOf({ id, seats, order, endWhenAgreed, table, decision }: Committee): CommitteeRules | undefined {
  const names = seats.map(({ name }) => name);
  const rules = {
    ...(order === "shuffled" && { order }),
    ...(endWhenAgreed && { endWhenAgreed }),
    ...(table !== "all" && { table }),
    ...((decision.by !== "ballots" || decision.atLeast !== undefined) && { decision }),
  };
  const isPublished = id === PUBLISHED && names.join() === ROLES.join() && Object.keys(rules).length === 0;
  return isPublished ? undefined : { id, names, ...rules };
}
