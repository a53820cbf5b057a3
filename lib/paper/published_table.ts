import { z } from "zod";
import { unknownName, UserError } from "../core/user_error.ts";
import { folderUrl } from "../record/files.ts";
import { readCsv } from "../record/read_csv.ts";

/** The project's own files of published numbers; the README beside them names the table or section of each. */
const PUBLISHED = new URL("../../data/published/", import.meta.url);

/** Folder of published tables; by default the project's own `data/published/`. */
export interface PublishedFolder {
  readonly folder?: string | URL | undefined;
}

/**
 * Reads one file of published values. A value that the paper does not give is `undefined`, never zero.
 *
 * Throws a UserError on a malformed file.
 */
export interface PublishedLoader<Row extends object> {
  (options?: PublishedFolder): Promise<Row[]>;
  /** Its path from `data/published/`. */
  readonly file: string;
}

/** One row of the table that a loader reads. */
export type RowOf<Loader> = Loader extends PublishedLoader<infer Row> ? Row : never;

/** The source of a row of results; all of them come from runs of language models. */
export interface Printed {
  /** As a caption names it, such as `Table S8`. */
  readonly source: string;
  readonly synthetic: false;
}

/**
 * The loader of one file, and the schema of its rows.
 *
 * @param also further fields of each row, after which its columns come: `source`, and the knobs of its committee or run under the names of
 * the tidy rows of `runs/`. As there, a knob that a committee has not (`variant`, `ablate`) is absent or undefined, so
 * that a row without it stands beside a committee without it only; a knob that a table pools over has no key at all.
 */
export function publishedTable<Columns extends z.ZodRawShape, Also extends object = object>(
  file: string,
  columns: Columns,
  also?: (row: z.output<z.ZodObject<Columns>>) => Also,
) {
  const schema = z.strictObject(columns);
  type Row = z.output<typeof schema> & Also;
  const load = async ({ folder = PUBLISHED }: PublishedFolder = {}): Promise<Row[]> => {
    const rows = await readCsv(new URL(file, folderUrl(folder)), schema);
    return rows.map((row) => ({ ...also?.(row as z.output<z.ZodObject<Columns>>), ...row }) as Row);
  };
  return Object.assign(load, { file, schema });
}

/** The loader of a table in which the given cells may not say `not published`: one that does is a UserError. */
export function needing<Row extends object, Name extends keyof Row & string>(
  load: PublishedLoader<Row>,
  ...cells: readonly Name[]
): PublishedLoader<With<Row, Name>> {
  const { file } = load;
  return Object.assign(async (options?: PublishedFolder) => withCells(await load(options), { file, cells }), { file });
}

/** Loaders by the names that their tables have where they are used together. */
type Loaders = Readonly<Record<string, PublishedLoader<object>>>;

/** The rows of several loaders, by the same names. */
export type Tables<Of extends Loaders> = { readonly [Name in keyof Of]: readonly RowOf<Of[Name]>[] };

/** Reads several tables at once. */
export async function loadTables<Of extends Loaders>(loaders: Of, options: PublishedFolder): Promise<Tables<Of>> {
  const tables = Object.entries(loaders).map(async ([name, load]) => [name, await load(options)] as const);
  return Object.fromEntries(await Promise.all(tables)) as unknown as Tables<Of>;
}

/** The file in `data/published/` that each table comes from. */
export const filesOf = <Name extends string>(
  loaders: Readonly<Record<Name, PublishedLoader<object>>>,
): Readonly<Record<Name, string>> =>
  Object.fromEntries((Object.keys(loaders) as Name[]).map((name) => [name, loaders[name].file])) as Record<
    Name,
    string
  >;

/** The mark of a value that the source does not give: neither zero nor an empty cell. */
export const NOT_PUBLISHED = "not published";

/** The mark of a value that the source says does not exist, such as no first pass: known, unlike `not published`. */
export const NONE = "none";

