import assert from "node:assert/strict";
import { withFiles } from "../runs/with_files.ts";
import { assertFailed, outcome } from "./command.ts";

Deno.test("measure and export say of a file that is neither ledger nor import how to read it", async () => {
  const run = JSON.stringify({ run: 0, trajectory: [[0.5, 0.5], [0.4, 0.6]] });
  const older = JSON.stringify({ schema: "run-mapping/1", trajectory: "log.m" });
  const name = "HL-01__T0.0__N5__rolesFalse.jsonl";
  await withFiles({ [name]: `${run}\n`, "older.json": older, "cut.jsonl": '{"schema":"delib' }, async (folder) => {
    const [measured, exported, mapping, flag, cut] = await Promise.all([
      outcome("measure", [`${folder}/${name}`]),
      outcome("export", [`${folder}/${name}`, "--out", `${folder}/new`]),
      outcome("measure", ["--source", `${folder}/older.json`, `${folder}/${name}`]),
      outcome("measure", [`${folder}/${name}`, "--mapping", `${folder}/older.json`]),
      outcome("measure", [`${folder}/cut.jsonl`]),
    ]);
    for (const { code, stderr } of [measured, exported]) {
      assert.equal(code, 1);
      assert.match(
        stderr,
        /rolesFalse\.jsonl is no ledger, and no runs of 'deno task import'; .*--source MAPPING or --from FORMAT: --source plain/,
      );
    }
    assertFailed(mapping, 1, /older\.json:1:2: schema: must be "run-source\/2"/);
    assertFailed(flag, 2, /--mapping/);
    assertFailed(cut, 1, /cut\.jsonl: no line declares a condition/);
  });
});
