import { max, mean, median, min, sum } from "simple-statistics";
import { z } from "zod";
import { fixedText, pValue, share } from "../../core/numbers.ts";
import { unknownName } from "../../core/user_error.ts";
import { folderUrl } from "../../record/files.ts";
import { readJson } from "../../record/read_json.ts";
import type { PublishedFact } from "../published_table.ts";

/** The limit of a bound: a number, a flag, or another quantity by its name. */
type Limit = number | boolean | string;
const limit = z.union([z.number(), z.boolean(), z.string().min(1)]);
type Bound = { [Word in "above" | "atLeast" | "below" | "atMost" | "is"]?: Limit | undefined };
const bound = z.strictObject({ above: limit, atLeast: limit, below: limit, atMost: limit, is: limit }).partial();

/** Quantities by name, each with its bounds; all must hold. A list is held against its length. */
const rule = z.record(z.string(), bound);
/** One rule, or several of which one must hold. */
type Rules = Record<string, Bound> | Record<string, Bound>[];
const Rules: z.ZodType<Rules> = z.union([rule, z.array(rule).min(1)]);

/** Conditions under which a claim is supported or contradicted; in any other case it is not checkable. */
export type Criterion = {
  /** Absent: what is published cannot support it. */
  supported?: Rules | undefined;
  /** Absent beside `supported`: whatever does not support it contradicts it; "never": nothing does. */
  contradicted?: Rules | "never" | undefined;
};
const criteria = { supported: Rules.optional(), contradicted: z.union([Rules, z.literal("never")]).optional() };
export const Criterion: z.ZodType<Criterion> = z.strictObject(criteria);

/**
 * One statement of a paper that somebody could dispute. It names a `quantity` where what is published can speak to it, and
 * says what is `missing` where nothing can, or where the verdict may stay open.
 */
export type Claim = Criterion & {
  id: string;
  /** Where the paper states it. */
  section: string;
  /** What it states, in our words. */
  claim: string;
  /** No sentence states it; others of the paper rest on it. */
  implied?: true | undefined;
  /** What must hold for it to count as supported, chosen by us. */
  criterion?: string | undefined;
  /** Name of the function that computes the numbers, and what it is told. */
  quantity?: string | undefined;
  of?: Record<string, string | number> | undefined;
  /** Sentence with places for the numbers. */
  evidence?: string | undefined;
  /** How the sentence writes each row of a list. */
  items?: Record<string, string> | undefined;
  /** Files it is computed from, seen from data/published/. */
  needs?: string[] | undefined;
  /** What would be needed to decide. */
  missing?: string | undefined;
};
export const Claim: z.ZodType<Claim> = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"),
  section: z.string().min(1),
  claim: z.string().min(1),
  implied: z.literal(true).optional(),
  criterion: z.string().min(1).optional(),
  ...criteria,
  quantity: z.string().min(1).optional(),
  of: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  evidence: z.string().min(1).optional(),
  items: z.record(z.string(), z.string().min(1)).optional(),
  needs: z.array(z.string().min(1)).min(1).optional(),
  missing: z.string().min(1).optional(),
}).superRefine(({ quantity, criterion, supported, contradicted, evidence, needs, missing }, context) => {
  const complain = (message: string) => context.addIssue({ code: "custom", message });
  if (quantity === undefined && missing === undefined) complain("needs a quantity, or must say what is missing");
  if (quantity === undefined) {
    if ((needs ?? supported ?? contradicted) !== undefined) complain("has files or rules, but no quantity");
    return;
  }
  if (criterion === undefined || evidence === undefined) complain("has a quantity but no criterion or no evidence");
  if ((supported ?? contradicted) === undefined) complain("has a quantity but no rule");
  if (needs === undefined) complain("has a quantity but names no file that it needs");
});

const Claims = z.strictObject({
  schema: z.literal("claims/2"),
  paper: z.string().min(1),
  claims: z.array(Claim).min(1).refine(
    (claims) => new Set(claims.map(({ id }) => id)).size === claims.length,
    "must have ids of their own",
  ),
});

const CLAIMS = new URL("../../../data/claims/", import.meta.url);

/**
 * The statements of one paper that are checked against what it publishes.
 *
 * @param options `folder`: where to look for `PAPER.json`; default the project's own `data/claims/`.
 * @throws {UserError} when the file is missing or malformed, naming line, column, field and rule.
 */
