import { z } from "zod";

/** One broken rule of a schema, in plain words. */
export interface Violation {
  /** Where the offending value stands; for an unknown key, the key itself is the last step. */
  readonly path: readonly PropertyKey[];
  /** Continues a sentence that began with the field's name, such as "must not be empty". */
  readonly rule: string;
}

/**
 * Checks a value against a schema.
 *
 * @returns the value as the schema gives it, or every broken rule: unknown keys one by one, and each wrong value with
 * what was found.
 */
export function violations<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { ok: true; value: z.output<S> } | { ok: false; violations: Violation[] } {
  const checked = schema.safeParse(value, { error: inPlainWords });
  if (checked.success) return { ok: true, value: checked.data };
  return { ok: false, violations: checked.error.issues.flatMap(split) };
}

/** How people write a path: `options[1].text`, and `prices["x-ai/grok"]` where a key is no plain name. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.map((step, i) => {
    if (typeof step === "number") return `[${step}]`;
    const key = String(step);
    if (!/^[A-Za-z_][\w-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
    return i === 0 ? key : `.${key}`;
  }).join("");
}

function split(issue: z.core.$ZodIssue): Violation[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...issue.path, key], rule: "is not a known key; remove or rename it" }));
  }
  if (issue.code === "invalid_key") {
    return issue.issues.map(({ message }) => ({ path: issue.path, rule: `as a key: ${message}` }));
  }
  return [{ path: issue.path, rule: issue.message }];
}

/** Wording for zod's own rules; a schema's own `error` texts take precedence, and zod's are kept where this has none. */
function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type": {
      const expected = TYPES[issue.expected] ?? issue.expected;
      return issue.input === undefined
        ? `is missing: ${expected} is needed`
        : `must be ${expected}${found(issue.input)}`;
    }
    case "invalid_value":
      return `must be ${EITHER.format(issue.values.map((allowed) => JSON.stringify(allowed)))}${found(issue.input)}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return `must ${amount(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}${
        found(issue.input)
      }`;
    case "too_big":
      return `must ${amount(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}${
        found(issue.input)
      }`;
    default:
      return undefined;
  }
}

const EITHER = new Intl.ListFormat("en-GB", { type: "disjunction" });

const TYPES: Readonly<Record<string, string>> = {
  string: "text in quotes",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list [ ]",
  tuple: "a list [ ]",
  object: "an object { }",
  record: "an object { }",
};

function amount(origin: string, relation: string, limit: number | bigint): string {
  if (origin === "string") return `have ${relation} ${limit} characters`;
  if (origin === "array") return `have ${relation} ${limit} items`;
  return `be ${relation} ${limit}`;
}

/** What was found instead, cut short: enough to recognise it. */
function found(input: unknown): string {
  const written = JSON.stringify(input);
  if (written === undefined) return "";
  return `, found ${written.length > 60 ? `${written.slice(0, 60)}…` : written}`;
}
