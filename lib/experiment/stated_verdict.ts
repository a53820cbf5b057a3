import type { PublishedStatedEffectRow } from "../schema/published_stated_effect.ts";

/** How a measured fall of λ̂ stands to what the paper says of it. */
export interface StatedVerdict {
  /** Whether the fall has the sign that is stated. */
  readonly sign: "as stated" | "other than stated" | "not stated" | "no estimate";
  /** Whether the interval holds zero, beside what is stated of the paper's. */
  readonly zero:
    | "excludes zero, as stated"
    | "holds zero, as stated"
    | "excludes zero, the paper's holds it"
    | "holds zero, the paper's excludes it"
    | "excludes zero, the paper's not stated"
    | "holds zero, the paper's not stated"
    | "no interval";
}

/**
 * Compares a measured fall of λ̂ with a statement that has a sign and no number.
 *
 * "Positive" is met by a point estimate above zero, since that is what the paper claims of its own; "near zero or
 * negative" is missed only by an interval that lies wholly above zero.
 */
export function statedVerdict(
  { sign, excludes_zero }: Pick<PublishedStatedEffectRow, "sign" | "excludes_zero">,
  effect: { delta?: number | undefined; low?: number | undefined; high?: number | undefined },
): StatedVerdict {
  return { sign: signVerdict(sign, effect), zero: zeroVerdict(excludes_zero, effect) };
}

function signVerdict(
  sign: PublishedStatedEffectRow["sign"],
  { delta, low }: { delta?: number | undefined; low?: number | undefined },
): StatedVerdict["sign"] {
  if (sign === undefined) return "not stated";
  if (delta === undefined || (sign !== "positive" && low === undefined)) return "no estimate";
  const met = sign === "positive" ? delta > 0 : low! <= 0;
  return met ? "as stated" : "other than stated";
}

function zeroVerdict(
  stated: boolean | undefined,
  { low, high }: { low?: number | undefined; high?: number | undefined },
): StatedVerdict["zero"] {
  if (low === undefined || high === undefined) return "no interval";
  const excludes = low > 0 || high < 0;
  if (stated === undefined) {
    return excludes ? "excludes zero, the paper's not stated" : "holds zero, the paper's not stated";
  }
  if (stated === excludes) return excludes ? "excludes zero, as stated" : "holds zero, as stated";
  return excludes ? "excludes zero, the paper's holds it" : "holds zero, the paper's excludes it";
}

/** Both halves of a verdict as one line, such as `sign as stated; interval holds zero, the paper's excludes it`. */
export function verdictWords({ sign, zero }: StatedVerdict): string {
  const signWords = sign === "no estimate" ? sign : `sign ${sign}`;
  if (zero === "no interval") return `${signWords}; no interval`;
  return `${signWords}; interval ${zero.replace(UNSTATED, "")}`;
}

/** What a line need not repeat where nothing is compared. */
const UNSTATED = ", the paper's not stated";
