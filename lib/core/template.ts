/** Values of a template's placeholders, by name. */
type Values = Readonly<Record<string, string | number>>;

const PLACEHOLDER = /\{\{(\w+)\}\}/;

/**
 * Splits a template at its `{{placeholders}}` once, so that filling it is one pass. A value is never searched for
 * placeholders itself.
 *
 * @param fixed values that are the same each time.
 * @returns a function that fills it; it throws a RangeError for a placeholder without a value.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(template("{{a}} and {{b}}", { a: 1 })({ b: "{{a}}" }), "1 and {{a}}");
 * ```
 */
export function template(text: string, fixed: Values = {}): (values: Values) => string {
  const parts = text.split(PLACEHOLDER);
  return (values) => {
    let filled = parts[0]!;
    for (let i = 1; i < parts.length; i += 2) {
      const name = parts[i]!;
      const value = Object.hasOwn(values, name) ? values[name] : fixed[name];
      if (value === undefined) throw new RangeError(`prompt template: no value for {{${name}}}`);
      filled += value + parts[i + 1]!;
    }
    return filled;
  };
}
