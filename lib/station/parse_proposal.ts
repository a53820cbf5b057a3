import { checkOptions } from "../core/options.ts";
import type { Result } from "../core/result.ts";
import type { Proposal } from "../schema/station_ids.ts";
import { attempt, lenientJson } from "../core/lenient_json.ts";
import { type ParseIssue, refuse } from "./parse_issue.ts";
import { normalisePlan } from "./normalise_plan.ts";

export type { ParseIssue } from "./parse_issue.ts";

/**
 * Reads the plan a model wrote, a JSON text of the shape `Plan`.
 *
 * With `normaliser` off, only the trimmed text that is exactly such an object is read; what the normaliser could have
 * read is then the issue `needs_repair` (or `not_json`), so that a plan in another dialect is not taken for no plan.
 * With it on, near misses are read and each repair is named: of JSON itself those of `lenientJson`, of keys `key_case`,
 * `key_synonym:evac_seats->seats`, `extra_key_dropped:notes`, of structure `nested_wrapper`, `flat_to_nested`,
 * `array_to_table`, of numbers `numeric_string`, `number_with_unit`, `percentage`, and of commentary `value_case`,
 * `measure_dropped:rumor`, `measures_dropped`, `rationale_dropped`. A repair never makes a quantity up: one that the model
 * did not write is `missing_quantity`. Whether seats and power suffice is not judged here.
 *
 * Source: the station paper, sections 2 and 11 (strict and normalising rulesets); the dialects are ours.
 *
 * @param text a model's words, any length; over 1,000,000 UTF-16 units are `too_long`.
 * @returns the plan and its repairs, none where it was read as written; or an issue with a stable code. Never throws.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const text = `{"evac_seats": {"outer_ring": 45, "crew": 28, "sponsor_deck": 16, "medical": "11 seats"},
 *   "power": {"life_support": 40, "docking": 25, "outer_ring": 15, "sponsor_deck": 10, "comms": 10}}`;
 * const read = parseProposal(text, { normaliser: true });
 * assert.ok(read.ok);
 * assert.equal(read.value.plan.seats.medical, 11);
 * assert.deepEqual(read.value.repairs, ["key_synonym:evac_seats->seats", "number_with_unit"]);
 * const strict = parseProposal(text, { normaliser: false });
 * assert.ok(!strict.ok && strict.issue.code === "needs_repair");
 * ```
 */
export function parseProposal(text: string, options: { normaliser: boolean }): Result<Proposal, ParseIssue> {
  const { normaliser } = checkOptions("parseProposal", options, "normaliser!");
  const json = lenientJson(text);
  if (!json.ok) return json;
  return attempt(() => {
    const { root, repairs: marks, duplicates } = json.value;
    const syntax = marks.map(({ name }) => name);
    if (!normaliser && syntax.length > 0) {
      refuse("not_json", `the text is not exactly one JSON object: ${several(syntax)}`);
    }
    if (duplicates.length > 0) {
      refuse("ambiguous", `the key ${JSON.stringify(duplicates[0]!.name.slice(0, 40))} is given twice`);
    }
    const { plan, repairs } = normalisePlan(root);
    if (!normaliser && repairs.length > 0) refuse("needs_repair", `not the schema as written: ${several(repairs)}`);
    return { schema: "proposal/1", plan, repairs: [...new Set([...syntax, ...repairs])] };
  });
}

/** Some names of many. */
function several(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  return distinct.slice(0, 5).join(", ") + (distinct.length > 5 ? ", …" : "");
}
