import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { provenance } from "@/record/provenance.ts";
import { withFiles } from "../lab/runs/with_files.ts";

const first = "1111111111111111111111111111111111111111";
const second = "2222222222222222222222222222222222222222";
const packed = `# pack-refs with: peeled fully-peeled sorted\n${first} refs/heads/main-2\n${second} refs/heads/main\n`;

for (
  const [state, files, commit] of [
    ["a branch", { "HEAD": "ref: refs/heads/main\n", "refs/heads/main": `${first}\n` }, first],
    ["a packed branch", { "HEAD": "ref: refs/heads/main\n", "packed-refs": packed }, second],
    [
      "a branch that moved on since it was packed",
      { "HEAD": "ref: refs/heads/main\n", "refs/heads/main": `${first}\n`, "packed-refs": packed },
      first,
    ],
    ["a detached head", { "HEAD": `${second}\n` }, second],
    ["a branch without a commit", { "HEAD": "ref: refs/heads/main\n" }, undefined],
    ["no checkout", {}, undefined],
  ] as const
) {
  Deno.test(`provenance() gives the commit of ${state} as ${commit?.slice(0, 7) ?? "absent"}`, async () => {
    await withFiles(files, (folder) => {
      assert.equal(provenance({ git: pathToFileURL(`${folder}/`) }).commit, commit);
      return Promise.resolve();
    });
  });
}

Deno.test("provenance() names the version in deno.json and the Deno that runs", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  const { library, deno } = provenance();
  assert.deepEqual({ library, deno }, { library: version, deno: Deno.version.deno });
});

Deno.test("runs, citation and change log name one version", async () => {
  const { library } = provenance();
  const text = (name: string) => Deno.readTextFile(new URL(`../../${name}`, import.meta.url));
  assert.ok((await text("CITATION.cff")).includes(`\nversion: ${library}\n`), library);
  assert.equal(/^## (.*)$/m.exec(await text("CHANGELOG.md"))![1], library);
});
