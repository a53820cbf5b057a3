import assert from "node:assert/strict";
import { userErrorOf } from "../../lab/runs/user_error_of.ts";
import { withFiles } from "../../lab/runs/with_files.ts";
import { loadClaims } from "./format.ts";

const CHECKED = {
  ...{ id: "a", section: "1", claim: "c", criterion: "k", quantities: { n: "select 3" }, needs: ["t.csv"] },
  ...{ supported: { n: { above: 0 } }, evidence: "{n} found.", values: { n: 3 } },
};
const complaint = async (...claims: object[]) => {
  const text = JSON.stringify({ schema: "claims/3", paper: "P", views: {}, claims }), errors: string[] = [];
  await withFiles({ "p.json": text }, async (folder) => {
    errors.push((await userErrorOf(loadClaims("p", { folder }))).message);
  });
  return errors.join();
};

Deno.test("a claim has quantities with rule, sentence and files, or says what is missing", async () => {
  const without = (key: string) => ({ ...CHECKED, [key]: undefined });
  assert.match(await complaint({ id: "a", section: "1", claim: "c" }), /needs quantities, or must say what is missing/);
  assert.match(await complaint({ ...without("quantities"), missing: "m" }), /has files or rules, but no quantities/);
  assert.match(await complaint(without("criterion")), /has quantities but no criterion or no evidence/);
  assert.match(await complaint(without("supported")), /has quantities but no rule/);
  assert.match(await complaint(without("needs")), /has no values or files: run deno task dev claims/);
  assert.match(await complaint({ ...CHECKED, quantities: { n: "3" } }), /quantities\.n: must be an SQL query/);
  assert.match(await complaint(CHECKED, CHECKED), /must have ids of their own/);
});
