/**
 * Foundations: results that may fail, seeded chance, number formats, CSV.
 *
 * @module
 */
export { toCsv } from "./csv.ts";
export { contentHash } from "./json.ts";
export { fixedText, intervalText, pValue, share, slope } from "./numbers.ts";
export { fail, type Issue, ok, type Result } from "./result.ts";
export { createRng, type Rng } from "./rng.ts";
export { UserError } from "./user_error.ts";
