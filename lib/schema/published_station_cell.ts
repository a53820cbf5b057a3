import { z } from "zod";
import { NOT_PUBLISHED, publishedNumber } from "./published_cell.ts";

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
