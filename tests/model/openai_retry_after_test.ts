import assert from "node:assert/strict";
import { openaiRetryAfter, rateLimitReset } from "@/model/openai_failure.ts";

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
    [{ "retry-after": "2026-03-03T10:00:05Z" }, 5000],
    // On a failure of the server a limit that is not the cause says nothing.
    [{ "x-ratelimit-reset-requests": "1h" }, undefined],
  ] as const
) {
  Deno.test(`fault 01: openaiRetryAfter(${JSON.stringify(headers)}) is ${ms}`, () => {
    assert.equal(openaiRetryAfter(new Headers(headers), now), ms);
  });
}

const google = `[{"error": {"code": 429, "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo",
  "retryDelay": "34.5s"}], "status": "RESOURCE_EXHAUSTED"}}]`;

for (
  const [headers, words, ms] of [
    [{}, "slow down", undefined],
    [{ "retry-after": "2", "x-ratelimit-reset-requests": "1h" }, "try again in 20s", 2000],
    [{ "x-ratelimit-reset-requests": "1s" }, "", 1000],
    [{ "x-ratelimit-reset-tokens": "6m0s" }, "", 360_000],
    [{ "x-ratelimit-reset-tokens": "1h2m3.5s" }, "", 3_723_500],
    [{ "x-ratelimit-reset-requests": "20ms" }, "", 20],
    [{ "x-ratelimit-reset-requests": "8.64s", "x-ratelimit-reset-tokens": "17ms" }, "", 8640],
    [{ "x-ratelimit-reset-requests": "1d" }, "", 86_400_000],
    [{ "x-ratelimit-reset-requests": "12" }, "", 12_000],
    [{ "x-ratelimit-reset-requests": String(now() / 1000 + 7) }, "", 7000],
    [{ "x-ratelimit-reset": String(now() + 7000), "x-ratelimit-remaining": "0" }, "", 7000],
    [{ "x-ratelimit-reset": String(now() - 7000) }, "", 0],
    [{ "x-ratelimit-reset-tokens": "2026-03-03T10:00:09.5Z" }, "", 9500],
    [{ "x-ratelimit-reset-tokens": "soon" }, "", undefined],
    // Only a limit that is used up is the one to wait for.
    [
      {
        "x-ratelimit-reset-requests": "1h",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-tokens": "6s",
        "x-ratelimit-remaining-tokens": "0",
      },
      "",
      6000,
    ],
    [
      { "x-ratelimit-reset-requests": "1h", "x-ratelimit-remaining-requests": "59" },
      "Please try again in 1m30s. Visit",
      90_000,
    ],
    [{}, google, 34_500],
    [{}, "Rate limit reached. Please try again in 20s.", 20_000],
    [{}, "Please try again in 6.5 seconds", 6500],
    [{}, "Please retry in 850ms", 850],
    [{}, "try again in 2 minutes 5 seconds or never", 125_000],
    [{}, "retry after 3 apples", undefined],
    [{}, "You may retry after the end of time", undefined],
  ] as const
) {
  Deno.test(`fault 01: rateLimitReset(${JSON.stringify(headers)}, "${words.slice(0, 40)}") is ${ms}`, () => {
    const found = rateLimitReset(new Headers(headers), words, now);
    assert.equal(found === undefined ? undefined : Math.round(found), ms);
  });
}
