/**
 * The fields of a record that are known: one that is undefined is left out, so that it is absent and not `undefined`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(Object.keys(known({ q: 0.5, rank: undefined })), ["q"]);
 * ```
 */
export function known<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
