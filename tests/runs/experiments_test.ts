import assert from "node:assert/strict";
import { conditionName } from "@/deliberation/condition_name.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { loadExperiment, loadExperiments } from "@/runs/scenarios.ts";
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

Deno.test("a list in a condition means each of its values, crossed with those of other lists", async () => {
  const conditions = [{ scenario: ["HL-01", "IM-01"], temperature: 0.1, roles: [true, false] }, { scenario: "CL-04" }];
  await withFiles(file({ tiny: { ...tiny, conditions } }), async (folder) => {
    const { conditions } = await loadExperiment("tiny", { folder });
    assert.deepEqual(conditions.map(({ scenario, temperature, roles }) => [scenario, temperature, roles]), [
      ["HL-01", 0.1, true],
      ["HL-01", 0.1, false],
      ["IM-01", 0.1, true],
      ["IM-01", 0.1, false],
      ["CL-04", 0, true],
    ]);
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
    [
      "a wrong value in a list",
      { tiny: { ...tiny, conditions: [{ scenario: ["HL-01", "IM-01"], temperature: [0, 3] }] } },
      /conditions\[0\]\.temperature: .*<=2/,
    ],
    [
      "an empty list",
      { tiny: { ...tiny, conditions: [{ scenario: [] }] } },
      /conditions\[0\]\.scenario: must have at least 1 items/,
    ],
    [
      "an unknown field",
      { tiny: { ...tiny, conditions: [{ scenario: "HL-01", temprature: 1 }] } },
      /conditions\[0\]: Unrecognized key: "temprature"/,
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
