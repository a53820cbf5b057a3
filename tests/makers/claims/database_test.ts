import assert from "node:assert/strict";
import { filesOf, openDatabase, valuesOf } from "./database.ts";

const sources = {
  t: { rows: [{ n: 1, on: true, at: [1, 2] }, { n: 2, on: false }, { n: 4, on: true }], files: ["t.csv"] },
  facts: { rows: [{ id: "rounds" }], files: ["facts.csv"] },
};
const views = { on_rows: 'select * from t where "on"' };
const db = openDatabase(sources, views);
const claim = (n: string | Record<string, string>) => ({ id: "c", section: "1", claim: "w", quantities: { n } });
const n = (query: string | Record<string, string>) => valuesOf(claim(query), db).n;

Deno.test("a quantity is a value, flag, list, row or rows; numbers have twelve digits, what is not given is null", () => {
  assert.equal(n("select sum(n) / 3.0 from on_rows"), 1.66666666667);
  assert.equal(n({ flag: 'select "on" from t where n = 2' }), false);
  assert.deepEqual(n({ list: "select n from on_rows" }), [1, 4]);
  assert.deepEqual(n({ row: "select n, json_array_length(at) as size from t where n = 1" }), { n: 1, size: 2 });
  assert.deepEqual(n({ rows: "select at from t where n > 1" }), [{ at: null }, { at: null }]);
  assert.equal(n("select sd(json_group_array(n)) from on_rows"), Number((3 / Math.SQRT2).toPrecision(12)));
  assert.equal(n("select kendall(json_group_array(n), json_group_array(-n)) from t"), -1);
  assert.throws(() => n("select n from t"), /claim c, quantity n: must be one row, found 3/);
  assert.throws(() => n("select m from t"), /claim c, quantity n: .*no such column: m/);
});

Deno.test("a claim rests on the files of the tables that it reads, also through views, and of the facts that it names", () => {
  assert.deepEqual(filesOf(claim("select count(*) from on_rows"), sources, views), ["t.csv"]);
  const named = { ...claim("select 1"), supported: { n: { below: "rounds" } } };
  assert.deepEqual(filesOf(named, sources, views), ["facts.csv"]);
  assert.deepEqual(filesOf({ ...claim("select 1"), evidence: "{n:of rounds}" }, sources, views), ["facts.csv"]);
});
