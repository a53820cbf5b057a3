import assert from "node:assert/strict";
import { lenientJson, Unreadable } from "@/core/lenient_json.ts";
import { Repairs } from "@/core/name_finder.ts";
import type { TableName } from "@/station/normalise_keys.ts";
import { quantity } from "@/station/quantity.ts";

/** The number and the repairs of a value written so, or the code of the issue. */
function reading(written: string, table: TableName) {
  const json = lenientJson(`{"a": ${written}}`);
  assert.ok(json.ok, written);
  const repairs = new Repairs();
  try {
    return [quantity(json.value.root.members[0]!.value, table, "seats.crew", repairs), ...repairs.list()];
  } catch (thrown) {
    assert.ok(thrown instanceof Unreadable);
    return thrown.issue.code;
  }
}

const QUANTITIES: readonly [written: string, seats: unknown, power: unknown][] = [
  ["40", [40], [40]],
  ["0", [0], [0]],
  ["40.0", [40], [40]],
  ["4e1", [40], [40]],
  ["400e-1", [40], [40]],
  ["9007199254740991", [9007199254740991], [9007199254740991]],
  ["9007199254740992", "too_large", "too_large"],
  ["1e999", "too_large", "too_large"],
  ["0e999", [0], [0]],
  ["40.000000000000000000001", "fractional", "fractional"],
  ["1e-999", "fractional", "fractional"],
  ["-0", "negative", "negative"],
  ['"40"', [40, "numeric_string"], [40, "numeric_string"]],
  ['" 40 "', [40, "numeric_string"], [40, "numeric_string"]],
  ['"40.0 seats"', [40, "number_with_unit"], "unknown_unit"],
  ['"40 Seats"', [40, "number_with_unit"], "unknown_unit"],
  ['"1 seat"', [1, "number_with_unit"], "unknown_unit"],
  ['"40 people"', [40, "number_with_unit"], "unknown_unit"],
  ['"25 units"', "unknown_unit", [25, "number_with_unit"]],
  ['"25 units of power"', "unknown_unit", [25, "number_with_unit"]],
  ['"25 kW"', "unknown_unit", "unknown_unit"],
  ['"40%"', [40, "percentage"], [40, "percentage"]],
  ['"40 per cent"', [40, "percentage"], [40, "percentage"]],
  ['"40% of the seats"', [40, "percentage"], "unknown_unit"],
  ['"40% of available power"', "unknown_unit", [40, "percentage"]],
  ['"12.5%"', "fractional", "fractional"],
  ['"forty"', "word_number", "word_number"],
  ['"Twenty-five units"', "word_number", "word_number"],
  ['"tenfold"', "not_a_number", "not_a_number"],
  ['"-4"', "negative", "negative"],
  ['"4-5"', "not_a_number", "not_a_number"],
  ['"1,000"', "not_a_number", "not_a_number"],
  ['"040"', "not_a_number", "not_a_number"],
  ['"١٢"', "not_a_number", "not_a_number"],
  ["NaN", "not_a_number", "not_a_number"],
  ["-Infinity", "not_a_number", "not_a_number"],
  ["[40]", "not_a_number", "not_a_number"],
];

Deno.test("quantity() reads whole numbers as written, and says why not otherwise", () => {
  for (const [written, seats, power] of QUANTITIES) {
    assert.deepEqual(reading(written, "seats"), seats, `${written} seats`);
    assert.deepEqual(reading(written, "power"), power, `${written} power`);
  }
});
