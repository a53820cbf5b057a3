import { type LenientIssue, refuse as giveUp } from "../core/lenient_json.ts";
import type { Issue } from "../core/result.ts";

/** Why a model's words could not be read as a reply or a plan. */
export interface ParseIssue extends Issue {
  readonly code:
    | LenientIssue["code"]
    // what the text holds
    | "wrong_type"
    | "extra_key"
    | "too_many_keys"
    // a reply
    | "unknown_action"
    | "missing_field"
    // a plan
    | "needs_repair"
    | "missing_quantity"
    | "not_a_number"
    | "negative"
    | "fractional"
    | "too_large"
    | "word_number"
    | "unknown_unit";
}

/** Gives up reading. */
export const refuse: (code: ParseIssue["code"], message: string) => never = giveUp;
