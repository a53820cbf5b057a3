import { UserError } from "../core/user_error.ts";

/** A flag's value as a whole number of at least `least`. Throws a UserError (exit 2) naming the flag. */
export function wholeNumber(flag: string, text: string, least = 0): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new UserError(`${flag} must be a whole number of at least ${least}, got "${text}"`, { exitCode: 2 });
}
