import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { withFiles } from "../runs/with_files.ts";
import { assertFailed, outcome } from "./command.ts";

const NAME = "HL-01__T0.0__N5__rolesTrue";
const FIXTURE = fileURLToPath(new URL(`../runs/fixtures/${NAME}.jsonl`, import.meta.url));
const flags = ["--json", "--resamples", "200", "--permutations", "20"];

Deno.test("export writes a table and messages, and measured again they give the same slope to the last digit", async () => {
  await withFiles({}, async (out) => {
    const written = await Promise.all(
      ["csv", "messages", "plain"].map((as) => outcome("export", [FIXTURE, "--as", as, "--out", `${out}/${as}`])),
    );
    const [table, messages, plain] = written.map(({ stdout }) => stdout.trimEnd());
    assert.deepEqual([table, messages, plain], [
      `${out}/csv/${NAME}.csv`,
      `${out}/messages/${NAME}.messages.jsonl`,
      `${out}/plain/${NAME}.jsonl`,
    ]);
    const all = await Promise.all([
      outcome("measure", [FIXTURE, ...flags]),
      outcome("measure", ["--from", "csv", table!, ...flags]),
      outcome("measure", ["--from", "messages", messages!, ...flags]),
      outcome("measure", [plain!, ...flags]),
    ]);
    const [ours, ...read] = all.map(({ stdout, stderr }) => stdout ? JSON.parse(stdout) : stderr);
    assert.equal(typeof ours.lambda, "number");
    for (const { lambda, low, high, D, convergence, groups } of read) {
      assert.deepEqual({ lambda, low, high, D, convergence, groups }, {
        ...{ lambda: ours.lambda, low: ours.low, high: ours.high },
        ...{ D: ours.D, convergence: ours.convergence, groups: ours.groups },
      });
    }
  });
});

Deno.test("export replaces no file, and refuses runs of means alone and formats that it does not know", async () => {
  const means = JSON.stringify({ run: 0, trajectory: Array.from({ length: 20 }, () => [0.5, 0.5]) });
  await withFiles({ "HL-01__T0.7__N5__rolesFalse.jsonl": means, [`${NAME}.csv`]: "mine" }, async (folder) => {
    const [there, alone, format, none] = await Promise.all([
      outcome("export", [FIXTURE, "--out", folder]),
      outcome("export", [`${folder}/HL-01__T0.7__N5__rolesFalse.jsonl`, "--out", `${folder}/new`]),
      outcome("export", [FIXTURE, "--as", "cvs", "--out", folder]),
      outcome("export", ["--out", folder]),
    ]);
    assertFailed(there, 1, /rolesTrue\.csv is there already; name another folder/);
    assert.equal(await Deno.readTextFile(`${folder}/${NAME}.csv`), "mine");
    assertFailed(alone, 1, /holds the group's means alone, and no agent's states/);
    assertFailed(format, 2, /unknown format "cvs": did you mean csv/);
    assertFailed(none, 2, /name a ledger, or a file of runs/);
  });
});
