/**
 * How long an endpoint asks to be left alone, in milliseconds; absent when it does not say.
 *
 * Reads `retry-after-ms`, then `retry-after` as seconds or as an HTTP date. A date counts from the response's own
 * `Date` header where there is one, so that a wrong clock here does not shorten the wait. A date gone by is 0.
 */
export function openaiRetryAfter(headers: Headers, now: () => number = Date.now): number | undefined {
  const milliseconds = amount(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const header = headers.get("retry-after");
  const seconds = amount(header);
  if (seconds !== undefined) return seconds * 1000;
  // `Date.parse` would read "-3" as a year.
  const until = Date.parse(/GMT\s*$/.test(header ?? "") ? header ?? "" : "");
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.get("date") ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? now() : sent));
}

function amount(header: string | null): number | undefined {
  return header !== null && /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : undefined;
}
