import { OPTION_LETTERS } from "../schema/scenario.ts";
import { RunFlaw } from "./run_flaw.ts";

/** As far from 1 as shares written in hundredths may sum, and the rounding of binary fractions. */
const SUM_TOLERANCE = 0.01 + 1e-9;

/**
 * The shares of an agent or a committee, [K]: a list, or an object by `A`, `B`, `C` or `p_A`, `p_B`, `p_C`. They are given as
 * written, never rescaled.
 *
 * @param where such as `round 3, Chair`; opens every complaint.
 * @throws {RunFlaw} `incomplete` where a share is null or NaN, otherwise `malformed`.
 */
export function readShares(value: unknown, where: string): number[] {
  if (value === null || value === undefined) throw new RunFlaw("incomplete", `${where} has no preferences`);
  const shares = Array.isArray(value) ? value : sharesByLetter(value);
  if (shares === undefined || shares.length < 2) {
    throw new RunFlaw("malformed", `${where} has no list of shares, nor shares named A, B, … or p_A, p_B, …`);
  }
  const numbers = shares.map((share, k) => readShare(share, `${where}, option ${OPTION_LETTERS[k] ?? k + 1}`));
  const sum = numbers.reduce((total, share) => total + share, 0);
  if (Math.abs(sum - 1) <= SUM_TOLERANCE) return numbers;
  throw new RunFlaw("malformed", `${where} has shares that sum to ${Number(sum.toFixed(6))}, more than 0.01 from 1`);
}

function readShare(share: unknown, where: string): number {
  if (typeof share === "number" && share >= 0 && share <= 1) return share;
  const written = JSON.stringify(share) ?? "missing";
  if (share === null || /^"(?:NaN|-?Infinity)"$/.test(written)) {
    throw new RunFlaw("incomplete", `${where} is ${written.replaceAll('"', "")}`);
  }
  throw new RunFlaw("malformed", `${where} is ${written.slice(0, 40)}: must be a number from 0 to 1`);
}

/** Values in the order of their letters, as far as letters go without a gap. */
function sharesByLetter(value: unknown): unknown[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const byName = new Map(Object.entries(value));
  const form = [(letter: string) => letter, (letter: string) => `p_${letter}`].find((name) => byName.has(name("A")));
  if (form === undefined) return undefined;
  const named = OPTION_LETTERS.map((letter) => byName.get(form(letter)));
  const end = named.findIndex((share) => share === undefined);
  return end < 0 || named.slice(end).every((share) => share === undefined)
    ? named.slice(0, end < 0 ? undefined : end)
    : undefined;
}
