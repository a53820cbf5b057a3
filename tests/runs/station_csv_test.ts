import assert from "node:assert/strict";
import { stationCsv } from "@/runs/station_manifest.ts";

Deno.test("fault 50: text that a spreadsheet would run is neutralised; unknown and null are empty cells", () => {
  const rows = [{ a: "=HYPERLINK(1)", b: -1, c: null }, { a: "@x", b: undefined, d: 'say "so", twice' }];
  assert.equal(stationCsv(rows), `a,b,c,d\n'=HYPERLINK(1),-1,,\n'@x,,,"say ""so"", twice"\n`);
});
