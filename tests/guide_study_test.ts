import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { linearRegression } from "simple-statistics";
import { slope } from "@/core/numbers.ts";
import { readLedger } from "@/deliberation/ledger.ts";
import { conditionRuns } from "@/lab/live/run_experiment.ts";
import { withFiles } from "./lab/runs/with_files.ts";

/** The guide's page on code of one's own: its study, followed as it stands in a folder outside the project. */

const PROJECT = fileURLToPath(new URL("../", import.meta.url)).replace(/\/$/, "");
const PAGE = await Deno.readTextFile(`${PROJECT}/notebooks/guide/your_own_code.md`);

/** A block of the page, by the name of the file that it shows. */
function block(name: string): string {
  const [, text] = new RegExp(`^\`\`\`\\w+ ${name}\\n(.*?)^\`\`\`$`, "ms").exec(PAGE) ?? [];
  assert.ok(text, `the page has no block ${name}`);
  return text;
}

/** Mean distance between two runs at a round: of the committee's mean preferences, as the length of their difference. */
function meanDistance(runs: readonly (readonly number[])[]): number {
  const pairs = runs.flatMap((one, i) => runs.slice(i + 1).map((other) => one.map((p, k) => p - other[k]!)));
  return pairs.reduce((sum, difference) => sum + Math.hypot(...difference), 0) / pairs.length;
}

Deno.test("the guide's study of two files runs outside the project, to a slope, a picture and a ledger that is kept", async () => {
  const settings = block("deno.json").replaceAll("../chaos-lab", PROJECT);
  assert.equal(settings.trimEnd().split("\n").length, 9);
  await withFiles({ "deno.json": settings, "study.ts": block("study.ts") }, async (folder) => {
    const start = async () => {
      const options = { args: ["task", "study"], cwd: folder, env: { NO_COLOR: "1" } };
      const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), options).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      return new TextDecoder().decode(stdout);
    };
    const printed = await start();
    const [name] = await Array.fromAsync(Deno.readDir(`${folder}/runs/surrogate`), ({ name }) => name);
    const path = `${folder}/runs/surrogate/${name}`, { runs, condition } = conditionRuns(await readLedger(path));
    assert.match(name!, /^QE-01__/);
    assert.equal(runs.length, 12);
    assert.deepEqual(condition.seats.map(({ label }) => label), ["Owner", "Sceptic", "Guest"]);
    const rounds = [2, 3, 4, 5, 6, 7, 8];
    const points = rounds.map((round) => {
      const means = runs.map(({ means }) => [...means[round - 1]!]);
      return [round, Math.log(meanDistance(means))];
    });
    const lambda = slope(linearRegression(points).m), ends = "−?[\\d.]+ to −?[\\d.]+";
    assert.match(printed, new RegExp(`^λ̂ ${lambda} nats per round, 95 %: ${ends}\nout/drift\\.svg\n$`));
    assert.ok((await Deno.readTextFile(`${folder}/out/drift.svg`)).startsWith("<svg"));
    const kept = await Deno.readTextFile(path);
    assert.equal(await start(), printed);
    assert.equal(await Deno.readTextFile(path), kept, "the same command reads its runs again");
  });
});
