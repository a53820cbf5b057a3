import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { storeTls } from "@/lab/sweep/store_tls.ts";
import { storeUrl } from "@/lab/sweep/store_url.ts";

const read = (words: string, at = "db.example") => storeTls(storeUrl(`postgres://me@${at}/lab${words}`));

Deno.test("storeTls() tries TLS first at another machine, and nothing else once a word asks for it", async () => {
  for (
    const [at, words, sslmode, ways] of [
      ["db.example", "", "verify-full", ["checked", "plain"]],
      ["127.example:5433", "", "verify-full", ["checked", "plain"]],
      ["db.example", "?sslmode=verify-full", "verify-full", ["checked"]],
      ["db.example", "?ssl=true", "verify-full", ["checked"]],
      ["db.example", "?sslmode=disable", "disable", ["plain"]],
      ["db.example", "?sslmode=prefer", "prefer", ["unchecked", "plain"]],
      ["db.example", "?sslmode=allow", "allow", ["plain", "unchecked"]],
      ...["localhost", "127.0.0.1:5433", "[::1]", "127.8.0.1"].map((one) => [one, "", "disable", ["plain"]] as const),
    ] as const
  ) {
    const tls = await read(words, at);
    const kinds = tls.ways.map((way) => way === false ? "plain" : way.rejectUnauthorized ? "checked" : "unchecked");
    assert.deepEqual([tls.sslmode, kinds], [sslmode, ways], at + words);
  }
});

Deno.test("storeTls() leaves the address without its words, and the others as they are", async () => {
  assert.equal(
    (await read("?application_name=me&sslmode=require")).url,
    "postgres://me@db.example/lab?application_name=me",
  );
  assert.equal((await read("?sslmode=require")).url, "postgres://me@db.example/lab");
});

for (
  const [words, rule] of [
    ["?sslmode=full", /sslmode must be disable, allow, prefer, require, verify-ca, verify-full, got "full"/],
    ["?sslcrl=x.crl", /sslcrl is not supported: sslmode, sslrootcert, sslcert, sslkey are/],
    ["?sslmode=require&sslrootcert=system", /sslrootcert=system needs sslmode=verify-full, got "require"/],
    ["?sslrootcert=deno.json", /sslrootcert: deno\.json holds no certificate or key in PEM form/],
    ["?sslrootcert=none.crt", /none\.crt/],
  ] as const
) {
  Deno.test(`storeTls() refuses ${words}`, async () => {
    await assert.rejects(() => read(words), (error) => error instanceof UserError && rule.test(error.message));
  });
}
