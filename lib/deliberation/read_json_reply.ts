import { z } from "zod";
import { fail, type Issue, ok, type Result } from "../core/result.ts";

/** A reply that is one JSON object of a schema, with what had to be taken off it. */
export interface JsonReply<T> {
  readonly value: T;
  readonly repairs: readonly string[];
  /**
   * Whether the text has more colons than the object has fields: JSON.parse keeps the last of two equal keys. It says so
   * only where neither keys nor values may hold a colon.
   */
  readonly surplusColons: boolean;
}

/** Why a reply is not such an object. */
export interface JsonReplyIssue extends Issue {
  readonly code: "not_json" | "wrong_fields";
}

const FENCED = /^```(?:json)?[ \t]*\r?\n([^`]*)\n```$/;

/**
 * Reads a model's reply that must be one JSON object and nothing else. A code fence around it is taken off and named as
 * a repair.
 */
export function readJsonReply<T extends object>(
  text: string,
  schema: z.ZodType<T>,
): Result<JsonReply<T>, JsonReplyIssue> {
  const trimmed = text.trim();
  const inner = FENCED.exec(trimmed)?.[1];
  const written = inner ?? trimmed;
  let json: unknown;
  try {
    json = JSON.parse(written);
  } catch {
    return issue("not_json", "the reply is not a JSON object");
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) return issue("wrong_fields", z.prettifyError(parsed.error).slice(0, 300));
  return ok({
    value: parsed.data,
    repairs: inner === undefined ? [] : ["code_fence"],
    surplusColons: written.split(":").length - 1 > Object.keys(parsed.data).length,
  });
}

const issue = (code: JsonReplyIssue["code"], message: string) => fail<JsonReplyIssue>({ code, message });
