import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { UserError } from "@/core/user_error.ts";
import type { Claim, Values } from "@/lab/paper/claims.ts";
import { FUNCTIONS } from "./functions.ts";

/** A table that quantities are computed from, and the files that it rests on, as seen from `data/published/`. */
interface Source {
  readonly rows: readonly object[];
  readonly files: readonly string[];
}
export type Sources = Readonly<Record<string, Source>>;

/** Loaded tables as sources, by the names of their loaders. */
export const sourcesOf = <Name extends string>(
  loaders: Readonly<Record<Name, { readonly file: string }>>,
  tables: Readonly<Record<Name, readonly object[]>>,
): Sources =>
  Object.fromEntries((Object.keys(loaders) as Name[]).map((name) => {
    return [name, { rows: tables[name], files: [loaders[name].file] }];
  }));

/** Named queries that several quantities share. */
export type Views = Readonly<Record<string, string>>;

/**
 * The sources as tables of an SQL database in memory, with `FUNCTIONS` and the views. What a paper does not give is NULL, a flag 1 or 0,
 * a list JSON.
 */
export function openDatabase(sources: Sources, views: Views): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  for (const [name, compute] of Object.entries(FUNCTIONS)) db.function(name, compute as () => number);
  for (const [name, { rows }] of Object.entries(sources)) fill(db, name, rows);
  for (const [name, query] of Object.entries(views)) db.exec(`create view ${name} as ${query}`);
  return db;
}

function fill(db: DatabaseSync, table: string, rows: readonly object[]) {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  db.exec(`create table ${table} (${columns.map((column) => `"${column}"`)})`);
  const insert = db.prepare(`insert into ${table} values (${columns.map(() => "?")})`);
  for (const row of rows) insert.run(...columns.map((column) => cellOf((row as Values)[column])));
}

function cellOf(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  return value === undefined || value === null || typeof value === "string" ? value ?? null : JSON.stringify(value);
}

/** A file of claims. */
interface Claims {
  readonly views: Views;
  readonly claims: readonly Claim[];
}

/** A file of claims with the values of each by some sources, and the files that they rest on. It throws as `valuesOf` does. */
export function withValues<File extends Claims>(file: File, sources: Sources): File {
  const db = openDatabase(sources, file.views);
  const claims = file.claims.map((claim) =>
    claim.quantities === undefined
      ? claim
      : { ...claim, values: valuesOf(claim, db), needs: filesOf(claim, sources, file.views) }
  );
  return { ...file, claims };
}

/**
 * The values of a claim by its quantities; numbers with twelve digits.
 *
 * @throws {UserError} on a query that cannot be run, or that gives several rows where one is wanted, naming claim and quantity.
 */
export function valuesOf({ id, quantities = {} }: Pick<Claim, "id" | "quantities">, db: DatabaseSync): Values {
  return Object.fromEntries(
    Object.entries(quantities).map(([name, query]) => {
      try {
        return [name, answer(db, query)];
      } catch (error) {
        throw new UserError(`claim ${id}, quantity ${name}: ${error instanceof Error ? error.message : error}`);
      }
    }),
  );
}

type Query = NonNullable<Claim["quantities"]>[string];

function answer(db: DatabaseSync, query: Query): Values[string] {
  const [kind, sql] = typeof query === "string" ? ["value", query] : Object.entries(query)[0]!;
  const rows: Values[] = db.prepare(sql).all().map((row) => JSON.parse(JSON.stringify(row, rounded)));
  const cells = rows.map((row) => Object.values(row)[0]);
  if (kind === "rows") return rows;
  if (kind === "list") return cells;
  if (rows.length !== 1) throw new RangeError(`must be one row, found ${rows.length}`);
  if (kind === "row") return rows[0];
  return kind === "flag" ? cells[0] === 1 : cells[0];
}

const rounded = (_: string, value: unknown) => typeof value === "number" ? Number(value.toPrecision(12)) : value;

/**
 * The files that a claim rests on: those of the tables that its quantities read, through views too, and that of the facts where
 * a rule or the sentence names one.
 */
export function filesOf(claim: Omit<Claim, "needs">, sources: Sources, views: Views): string[] {
  const queries = Object.values(claim.quantities ?? {}).flatMap((query) => Object.values(Object(query)).join(""));
  const tables = new Set(queries.flatMap((sql) => tablesIn(sql, views)));
  if (namesIn(claim).some((name) => !Object.hasOwn(claim.quantities ?? {}, name))) tables.add("facts");
  return [...new Set(Object.entries(sources).flatMap(([name, { files }]) => tables.has(name) ? files : []))];
}

const tablesIn = (sql: string, views: Views): string[] =>
  [...sql.matchAll(/\b(?:from|join) (\w+)/g)].flatMap(([, name]) => [name!, ...tablesIn(views[name!] ?? "", views)]);

/** The values that a claim's rules and sentence name. */
function namesIn({ supported, contradicted, evidence = "" }: Omit<Claim, "needs">): string[] {
  const rules = [supported, contradicted].flat().filter((rule) => typeof rule === "object");
  const bounds = rules.flatMap((rule) => Object.entries(rule)).flatMap(([name, bound]) => [
    name,
    ...Object.values(bound).filter((limit) => typeof limit === "string"),
  ]);
  const places = [...evidence.matchAll(/\{([^}:]+)(?::of ([^}]+))?/g)].flatMap(([, ...names]) => names);
  return [...bounds, ...places].flatMap((name) => name?.split(".")[0] ?? []);
}
