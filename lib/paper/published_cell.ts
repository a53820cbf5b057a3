import { z } from "zod";
import { UserError } from "../core/user_error.ts";

/** What a cell says where the source gives no value: neither zero nor an empty cell. */
export const NOT_PUBLISHED = "not published";

/**
 * A number in a CSV file of published values: `undefined` where the cell says `not published`.
 *
 * @param rule what the number must obey, such as `z.int().min(0)`.
 */
export function publishedNumber<Rule extends z.ZodType<number, number>>(rule: Rule) {
  return z.string().transform((text, context): number | undefined => {
    if (text === NOT_PUBLISHED) return undefined;
    if (/^-?\d+(?:\.\d+)?(?:e-?\d+)?$/.test(text)) return Number(text);
    const message = `must be a plain number or "${NOT_PUBLISHED}", found ${JSON.stringify(text)}`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }).pipe(rule.optional());
}

/** `true` or `false`, spelt out. */
export const PublishedFlag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Text that must be there. */
export const PublishedText = z.string().min(1);

/** A scenario by its id, such as IM-01. */
export const PublishedScenarioId = z.string().regex(/^[A-Z]{2}-\d{2}$/, "must look like HL-01");

/** What a cell says where the source states that there is none, such as no first pass: known, unlike `not published`. */
export const NONE = "none";

const PlainNumber = publishedNumber(z.number());

/**
 * A number in a CSV file of published values that may be `none`, read as null; `not published` is read as `undefined`.
 *
 * @param rule what the number must obey, such as `z.int().min(1)`.
 */
export function publishedNumberOrNone<Rule extends z.ZodType<number, number>>(rule: Rule) {
  return z.string().transform((text, context): number | null | undefined => {
    if (text === NONE) return null;
    const number = PlainNumber.safeParse(text);
    if (number.success) return number.data;
    const message = `must be a plain number, "${NONE}" or "${NOT_PUBLISHED}", found ${JSON.stringify(text)}`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  }).pipe(rule.nullable().optional());
}

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
