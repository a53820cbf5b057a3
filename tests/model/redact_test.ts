import fc from "fast-check";
import assert from "node:assert/strict";
import { configuredSecrets, redact, unmistakable } from "@/model/redact.ts";
import { LINEAR_MS, quickestPass } from "../linear_time.ts";

for (
  const [text, expected] of [
    ["Incorrect API key provided: sk-proj-abc_DEF-1234.", "Incorrect API key provided: [redacted]"],
    ["key sk-or-v1-0123456789abcdef, again", "key [redacted], again"],
    ["provided: my-ca***********t-7f", "provided: [redacted]"],
    ["authorization: Bearer eyJhbGciOi.x.y", "authorization: Bearer [redacted]"],
    ["at (https://a.test/v1?x=1&api_key=abc&y=2)", "at (https://a.test/v1?x=1&api_key=[redacted]&y=2)"],
    ["at https://me:pass@a.test/v1", "at https://[redacted]@a.test/v1"],
    ["a risk-taking, sk-free text * with ** stars", "a risk-taking, sk-free text * with ** stars"],
  ] as const
) {
  Deno.test(`fault 46: redact() on "${text}"`, () => assert.equal(redact(text), expected));
}

Deno.test("fault 46: no secret survives wherever it stands, alone or URL-encoded", () => {
  const secret = fc.string({ minLength: 3 }).filter((text) => text.trim() !== "" && !"[redacted]".includes(text));
  fc.assert(
    fc.property(fc.array(fc.string()), secret, (parts, key) => {
      const redacted = redact(parts.join(key), { secrets: [key], lookAlikes: false });
      // What is left of the text may meet the marker and spell the secret anew only across the marker itself.
      assert.equal(redacted.split("[redacted]").some((rest) => rest.includes(key)), false);
    }),
    { seed: 46 },
  );
  assert.equal(redact("?k=a%2Fb%2Bc", { secrets: ["a/b+c"] }), "?k=[redacted]");
});

Deno.test("redact() hides a secret that contains another whole", () => {
  assert.equal(redact("abc abcdef", { secrets: ["abc", "abcdef"] }), "[redacted] [redacted]");
});

Deno.test("redact() leaves a text without secrets as it is; an empty secret hides nothing", () => {
  assert.equal(redact("sk-learn-0.24.1 Bearer of news", { lookAlikes: false }), "sk-learn-0.24.1 Bearer of news");
  assert.equal(redact("plain", { secrets: [""] }), "plain");
});

Deno.test("fault 46: a key of a few letters is no secret, and only one of 16 characters is looked for in words", () => {
  const headers = "X-Auth: short\nX-Token: six666\nX-Long: sixteen-letters!";
  const secrets = configuredSecrets({ apiKey: "e", headers });
  assert.deepEqual(secrets, ["six666", "sixteen-letters!"]);
  assert.deepEqual(unmistakable([...secrets, "fifteen-letters"]), ["sixteen-letters!"]);
  assert.deepEqual(configuredSecrets({ apiKey: "none", baseUrl: "http://127.0.0.1/v1?key=test" }), []);
});

Deno.test("fault 46: what is configured and secret is hidden, ordinary words and numbers are not", () => {
  const headers = [
    "X-Gateway-Key: canary-header",
    "Authorization: Basic Y2FuYXJ5OmJhc2lj",
    "X-Title: Chaos Lab for Deno",
    "X-Api-Version: 2024-10-21",
    "X-Priority: 1",
    "no colon",
  ].join("\n");
  const baseUrl = "https://gateway.test/v1?sig=canary%2Furl&api-version=2024-10-21&n=12";
  assert.deepEqual(configuredSecrets({ apiKey: "canary-key", headers, baseUrl }), [
    "canary-key",
    "canary-header",
    "Basic Y2FuYXJ5OmJhc2lj",
    "Y2FuYXJ5OmJhc2lj",
    "canary/url",
  ]);
  assert.deepEqual(configuredSecrets({}), []);
  assert.equal(
    redact("at https://gateway.test/v1?sig=canary%2Furl", { secrets: ["canary/url"] }).includes("canary"),
    false,
  );
  assert.equal(redact(JSON.stringify({ k: 'a"b\\c' }), { secrets: ['a"b\\c'] }), '{"k":"[redacted]"}');
});

for (
  const [name, part] of [
    ["one word", "x"],
    ["stars", "*"],
    ["stars and letters", "**x"],
    ["bearers", "Bearer "],
    ["a bearer and blanks", " "],
    ["keys", "sk-"],
    ["slashes", "//"],
    ["at signs", "//x@"],
    ["a page", "<p>The gateway is busy, try https://a.test/?key=1 again.</p>\n"],
  ] as const
) {
  Deno.test(`fault 19: redact() takes time in proportion to a text of ${name}`, () => {
    const text = `Bearer ${part.repeat(Math.ceil(1_000_000 / part.length))}`;
    const took = quickestPass(() => redact(text, { secrets: ["canary-key"] }), LINEAR_MS);
    assert.ok(took < LINEAR_MS, `1 MB took ${took} ms`);
  });
}
