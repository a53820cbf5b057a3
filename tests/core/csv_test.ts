// @ts-types="@types/d3-dsv"
import { csvParse } from "d3-dsv";
import fc from "fast-check";
import assert from "node:assert/strict";
import { toCsv } from "@/core/csv.ts";

for (const text of ["=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(A1)", "\tx", "\rx", "-1+2", "+"]) {
  Deno.test(`toCsv() disarms ${JSON.stringify(text)}, also as a heading`, () => {
    const parsed = csvParse(toCsv([{ [text]: text }]));
    assert.deepEqual({ ...parsed[0] }, { [`'${text}`]: `'${text}` });
  });
}

Deno.test("toCsv() keeps negative numbers, also as text", () => {
  assert.equal(toCsv([{ a: -0.2, b: "-0.2", c: "+1e-3", d: -1e-7 }]), "a,b,c,d\n-0.2,-0.2,+1e-3,-1e-7\n");
});

Deno.test("toCsv() leaves unknown cells empty, never zero, and lists every key once", () => {
  assert.equal(toCsv([{ a: 0, b: undefined }, { c: false }]), "a,b,c\n0,,\n,,false\n");
});

Deno.test("toCsv() is read back by a CSV parser, quotes and line breaks included", () => {
  const text = fc.string({ unit: "grapheme" }).filter((value) => !/^[=+\-@\t\r]/.test(value) && !value.includes("\r"));
  fc.assert(fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (pairs) => {
    const rows = pairs.map(([a, b]) => ({ first: a, second: b }));
    assert.deepEqual(csvParse(toCsv(rows)).map((row) => ({ ...row })), rows);
  }));
});

Deno.test("fault 50: text that a spreadsheet would run is neutralised; unknown and null are empty cells", () => {
  const rows = [{ a: "=HYPERLINK(1)", b: -1, c: null }, { a: "@x", b: undefined, d: 'say "so", twice' }];
  assert.equal(toCsv(rows), `a,b,c,d\n'=HYPERLINK(1),-1,,\n'@x,,,"say ""so"", twice"\n`);
});
