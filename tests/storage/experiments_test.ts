import assert from "node:assert/strict";
import { loadCondition } from "@/experiment/load_condition.ts";
import { loadExperiment, loadExperiments } from "@/storage/experiments.ts";
import { conditionName } from "@/deliberation/condition_name.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

const file = (experiments: unknown) => ({
  "experiments.json": JSON.stringify({ schema: "experiments/1", experiments }),
});
const tiny = { title: "A", shows: "B", replicates: 2, conditions: [{ scenario: "HL-01" }] };

Deno.test("loadExperiment() fills in the paper's defaults", async () => {
  await withFiles(file({ tiny }), async (folder) => {
    const { replicates, conditions } = await loadExperiment("tiny", { folder });
    assert.equal(replicates, 2);
    assert.deepEqual(conditions, [{
      scenario: "HL-01",
      roles: true,
      lineup: "uniform",
      temperature: 0,
      window: 15,
      agents: 5,
      rounds: 20,
      prompts: "standard",
      maxTokens: 600,
    }]);
  });
});

for (const name of ["tinny", "constructor", "__proto__", "toString", "../tiny"]) {
  Deno.test(`fault 48: loadExperiment() knows no ${name} and offers the nearest`, async () => {
    await withFiles(file({ tiny }), async (folder) => {
      const { message, exitCode } = await userErrorOf(loadExperiment(name, { folder }));
      assert.equal(message, `unknown experiment ${JSON.stringify(name)}: did you mean tiny?`);
      assert.equal(exitCode, 2);
    });
  });
}

for (
  const [what, experiments, message] of [
    ["no replicates", { tiny: { ...tiny, replicates: 0 } }, /experiments\.tiny\.replicates: must be at least 1/],
    ["a name in capitals", { Tiny: tiny }, /experiments\.Tiny: as a key: must be lower case with hyphens/],
    [
      "a mandate taken from where there is none",
      { tiny: { ...tiny, conditions: [{ scenario: "HL-01", roles: false, ablate: "Chair" }] } },
      /conditions\[0\]\.ablate: there is no mandate to take away where roles are off/,
    ],
  ] as const
) {
  Deno.test(`loadExperiments() refuses ${what}, naming file, place and rule`, async () => {
    await withFiles(file(experiments), async (folder) => {
      const error = await userErrorOf(loadExperiments({ folder }));
      assert.match(error.message, message);
      assert.match(error.message, /experiments\.json:\d+:\d+: /);
    });
  });
}

Deno.test("every declared experiment can be loaded whole, and no two of its conditions share a ledger", async () => {
  for (const [name, { conditions }] of Object.entries(await loadExperiments())) {
    const names = await Promise.all(conditions.map(async (spec) => conditionName(await loadCondition(spec))));
    assert.equal(new Set(names).size, names.length, name);
  }
});
