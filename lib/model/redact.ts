const REDACTED = "[redacted]";

/** What a credential looks like in an error message. Each takes time in proportion to the text. */
const LOOK_ALIKES: readonly [RegExp, string][] = [
  [/\bsk-[\w*.-]{8,}/g, REDACTED],
  [/\b(Bearer)\s+[^\s"',;]+/gi, `$1 ${REDACTED}`],
  [/(?<=[?&](?:api[-_]?key|key|token|access_token)=)[^&\s"')]+/gi, REDACTED],
  [/(?<=\/\/)[^/\s@]+(?=@)/g, REDACTED],
];

/** Endpoints echo a wrong key with its middle starred out: words with three stars. */
const WORD = /[^\s"',;:]+/g;

/** `secrets`: strings to hide wherever they stand; `lookAlikes`: whether to hide whatever has a credential's shape too. */
interface RedactOptions {
  secrets?: readonly string[];
  lookAlikes?: boolean;
}

/**
 * The text with every credential replaced by `[redacted]`: the given secrets, also as a URL or JSON writes them, and by
 * default anything shaped like one (`sk-…`, a bearer token, a starred-out echo, a key in a URL).
 *
 * Turn `lookAlikes` off for a model's own words, which must stay as written apart from the `unmistakable` secrets.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * assert.equal(redact("401 wrong key my-key", { secrets: ["my-key"] }), "401 wrong key [redacted]");
 * assert.equal(redact("401 wrong key sk-proj-12345678."), "401 wrong key [redacted]");
 * ```
 */
export function redact(text: string, { secrets = [], lookAlikes = true }: RedactOptions = {}): string {
  const forms = secrets.filter((secret) => secret !== "").flatMap(writtenForms);
  // The longest first: a secret that begins like another would leave the rest of the other one.
  const byLength = forms.toSorted((a, b) => b.length - a.length);
  const hidden = byLength.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
  if (!lookAlikes) return hidden;
  const unstarred = hidden.includes("***")
    ? hidden.replace(WORD, (word) => (word.includes("***") ? REDACTED : word))
    : hidden;
  return LOOK_ALIKES.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), unstarred);
}

const writtenForms = (secret: string) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];

/** Names of headers and URL parameters that hold no secret. A word such as a title may well stand in a reply. */
const PUBLIC = /version|title|referer|referrer|user-agent|beta|region|model/i;

/** Shorter ones are words or numbers, such as `e` or `none`, and stand in any message by chance. */
const SHORTEST_SECRET = 6;

/** Shorter ones, such as the dummy keys of local servers, may be words that a model says. */
const UNMISTAKABLE = 16;

/** The secrets that are looked for in a model's words: no word is as long by chance. */
export const unmistakable = (secrets: readonly string[]): string[] =>
  secrets.filter(({ length }) => length >= UNMISTAKABLE);

/**
 * What of an endpoint's configuration is secret: the key, the values of further headers (as in `OPENAI_CUSTOM_HEADERS`, one
 * `Name: value` a line), whole and word by word, and the base URL's parameters. What has fewer than 6 characters is none.
 */
export function configuredSecrets(
  { apiKey, headers = "", baseUrl }: {
    apiKey?: string | undefined;
    headers?: string | undefined;
    baseUrl?: string | undefined;
  },
): string[] {
  const lines = headers.split("\n").map((line) => line.split(/:(.*)/s, 2).map((part) => part.trim()));
  const parameters = [...(URL.parse(baseUrl ?? "")?.searchParams ?? [])];
  const values = [...lines, ...parameters].flatMap(([name = "", value = ""]) =>
    PUBLIC.test(name) ? [] : [value, ...value.split(/\s+/)]
  );
  return [...new Set([apiKey ?? "", ...values])].filter(({ length }) => length >= SHORTEST_SECRET);
}
