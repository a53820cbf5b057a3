import assert from "node:assert/strict";
import { UserError } from "@/core/user_error.ts";
import { isPassing, isUnreachable, poolSize, storeUrl, withoutPassword } from "@/lab/sweep/store_url.ts";

Deno.test("storeUrl() shows where a store is, and not who may enter", () => {
  for (const scheme of ["postgres", "postgresql"]) {
    assert.equal(storeUrl(`${scheme}://me:s3cret@db.example:5433/lab?sslmode=require`).shown, "db.example:5433/lab");
  }
});

for (
  const [url, shown, socket] of [
    ["postgres:///lab?host=/var/run/postgresql", "/var/run/postgresql/lab", "/var/run/postgresql"],
    ["postgres://me@/lab?host=/tmp/pg&port=5433", "/tmp/pg/lab", "/tmp/pg"],
    ["postgres://me:s3cret@%2Ftmp%2Fpg:5433/lab", "/tmp/pg:5433/lab", "/tmp/pg"],
    ["postgres:///lab?host=db.example", "db.example/lab", undefined],
    ["postgres://db.example/lab?application_name=me@here", "db.example/lab", undefined],
    ["postgres://me@db.example/lab@2", "db.example/lab@2", undefined],
  ] as const
) {
  Deno.test(`storeUrl() reads ${url.replace("s3cret", "…")}`, () => {
    const read = storeUrl(url);
    assert.deepEqual([read.shown, read.socket], [shown, socket]);
  });
}

// "/", "?" and "#" end a URL's host: what stands before them in a password is then a port, and the user a host.
const CUT = ["1/s3cret", "1?s3cret", "1#s3cret", "s3cret/x", "/s3cret", "1/s3cret@x"];
const cut = CUT.flatMap((password) => [`postgres://me:${password}@db/lab`, `postgres://me:${password}@/lab?host=/tmp`]);

for (
  const url of [
    ...["mysql://me:s3cret@db/lab", "me:s3cret@db/lab", "postgres:///lab", "postgres//me:s3cret@db", ""],
    ...cut,
  ]
) {
  Deno.test(`storeUrl() refuses ${url.replace("s3cret", "…") || "nothing"} and does not repeat what stands in it`, () => {
    assert.throws(() => storeUrl(url), (error) => {
      assert.ok(error instanceof UserError && error.exitCode === 2);
      assert.match(error.message, /must be postgres:\/\/USER@HOST/);
      assert.doesNotMatch(error.message, /s3cret/);
      return true;
    });
  });
}

Deno.test("withoutPassword() knows a password that stands among the parameters", () => {
  const address = storeUrl("postgres://me@db.example/lab?password=s3%2Fcret");
  assert.equal(withoutPassword("no entry with s3/cret, s3%2Fcret", address), "no entry with ***, ***");
});

Deno.test("withoutPassword() takes the password out of a message, as it stands in the URL and as it is sent", () => {
  const address = storeUrl("postgres://me:a%2Fb@db.example/lab");
  const shown = withoutPassword("no entry to postgres://me:a%2Fb@db.example/lab with a/b", address);
  assert.equal(shown, "no entry to postgres://me:***@db.example/lab with ***");
  assert.equal(withoutPassword("no entry", storeUrl("postgres://me@db.example/lab")), "no entry");
});

Deno.test("poolSize() leaves room for twelve workers where each can have two connections at least", () => {
  for (const [connections, reserved, size] of [[100, 3, 8], [1000, 3, 8], [63, 3, 5], [18, 3, 2], [5, 3, 2]]) {
    assert.equal(poolSize({ connections: connections!, reserved: reserved! }), size, `${connections} - ${reserved}`);
    if (size! > 2) assert.ok(12 * size! <= connections! - reserved!);
  }
});

const failure = (code: string, message = "") => Object.assign(new Error(message), { code });

Deno.test("isPassing() tells what a server that comes back mends from what it refuses", () => {
  // Appendix A of PostgreSQL's manual: these say that the server is away, full, or cut the statement off.
  const passing = [
    "08006",
    "53100",
    "53300",
    "57014",
    "57P01",
    "57P03",
    "58030",
    "40001",
    "40P01",
    "25006",
    "ECONNREFUSED",
  ];
  for (const code of passing) assert.ok(isPassing(failure(code)), code);
  for (const code of ["23505", "28P01", "3D000", "42601", "42501", "22P02"]) assert.ok(!isPassing(failure(code)), code);
  assert.ok(isPassing(new Error("Connection terminated unexpectedly")));
  assert.ok(!isPassing(new TypeError("undefined is not a function")));
  // A server that is down leaves no socket; a file of ours that is missing stays missing.
  assert.ok(isPassing(failure("ENOENT", "connect ENOENT /tmp/.s.PGSQL.5432")));
  assert.ok(isUnreachable(failure("ENOENT", "connect ENOENT /tmp/.s.PGSQL.5432")));
  assert.ok(!isPassing(failure("ENOENT", "open 'x.sql'")));
});

Deno.test("an address with two ways to it is away where both are", () => {
  const both = new AggregateError([failure("ECONNREFUSED"), failure("ECONNREFUSED")]);
  assert.ok(isPassing(both) && isUnreachable(both));
  assert.ok(!isUnreachable(failure("57P03")));
  assert.ok(!isUnreachable(new AggregateError([failure("ECONNREFUSED"), failure("57P03")])));
});
