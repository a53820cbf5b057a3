/**
 * The same runs on several machines: one queue, one budget and one record in PostgreSQL.
 *
 * @example
 * ```ts ignore
 * // After `deno task run two-routes --store postgres://lab@127.0.0.1/lab`, while its workers still run:
 * const conditions = await readStore("postgres://lab@127.0.0.1/lab", "two-routes");
 * ```
 *
 * @module
 */
export { readStore } from "./read_store.ts";
