import { sum } from "d3-array";
import { badArguments } from "../command.ts";
import { type Completion, failure } from "./answers.ts";

/** The ways in which the endpoint can be told to fail. */
export const SERVED_FAULTS = [
  ...["rate_limit", "server", "network", "timeout", "protocol", "empty", "truncated", "content_filter"],
  ...["auth", "quota", "bad_request", "no_usage"],
] as const;

/** @throws {UserError} on an unknown kind, or shares that are not in [0, 1] or sum to more than 1. */
export function checkFaults(faults: Readonly<Record<string, number>>): void {
  for (const [kind, share] of Object.entries(faults)) {
    if (!(SERVED_FAULTS as readonly string[]).includes(kind)) {
      throw badArguments(`--fault knows no kind "${kind}"; there are ${SERVED_FAULTS.join(", ")}`);
    }
    if (!(share >= 0 && share <= 1)) throw badArguments(`--fault ${kind}: the rate must be a share from 0 to 1`);
  }
  const all = sum(Object.values(faults));
  if (all > 1 + 1e-9) throw badArguments(`the rates of --fault sum to ${all}, more than 1`);
}

/** The kind that a roll in [0, 1) falls on; undefined where the request is answered. */
export function faultOf(faults: Readonly<Record<string, number>>, roll: number): string | undefined {
  let below = 0;
  return Object.entries(faults).find(([, share]) => roll < (below += share))?.[0];
}

/** The faults in which no completion comes back. */
export function refusal(fault: string, ended: AbortSignal): Response | Promise<Response> | undefined {
  const words = `${fault} on purpose (--fault)`;
  switch (fault) {
    case "rate_limit":
      return failure(429, words, { "retry-after-ms": "200" });
    case "server":
      return failure(503, words);
    case "quota":
      return failure(402, words);
    case "bad_request":
      return failure(400, words);
    case "protocol":
      return new Response(`<!DOCTYPE html><html><body><h1>${words}</h1></body></html>`, {
        headers: { "content-type": "text/html" },
      });
    case "timeout":
      return new Promise((resolve) => ended.addEventListener("abort", () => resolve(failure(503, words))));
  }
}

/** The faults that a completion can have. */
export function spoilt(reply: Completion, fault: string): Completion {
  const [choice] = reply.choices;
  if (fault === "truncated") return { ...reply, choices: [{ ...choice, finish_reason: "length" }] };
  if (fault === "content_filter") {
    return {
      ...reply,
      choices: [{ ...choice, finish_reason: "content_filter", message: { ...choice.message, content: null } }],
    };
  }
  if (fault !== "no_usage") return reply;
  const { usage: _, ...rest } = reply;
  return rest;
}

/** Half of a body where the whole was promised: the connection then breaks off. */
export function brokenOff(text: string): Response {
  const whole = new TextEncoder().encode(text);
  const headers = { "content-type": "application/json", "content-length": String(whole.length) };
  return new Response(ReadableStream.from([whole.subarray(0, whole.length / 2)]), { headers });
}
