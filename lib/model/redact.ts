const REDACTED = "[redacted]";

/** What a credential looks like in an error message. */
const LOOK_ALIKES: readonly RegExp[] = [
  /\bsk-[\w*.-]{8,}/g,
  /(?<=\bBearer\s+)[^\s"',;]+/gi,
  // Endpoints echo a wrong key with its middle starred out.
  /[^\s"',;:]*\*{3,}[^\s"',;:]*/g,
  /(?<=[?&](?:api[-_]?key|key|token|access_token)=)[^&\s"')]+/gi,
  /(?<=\/\/)[^/\s@]+(?=@)/g,
];

/** `secrets`: strings to hide wherever they stand; `lookAlikes`: whether to hide whatever has a credential's shape too. */
interface RedactOptions {
  secrets?: readonly string[];
  lookAlikes?: boolean;
}

/**
 * The text with every credential replaced by `[redacted]`: the given secrets, also in their URL-encoded form, and by
 * default anything shaped like one (`sk-…`, a bearer token, a starred-out echo, a key in a URL).
 *
 * Turn `lookAlikes` off for a model's own words, which must stay as written apart from the secrets themselves.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(redact("401 wrong key my-key", { secrets: ["my-key"] }), "401 wrong key [redacted]");
 * assert.equal(redact("401 wrong key sk-proj-12345678."), "401 wrong key [redacted]");
 * ```
 */
export function redact(text: string, { secrets = [], lookAlikes = true }: RedactOptions = {}): string {
  const forms = secrets.filter((secret) => secret !== "").flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // The longest first: a secret that begins like another would leave the rest of the other one.
  const byLength = forms.toSorted((a, b) => b.length - a.length);
  const hidden = byLength.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
  return lookAlikes ? LOOK_ALIKES.reduce((rest, pattern) => rest.replace(pattern, REDACTED), hidden) : hidden;
}
