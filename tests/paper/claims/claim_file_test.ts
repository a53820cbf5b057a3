import assert from "node:assert/strict";
import { userErrorOf } from "../../runs/user_error_of.ts";
import { withFiles } from "../../runs/with_files.ts";
import { loadClaims } from "@/paper/claims/claim_file.ts";

const file = (...claims: unknown[]) => ({ "p.json": JSON.stringify({ schema: "claims/1", paper: "P", claims }) });
const complaint = async (...claims: unknown[]) => {
  let message = "";
  await withFiles(file(...claims), async (folder) => {
    message = (await userErrorOf(loadClaims("p", { folder }))).message;
  });
  return message;
};

const CHECKED = { id: "a", section: "1", claim: "c", criterion: "k", check: "f", needs: ["t.csv"] };

Deno.test("loadClaims() reads the station paper's claims, each with a place in the paper", async () => {
  const { paper, claims } = await loadClaims("station");
  assert.match(paper, /^Zinner/);
  assert.ok(claims.length >= 25 && claims.every(({ section }) => /^(Abstract|Appendix|\d)/.test(section)));
});

Deno.test("a claim has a check with criterion and files, or says what is missing", async () => {
  const { check: _, ...unchecked } = CHECKED;
  const { criterion: __, ...bare } = CHECKED;
  const { needs: ___, ...fileless } = CHECKED;
  assert.match(await complaint({ id: "a", section: "1", claim: "c" }), /needs a check, or must say what is missing/);
  assert.match(await complaint({ ...unchecked, missing: "m" }), /names files, but no check that reads them/);
  assert.match(await complaint(bare), /has a check but no criterion/);
  assert.match(await complaint(fileless), /has a check but names no file that it needs/);
});

Deno.test("ids are their own and in one form; a file that is not there is named", async () => {
  assert.match(await complaint(CHECKED, CHECKED), /must have ids of their own/);
  assert.match(await complaint({ ...CHECKED, id: "A b" }), /must be lower case with hyphens/);
  await withFiles(file(CHECKED), async (folder) => {
    assert.equal((await loadClaims("p", { folder })).claims[0]!.check, "f");
    assert.match((await userErrorOf(loadClaims("q", { folder }))).message, /q\.json: there is no such file/);
  });
});
