import fc from "fast-check";
import assert from "node:assert/strict";
import { redact } from "@/model/redact.ts";

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