export async function loadClaims(
  paper: string,
  { folder = CLAIMS }: { folder?: string | URL | undefined } = {},
): Promise<z.infer<typeof Claims>> {
  return await readJson(new URL(`${paper}.json`, folderUrl(folder)), Claims);
}

type Value = number | string | boolean | object | null | undefined;

/**
 * Quantities that a function computes for a claim, by name: numbers, rows, lists of them. `instead`: a sentence where the
 * rest does not exist, and its verdict.
 */
export type Values = Readonly<Record<string, Value>>;

interface WithFacts {
  readonly facts: readonly PublishedFact[];
}

/** Functions that compute the numbers of claims from the published tables alone, by the names that the claims use. */
export type Quantities<Published> = Readonly<Record<string, (published: Published, of: Of) => Values>>;

/** The arguments of a claim's function, such as a temperature or a component. */
export type Of = Readonly<Record<string, string | number>>;

/** Verdict on a claim: the published data support it, contradict it, or do not decide it. */
export type ClaimVerdict = "supported" | "contradicted" | "not-checkable";

/** A claim with its verdict. */
export interface JudgedClaim
  extends Pick<Claim, "id" | "section" | "claim" | "implied" | "criterion" | "needs" | "missing"> {
  readonly verdict: ClaimVerdict;
  /** A sentence with the numbers; absent where nothing published bears on the claim. */
  readonly evidence?: string;
}

/**
 * Every claim with its verdict and the numbers behind it, in the order given.
 *
 * A verdict is about a statement and the numbers printed beside it, by a criterion that we chose and that stands with
 * the claim: `supported` does not make a statement true, `contradicted` says that the paper's own numbers speak against
 * it under that criterion. What nothing published decides is `not-checkable`, never either of the two.
 *
 * @param quantities by the names that the claims use.
 * @param options `published`: handed to each of them, its facts may be
 * named like a quantity (`rounds`, `fit-rounds.low`); `criteria`: a reader's own, by the claim's id; each bound that it
 * gives replaces the bounds of that quantity.
 * @throws {UserError} on a quantity or an id that does not exist (naming the nearest).
 */
export function evaluateClaims<Published extends WithFacts>(
  claims: readonly Claim[],
  quantities: Quantities<Published>,
  { published, criteria = {} }: { published: Published; criteria?: Readonly<Record<string, Criterion>> | undefined },
): JudgedClaim[] {
  for (const id of Object.keys(criteria)) {
    if (!claims.some((claim) => claim.id === id)) throw unknownName("claim", id, claims.map((claim) => claim.id));
  }
  return claims.map(({ quantity, of = {}, evidence, items = {}, supported, contradicted, ...claim }) => {
    if (quantity === undefined) return { ...claim, verdict: "not-checkable" };
    if (!Object.hasOwn(quantities, quantity)) throw unknownName("quantity", quantity, Object.keys(quantities));
    const values = quantities[quantity]!(published, of);
    const { instead, verdict = "not-checkable" } = values;
    if (instead !== undefined) return { ...claim, verdict: verdict as ClaimVerdict, evidence: String(instead) };
    const own = criteria[claim.id];
    const rules = {
      supported: merged(supported, own?.supported),
      contradicted: merged(contradicted, own?.contradicted),
    };
    const valueOf = valueIn(values, published);
    return {
      ...claim,
      ...(own && { criterion: `${claim.criterion} (yours: ${inWords(own)})` }),
      verdict: verdictOf(rules, valueOf),
      evidence: sentence(evidence!, { valueOf, items }),
    };
  });
}

