import { fail, type Issue, ok, type Result } from "../core/result.ts";
import { readJsonReply } from "../deliberation/read_json_reply.ts";
import { MeaningReply } from "../schema/wording_judge.ts";

/** A score as it was written, with what had to be taken off the reply. */
export interface MeaningScore {
  /** 0 (nothing of the meaning is preserved) to 10 (all of it); never rounded or clipped. */
  readonly meaning: number;
  readonly repairs: readonly string[];
}

/** Why a judge's reply holds no score. */
export interface MeaningIssue extends Issue {
  readonly code: "not_json" | "wrong_fields" | "ambiguous";
}

/**
 * Reads a judge's reply, `{"meaning": 9.5}`, by the rules of `parseBallot`: a code fence is taken off and named as a
 * repair; anything else that is not exactly this object, with a number from 0 to 10, is an issue.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.deepEqual(parseMeaning('{"meaning": 9.5}'), { ok: true, value: { meaning: 9.5, repairs: [] } });
 * assert.equal(parseMeaning("9.5 out of 10").ok, false);
 * ```
 */
export function parseMeaning(text: string): Result<MeaningScore, MeaningIssue> {
  const reply = readJsonReply(text, MeaningReply);
  if (!reply.ok) return reply;
  const { value, repairs, surplusColons } = reply.value;
  if (surplusColons) return fail({ code: "ambiguous", message: "the score is given more than once" });
  return ok({ meaning: value.meaning, repairs });
}
