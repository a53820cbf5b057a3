import assert from "node:assert/strict";
import { userErrorOf } from "../../lab/runs/user_error_of.ts";
import { withFiles } from "../../lab/runs/with_files.ts";
import { loadClaims } from "./format.ts";

const file = (...claims: unknown[]) => ({ "p.json": JSON.stringify({ schema: "claims/2", paper: "P", claims }) });
const complaint = async (...claims: unknown[]) => {
  let message = "";
  await withFiles(file(...claims), async (folder) => {
    message = (await userErrorOf(loadClaims("p", { folder }))).message;
  });
  return message;
};

const CHECKED = {
  ...{ id: "a", section: "1", claim: "c", criterion: "k", quantity: "count", needs: ["t.csv"] },
  ...{ supported: { n: { above: 0 } }, evidence: "{n} found.", values: { n: 3 } },
};

Deno.test("loadClaims() reads the station paper's claims, each with a place in the paper", async () => {
  const { paper, claims } = await loadClaims("station");
  assert.match(paper, /^Zinner/);
  assert.ok(claims.length >= 25 && claims.every(({ section }) => /^(Abstract|Appendix|\d)/.test(section)));
});

Deno.test("a claim has a quantity with rule, sentence and files, or says what is missing", async () => {
  const without = (...keys: string[]) =>
    Object.fromEntries(Object.entries(CHECKED).filter(([key]) => !keys.includes(key)));
  assert.match(await complaint({ id: "a", section: "1", claim: "c" }), /needs a quantity, or must say what is missing/);
  assert.match(await complaint({ ...without("quantity"), missing: "m" }), /has files or rules, but no quantity/);
  assert.match(await complaint(without("criterion")), /has a quantity but no criterion or no evidence/);
  assert.match(await complaint(without("evidence")), /has a quantity but no criterion or no evidence/);
  assert.match(await complaint(without("supported")), /has a quantity but no rule/);
  assert.match(await complaint(without("needs")), /has a quantity but names no file that it needs/);
  assert.match(await complaint(without("values")), /has a quantity but no values: run deno task dev claims/);
  assert.match(await complaint({ ...CHECKED, supported: { n: { over: 1 } } }), /over/);
});

Deno.test("ids are their own and in one form; a file that is not there is named", async () => {
  assert.match(await complaint(CHECKED, CHECKED), /must have ids of their own/);
  assert.match(await complaint({ ...CHECKED, id: "A b" }), /must be lower case with hyphens/);
  await withFiles(file(CHECKED), async (folder) => {
    assert.equal((await loadClaims("p", { folder })).claims[0]!.id, "a");
    assert.match((await userErrorOf(loadClaims("q", { folder }))).message, /q\.json: there is no such file/);
  });
});
