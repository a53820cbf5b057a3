import { unknownName } from "@/core/user_error.ts";
import { type Claim, PLACE, type Values } from "@/lab/paper/claims.ts";

/** Functions that compute the values of claims from the published tables alone, by the names that the claims use. */
export type Quantities<Published> = Readonly<
  Record<string, (published: Published, of: NonNullable<Claim["of"]>) => Values>
>;

/**
 * A claim with its values by some tables, as its file holds them: of a row the parts that the claim names, of a list whose
 * rows it does not write the length, and numbers with twelve digits.
 *
 * @throws {UserError} on a quantity that does not exist (naming the nearest).
 */
export function withValues<Published>(
  claim: Omit<Claim, "values">,
  quantities: Quantities<Published>,
  published: Published,
): Claim {
  const { quantity, of = {} } = claim;
  if (quantity === undefined) return claim;
  if (!Object.hasOwn(quantities, quantity)) throw unknownName("quantity", quantity, Object.keys(quantities));
  const paths = namesIn(claim).map((name) => name.split("."));
  const values = Object.entries(quantities[quantity]!(published, of)).map(([name, value]) => {
    const parts = paths.filter(([first]) => first === name).map(([, part]) => part);
    return [name, keptOf(value, parts)];
  });
  return { ...claim, values: JSON.parse(JSON.stringify(Object.fromEntries(values), rounded)) };
}

const rounded = (_: string, value: unknown) => typeof value === "number" ? Number(value.toPrecision(12)) : value;

/** What a claim that names these parts of a value needs of it; undefined stands for the value itself. */
function keptOf(value: Values[string], parts: readonly (string | undefined)[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  const part = (row: unknown) =>
    typeof row === "object"
      ? Object.fromEntries(parts.flatMap((name) => name === undefined ? [] : [[name, (row as Values)[name]]]))
      : row;
  if (!Array.isArray(value)) return parts.length === 0 ? undefined : part(value);
  return parts.every((name) => name === "half") ? value.length : value.map(part);
}

/** The names in a claim's rules and sentence, but for lists that are only counted. */
function namesIn({ supported, contradicted, evidence = "", items = {} }: Omit<Claim, "values">): string[] {
  const rules = [supported, contradicted].flat().flatMap((rule) =>
    typeof rule === "object" ? Object.entries(rule) : []
  );
  const bounds = rules.flatMap(([name, bound]) => [name, ...Object.values(bound)]).filter((name) =>
    /\./.test(`${name}`)
  );
  const placed = [...evidence.matchAll(PLACE)].filter(([, , format = ""]) => !/^(of |count)/.test(format));
  const written = placed.map(([, name]) => name!).filter((name) => !Object.hasOwn(items, name));
  const parts = Object.entries(items).flatMap(([list, item]) =>
    [...item.matchAll(PLACE)].flatMap(([, name, format = ""]) =>
      [name!, ...format.startsWith("of ") ? [format.slice(3)] : []].map((one) => `${list}.${one.split(".")[0]}`)
    )
  );
  return [...bounds.map(String), ...written, ...parts];
}
