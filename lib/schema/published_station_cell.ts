import { z } from "zod";
import { publishedNumber } from "./published_cell.ts";

/** What a cell says where the source states that there is none, such as no first pass: known, unlike `not published`. */
export const NONE = "none";

/**
 * A number in a CSV file of published values that may be `none`, read as null; `not published` is read as `undefined`.
 *
 * @param rule what the number must obey, such as `z.int().min(1)`.
 */
export function publishedNumberOrNone<Rule extends z.ZodType<number, number>>(rule: Rule) {
  return z.literal(NONE).transform((): null => null).or(publishedNumber(rule));
}
