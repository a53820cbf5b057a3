import { createTwoFilesPatch } from "diff";
import type { ChatRequest } from "../schema/model_call.ts";

/**
 * A request that the recording cannot answer: `drift` when it differs from every unused recorded request, `exhausted`
 * when every recorded call has been used. Not a `ModelError`: the run must halt, not record a failed call.
 */
export class ReplayMismatch extends Error {
  override readonly name = "ReplayMismatch";
  readonly code: "drift" | "exhausted";

  constructor(code: "drift" | "exhausted", message: string) {
    super(message);
    this.code = code;
  }
}

/** Which parts of two requests differ, one a line, with both values where they are short. */
export function requestDifferences(recorded: ChatRequest, asked: ChatRequest): string[] {
  const settings = (["model", "temperature", "seed", "maxTokens"] as const).flatMap((name) =>
    recorded[name] === asked[name] ? [] : [`${name}: recorded ${recorded[name]}, asked ${asked[name]}`]
  );
  const count = Math.max(recorded.messages.length, asked.messages.length);
  const messages = Array.from({ length: count }, (_, i) => i).flatMap((i) => {
    const [was, is] = [recorded.messages[i], asked.messages[i]];
    if (was === undefined) return [`messages[${i}]: not in the recording`];
    if (is === undefined) return [`messages[${i}]: only in the recording`];
    const role = was.role === is.role ? [] : [`messages[${i}].role: recorded ${was.role}, asked ${is.role}`];
    return was.content === is.content ? role : [...role, `messages[${i}].content`];
  });
  return [...settings, ...messages];
}

/** A line diff of two requests with two lines of context, at most 80 lines; control characters are made visible. */
export function requestDiff(recorded: ChatRequest, asked: ChatRequest): string {
  const patch = createTwoFilesPatch("recorded", "asked", rendered(recorded), rendered(asked), "", "", {
    context: 2,
    maxEditLength: 1000,
  });
  if (patch === undefined) return "(too different for a line diff)";
  const lines = patch.trimEnd().split("\n").slice(1);
  return lines.length <= 80
    ? lines.join("\n")
    : [...lines.slice(0, 80), `… ${lines.length - 80} more lines`].join("\n");
}

function rendered({ model, temperature, seed, maxTokens, messages }: ChatRequest): string {
  const texts = messages.map(({ role, content }, i) => `--- messages[${i}] ${role}\n${visible(content)}\n`);
  return `model: ${model}\ntemperature: ${temperature}\nseed: ${seed}\nmaxTokens: ${maxTokens}\n${texts.join("")}`;
}

/** A carriage return or an escape sequence would be invisible, or act, in a terminal. */
function visible(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
