import { z } from "zod";

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