/** A cell's number, or what one of the words in its place stands for. */
const numberOr = <Absent>(words: Readonly<Record<string, Absent>>) =>
  z.string().transform((text, context): number | Absent => {
    if (Object.hasOwn(words, text)) return words[text]!;
    if (/^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(text)) return Number(text);
    const allowed = ["a plain number", ...Object.keys(words).map((word) => `"${word}"`)];
    const message = `must be ${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}, found ${JSON.stringify(text)}`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

/**
 * A number in a CSV file of published values: `undefined` where the cell says `not published`.
 *
 * @param rule what the number must obey, such as `z.int().min(0)`.
 */
export const publishedNumber = <Rule extends z.ZodType<number, number>>(rule: Rule) =>
  numberOr({ [NOT_PUBLISHED]: undefined }).pipe(rule.optional());

/** The same where the cell may also say `none`, read as null. */
export const publishedNumberOrNone = <Rule extends z.ZodType<number, number>>(rule: Rule) =>
  numberOr({ [NONE]: null, [NOT_PUBLISHED]: undefined }).pipe(rule.nullable().optional());

/** `true` or `false`, spelt out. */
export const PublishedFlag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Text that must be there. */
export const PublishedText = z.string().min(1);

/** A scenario by its id, such as IM-01. */
export const PublishedScenarioId = z.string().regex(/^[A-Z]{2}-\d{2}$/, "must look like HL-01");

/** `true`, `false`, or `undefined` where the cell says `not published`. */
export const PublishedFlagOrUnknown = z.enum(["true", "false", NOT_PUBLISHED])
  .transform((text): boolean | undefined => text === NOT_PUBLISHED ? undefined : text === "true");

/** A row in which the given cells are published. */
export type With<Row, Name extends keyof Row> = Row & { readonly [Key in Name]-?: Exclude<Row[Key], undefined> };

/**
 * Rows of a published table, each with the given cells published.
 *
 * @param options `file`: the table's, for the message; `rule`: what the message says of such a cell.
 * @throws {UserError} on a cell that says `not published`, naming file, line and column.
 */
export function withCells<Row extends object, Name extends keyof Row & string>(
  rows: readonly Row[],
  { file, cells, rule = "must be published here" }: { file: string; cells: readonly Name[]; rule?: string },
): With<Row, Name>[] {
  return rows.map((row, i) => {
    const lacking = cells.filter((cell) => row[cell] === undefined);
    if (lacking.length === 0) return row as With<Row, Name>;
    throw new UserError(`${file}:${i + 2}: ${lacking.join(", ")}: ${rule}`);
  });
}

/**
 * The one row of a table with the given cells.
 *
 * @throws {UserError} when none has them, or more than one.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(rowOf([{ role: "Chair", switches: 3 }, { role: "Equity", switches: 1 }], { role: "Equity" }).switches, 1);
 * ```
 */
export function rowOf<Row extends object>(rows: readonly Row[], cells: Partial<Row>): Row {
  const names = Object.keys(cells) as (keyof Row)[];
  const found = rows.filter((row) => names.every((name) => row[name] === cells[name]));
  if (found.length === 1) return found[0]!;
  throw new UserError(`${found.length} published rows have ${JSON.stringify(cells)}: must be one`);
}

/** The rows, those with the highest number first. */
export const descending = <Row>(rows: readonly Row[], by: (row: Row) => number): Row[] =>
  rows.toSorted((a, b) => by(b) - by(a));

/** The rows that pass, and the others. */
export const parted = <Row>(rows: readonly Row[], passes: (row: Row) => boolean): [Row[], Row[]] => [
  rows.filter(passes),
  rows.filter((row) => !passes(row)),
];

/** The row with the lowest number. */
export const lowest = <Row>(rows: readonly Row[], by: (row: Row) => number): Row =>
  rows.reduce((a, b) => by(b) < by(a) ? b : a);

/**
 * One statement of a paper's text or captions. `value` is a single number, `low` and `high` are the printed bounds
 * of a range; what the paper gives in words alone has none of them.
 */
export const PublishedFact = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/, "must be lower case with hyphens"),
  value: publishedNumber(z.number()),
  low: publishedNumber(z.number()),
  high: publishedNumber(z.number()),
  unit: PublishedText,
  statement: PublishedText.describe("what is stated, in our words"),
  source: PublishedText.describe("section, table or figure"),
});
export type PublishedFact = z.infer<typeof PublishedFact>;

/**
 * The fact of that id.
 *
 * @throws {UserError} when there is none (`exitCode` 2, naming the nearest).
 */
export function findFact(facts: readonly PublishedFact[], id: string): PublishedFact {
  const fact = facts.find((fact) => fact.id === id);
  if (fact === undefined) throw unknownName("published fact", id, facts.map(({ id }) => id));
  return fact;
}

/**
 * The single value of a published fact.
 *
 * @throws {UserError} when there is none of that id (naming the nearest), or it has no single value.
 */
export function factValue(facts: readonly PublishedFact[], id: string): number {
  const { value } = findFact(facts, id);
  if (value === undefined) throw new UserError(`the published fact ${id} has no single value`);
  return value;
}

/**
 * One printed end of a published range, or the one bound of a one-sided statement.
 *
 * @throws {UserError} when there is no fact of that id (naming the nearest), or that end is not printed.
 */
export function factBound(facts: readonly PublishedFact[], id: string, end: "low" | "high"): number {
  const bound = findFact(facts, id)[end];
  if (bound === undefined) throw new UserError(`the published fact ${id} has no ${end} end`);
  return bound;
}

/** Both printed ends of a published range; it throws as `factBound` does. */
export const factRange = (facts: readonly PublishedFact[], id: string): [low: number, high: number] => [
  factBound(facts, id, "low"),
  factBound(facts, id, "high"),
];
