import assert from "node:assert/strict";
import { openaiRetryAfter } from "@/model/openai_failure.ts";

const now = () => Date.parse("2026-03-03T10:00:00Z");

for (
  const [headers, ms] of [
    [{}, undefined],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": " 2.5 " }, 2500],
    [{ "retry-after": "-3" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "Tue, 03 Mar 2026 10:01:00 GMT" }, 60_000],
    [{ "retry-after": "Tue, 03 Mar 2026 09:00:00 GMT" }, 0],
    // Both clocks an hour ahead of ours: the difference counts.
    [{ "retry-after": "Tue, 03 Mar 2026 11:00:30 GMT", date: "Tue, 03 Mar 2026 11:00:00 GMT" }, 30_000],
    [{ "retry-after-ms": "250" }, 250],
    [{ "retry-after-ms": "x", "retry-after": "1" }, 1000],
  ] as const
) {
  Deno.test(`fault 01: openaiRetryAfter(${JSON.stringify(headers)}) is ${ms}`, () => {
    assert.equal(openaiRetryAfter(new Headers(headers), now), ms);
  });
}