/** Rules as they are written: `supported: share above 0.4, rounds above 1`. */
const inWords = (criterion: Criterion): string =>
  JSON.stringify(criterion).replace(/[{}"]/g, "").replace(/[:,]/g, "$& ");

type ValueOf = (name: string) => Value;

/** Reads a quantity, a part of one (`least.lambda`), or a fact of the paper that has that name. */
const valueIn = (values: Values, published?: WithFacts): ValueOf => (name) => {
  const [first, ...parts] = name.split(".") as [string, ...string[]];
  if (Object.hasOwn(values, first)) return parts.reduce(partOf, values[first]);
  const fact = published?.facts.find((fact) => fact.id === first);
  if (fact === undefined) throw unknownName("quantity", name, Object.keys(values));
  return fact[(parts[0] ?? "value") as "value" | "low" | "high"];
};

/** Summaries of a list of numbers that a sentence may name. */
const OF_ALL: Readonly<Record<string, (values: number[]) => number>> = {
  ...{ min, max, mean, median, sum },
  half: (values) => values.length / 2,
};

/** The part of a row that has this name; of a list that of each row, or one of `OF_ALL`. */
function partOf(value: Value, name: string): Value {
  if (!Array.isArray(value)) return valueIn(value as Values)(name);
  return Object.hasOwn(OF_ALL, name) ? OF_ALL[name]!(value) : value.map((row: Values) => row[name]);
}

/** A rule of the reader's own in the place of ours, quantity by quantity where both are one rule. */
function merged<Side extends Criterion["supported"] | "never">(ours: Side, own: Side): Side {
  const single = typeof ours === "object" && typeof own === "object" && !Array.isArray(ours) && !Array.isArray(own);
  return single ? { ...ours, ...own } : own ?? ours;
}

function verdictOf({ supported, contradicted }: Criterion, valueOf: ValueOf): ClaimVerdict {
  if (supported !== undefined && holds(supported, valueOf)) return "supported";
  if (contradicted === undefined) return "contradicted";
  return contradicted !== "never" && holds(contradicted, valueOf) ? "contradicted" : "not-checkable";
}

const COMPARE: Readonly<Record<string, (a: Value, b: Value) => boolean>> = {
  above: (a, b) => a! > b!,
  atLeast: (a, b) => a! >= b!,
  below: (a, b) => a! < b!,
  atMost: (a, b) => a! <= b!,
  is: (a, b) => a === b,
};

const holds = (rules: Rules, valueOf: ValueOf): boolean =>
  [rules].flat().some((rule) =>
    Object.entries(rule).every(([name, bound]) =>
      Object.entries(bound).every(([how, limit]) =>
        COMPARE[how]!(sizeOf(valueOf(name)), typeof limit === "string" ? sizeOf(valueOf(limit)) : limit)
      )
    )
  );

const sizeOf = (value: Value): Value => Array.isArray(value) ? value.length : value;

/**
 * A sentence with its numbers: `{lambda:slope}`, `{share:.1}` with decimals, `{raised:of all}` for "6 of 12", `{names}` for
 * a list, each of its rows as `items` says. What stands in `[…]` is left out where one of its values is absent or empty.
 */
function sentence(text: string, { valueOf, items = {} }: { valueOf: ValueOf; items?: Claim["items"] }): string {
  const PLACE = /\{([^}:]+)(?::([^}]+))?\}/g;
  const lacks = (part: string) =>
    [...part.matchAll(PLACE)].some(([, name]) => [undefined, 0, ""].includes(sizeOf(valueOf(name!)) as undefined));
  const rows = (value: Value, item: string) =>
    (value as readonly Values[]).map((row) => sentence(item, { valueOf: valueIn(row) }));
  return text.replace(/\[([^\]]*)\]/g, (_, part) => lacks(part) ? "" : part)
    .replace(PLACE, (_, name, format = "text") => {
      const value = valueOf(name), item = items[name];
      if (format.startsWith("of ")) return `${sizeOf(value)} of ${sizeOf(valueOf(format.slice(3)))}`;
      if (format.startsWith(".")) return fixedText(value as number, Number(format.slice(1)));
      if (!Object.hasOwn(FORMATS, format)) throw unknownName("format", format, Object.keys(FORMATS));
      if (format === "text" && item !== undefined) return listed(rows(value, item));
      return FORMATS[format as keyof typeof FORMATS](value as number);
    });
}

const list = new Intl.ListFormat("en-GB");

const FORMATS = {
  text: (value: Value) => Array.isArray(value) ? listed(value) : String(value ?? "unknown"),
  count: (value: Value) => String(sizeOf(value)),
  slope: (value: number) => fixedText(value),
  signed: (value: number) => `${value < 0 ? "" : "+"}${fixedText(value)}`,
  p: (value: number) => pValue(value).startsWith("<") ? `p ${pValue(value)}` : `p = ${pValue(value)}`,
  share,
  rumours: (count: number) => `${count} rumour${count === 1 ? "" : "s"}`,
};

/** `a, b and c`; `none` of nothing. */
export const listed = (names: readonly unknown[]): string =>
  names.length === 0 ? "none" : list.format(names.map(String));
