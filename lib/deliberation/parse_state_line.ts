import { fail, type Issue, ok, type Result } from "../core/result.ts";
import type { StateVector } from "../schema/deliberation_event.ts";

/** Why a reply holds no creditable STATE line. */
export interface ParseIssue extends Issue {
  readonly code:
    | "missing"
    | "ambiguous"
    | "malformed"
    | "option_count"
    | "preference_format"
    | "preference_range"
    | "preference_sum"
    | "confidence_range"
    | "tag_count"
    | "tag_format";
}

// Each class excludes the delimiter that ends it, so matching takes time linear in the line.
const STATE_LINE = /^STATE: pref=\[([0-9., ]+)\]; conf=([0-9]+); tags=\[([^\]]*)\]$/;
const DECIMAL = /^[0-9]+(?:\.[0-9]+)?$/;
const TAG = /^"([a-z][a-z0-9]*(?:_[a-z0-9]+)*)"$/;
/** Far more characters than eight options need, and few enough that no regular expression runs out of stack. */
const LONGEST_LINE = 10_000;
const SUM_TOLERANCE = 0.01;
/** Decimals such as 0.1 + 0.2 + 0.7 miss 1 by rounding of binary fractions; that is not a sum written wrong. */
const BINARY_ROUNDING = 1e-9;

/**
 * Reads the one STATE line of a reply, `STATE: pref=[0.5,0.3,0.2]; conf=70; tags=["cost_control","access"]`.
 *
 * Only a line that begins with `STATE:` counts, so a line quoted inside another member's words is not taken for the
 * speaker's own; two such lines are `ambiguous`, whatever they say. Preferences that sum to 1 within 0.01 but not
 * exactly are rescaled and the written sum is kept in `writtenSum`. Time is linear in the text.
 *
 * Source: Shimao et al., S2.3, with the stricter realisation of its implementation note (decimals, two snake_case tags).
 *
 * @param text the model's reply, any length.
 * @param optionCount K, the number of options in the packet, at least 2.
 * @returns the preferences [K], confidence 0-100 and two tags, or an issue with a stable code.
 * @throws {RangeError} when `optionCount` is not an integer of at least 2.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * const state = parseStateLine('Costs decide.\nSTATE: pref=[0.6,0.4]; conf=80; tags=["cost","reach"]', 2);
 * assert.deepEqual(state, { ok: true, value: { preferences: [0.6, 0.4], confidence: 80, tags: ["cost", "reach"] } });
 * ```
 */
export function parseStateLine(text: string, optionCount: number): Result<StateVector, ParseIssue> {
  if (!Number.isInteger(optionCount) || optionCount < 2) {
    throw new RangeError(`optionCount must be an integer of at least 2, got ${optionCount}`);
  }
  const lines = stateLines(text);
  if (lines.length === 0) return issue("missing", "no line begins with STATE:");
  if (lines.length > 1) return issue("ambiguous", `${lines.length} lines begin with STATE:, one is wanted`);
  const match = lines[0]!.length > LONGEST_LINE ? null : STATE_LINE.exec(lines[0]!);
  if (match === null) return issue("malformed", `not of the STATE format: ${excerpt(lines[0]!)}`);
  return readFields(match[1]!, match[2]!, match[3]!, optionCount);
}

/** Whether a line of a reply is a STATE line, valid or not: such lines are no part of the argument. */
export const isStateLine = (line: string): boolean => line.trimStart().startsWith("STATE:");

function stateLines(text: string): string[] {
  if (!text.includes("STATE:")) return [];
  return text.split(/\r\n|\n|\r/).filter(isStateLine).map((line) => line.trim());
}

function readFields(pref: string, conf: string, tagList: string, optionCount: number): Result<StateVector, ParseIssue> {
  const written = pref.split(",").map((entry) => entry.trim());
  if (written.length !== optionCount) {
    return issue("option_count", `pref has ${written.length} entries, the packet has ${optionCount} options`);
  }
  const bad = written.find((entry) => !DECIMAL.test(entry));
  if (bad !== undefined) {
    return issue("preference_format", `pref entry "${excerpt(bad)}" is not a decimal such as 0.25`);
  }
  const values = written.map(Number);
  const outside = values.findIndex((value) => value > 1);
  if (outside >= 0) return issue("preference_range", `pref entry ${excerpt(written[outside]!)} lies outside [0, 1]`);
  const sum = values.reduce((total, value) => total + value, 0);
  if (Math.abs(sum - 1) > SUM_TOLERANCE + BINARY_ROUNDING) {
    return issue("preference_sum", `pref sums to ${Number(sum.toFixed(6))}, more than 0.01 from 1`);
  }
  const confidence = Number(conf);
  if (confidence > 100) return issue("confidence_range", `conf ${excerpt(conf)} lies outside 0-100`);
  const tags = tagList.split(",").map((tag) => tag.trim());
  if (tags.length !== 2) {
    return issue("tag_count", `tags has ${tagList.trim() === "" ? 0 : tags.length} entries, two are wanted`);
  }
  const names = tags.map((tag) => TAG.exec(tag)?.[1]);
  const wrong = names.indexOf(undefined);
  if (wrong >= 0) return issue("tag_format", `tag ${excerpt(tags[wrong]!)} is not a quoted snake_case word`);
  const state = { confidence, tags: names as string[] };
  if (Math.abs(sum - 1) <= BINARY_ROUNDING) return ok({ preferences: values, ...state });
  return ok({ preferences: values.map((value) => value / sum), ...state, writtenSum: sum });
}

const issue = (code: ParseIssue["code"], message: string) => fail<ParseIssue>({ code, message });

/** Enough of a model's words to recognise them by; the whole reply is in the event. */
const excerpt = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
