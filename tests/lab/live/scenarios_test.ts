import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import {
  listScenarios,
  loadExperiment,
  loadExperiments,
  loadLineups,
  loadPromptPack,
  loadScenario,
  loadSurrogateParameters,
} from "@/lab/live/scenarios.ts";
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";
import { parameters } from "../../model/surrogate/parameters.ts";
import { UserError } from "@/core/user_error.ts";
import { conditionName } from "@/deliberation/condition_name.ts";
import { loadCondition } from "@/lab/live/load_condition.ts";

const packet = {
  schema: "scenario/1",
  id: "AB-01",
  domain: "Test",
  type: "choice",
  title: "A title",
  background: "Some words.",
  options: [{ label: "One", text: "First." }, { label: "Two", text: "Second." }],
  question: "Which?",
};

/** A scenarios folder whose packets stand under `policy/`. */
const policy = (packets: Record<string, object>) =>
  Object.fromEntries(
    Object.entries(packets).map(([name, value]) => [`policy/${name}`, JSON.stringify(value, null, 2)]),
  );

Deno.test("listScenarios() lists the project's packets", async () => {
  const ids = (await listScenarios()).map(({ id }) => id);
  for (const id of ["HL-01", "IM-01", "CL-04"]) assert.ok(ids.includes(id), id);
  assert.deepEqual(ids, ids.toSorted());
});

Deno.test("listScenarios() gives ids in order with their variants, and leaves other files alone", async () => {
  const files = policy({
    "CD-02.json": packet,
    "AB-01__variant-formal.json": packet,
    "AB-01.json": packet,
    "AB-01__variant-plain-words.json": packet,
  });
  await withFiles({ ...files, "policy/README.md": "" }, async (folder) => {
    assert.deepEqual(await listScenarios({ folder }), [
      { id: "AB-01", variants: ["formal", "plain-words"] },
      { id: "CD-02", variants: [] },
    ]);
  });
});

Deno.test("listScenarios() refuses a packet with a name it cannot place, and a folder that is not there", async () => {
  await withFiles(policy({ "AB1.json": packet }), async (folder) => {
    assert.match((await userErrorOf(listScenarios({ folder }))).message, /AB1\.json: .* named like HL-01\.json/);
    assert.match((await userErrorOf(listScenarios({ folder: `${folder}/none` }))).message, /there is no such folder/);
  });
});

Deno.test("loadScenario() gives the packet, from a folder named by path or URL, with or without a closing slash", async () => {
  await withFiles(policy({ "AB-01.json": packet }), async (folder) => {
    for (const given of [folder, `${folder}/`, pathToFileURL(folder), pathToFileURL(`${folder}/`)]) {
      assert.deepEqual(await loadScenario("AB-01", { folder: given }), packet);
    }
  });
});

Deno.test("loadScenario() finds a question with an answer in questions/, which listScenarios() leaves out", async () => {
  const question = { ...packet, id: "QE-01", answer: "B", source: "Counted." };
  const files = {
    ...policy({ "AB-01.json": packet }),
    "questions/QE-01.json": JSON.stringify(question),
    "questions/AB-01.json": JSON.stringify({ ...packet, title: "Another" }),
    "questions/README.md": "",
  };
  await withFiles(files, async (folder) => {
    assert.deepEqual(await loadScenario("QE-01", { folder }), question);
    assert.deepEqual(await loadScenario("AB-01", { folder }), packet, "an id in both is that of policy/");
    assert.deepEqual(await listScenarios({ folder }), [{ id: "AB-01", variants: [] }]);
    const { message } = await userErrorOf(loadScenario("QE-10", { folder }));
    assert.equal(message, 'unknown scenario "QE-10": did you mean QE-01 or AB-01?');
  });
  assert.equal((await loadCondition({ scenario: "QE-01" })).packet.answer, "B");
  assert.equal((await listScenarios()).length, 12);
});

Deno.test("a folder's questions/ is read only for an id that policy/ lacks", async () => {
  await withFiles({ ...policy({ "AB-01.json": packet }), "questions/survey.json": "{}" }, async (folder) => {
    assert.deepEqual(await loadScenario("AB-01", { folder }), packet);
    assert.match(
      (await userErrorOf(loadScenario("QE-01", { folder }))).message,
      /survey\.json: .* named like HL-01\.json/,
    );
  });
});

Deno.test("loadScenario() refuses an answer that is no option of its packet, naming both", async () => {
  await withFiles(policy({ "AB-01.json": { ...packet, answer: "C" } }), async (folder) => {
    assert.match(
      (await userErrorOf(loadScenario("AB-01", { folder }))).message,
      /AB-01\.json:19:3: answer: must be one of the packet's options A, B, found "C"$/,
    );
  });
});

Deno.test("loadScenario() gives the variant asked for", async () => {
  const formal = { ...packet, variant: "formal", title: "On the matter of a title" };
  await withFiles(policy({ "AB-01.json": packet, "AB-01__variant-formal.json": formal }), async (folder) => {
    assert.deepEqual(await loadScenario("AB-01", { variant: "formal", folder }), formal);
    assert.deepEqual(await loadScenario("AB-01", { folder }), packet);
    const error = await userErrorOf(loadScenario("AB-01", { variant: "fromal", folder }));
    assert.equal(error.message, 'unknown variant of AB-01 "fromal": did you mean formal?');
    assert.equal(error.exitCode, 2);
  });
});

Deno.test("loadScenario() answers an unknown name with the nearest, as a bad argument", async () => {
  const error = await userErrorOf(loadScenario("HL01"));
  assert.match(error.message, /^unknown scenario "HL01": did you mean HL-01\b/);
  assert.equal(error.exitCode, 2);
});

Deno.test("fault 48: no name leads out of the folder", async () => {
  const outside = { ...policy({ "AB-01.json": packet }), "secret.json": "{}", "prompts/standard.json": "{}" };
  await withFiles(outside, async (folder) => {
    for (const name of ["../secret", "..%2Fsecret", `${folder}/secret`, "AB-01/../../secret", "", "AB-01\0"]) {
      assert.match((await userErrorOf(loadScenario(name, { folder }))).message, /^unknown scenario/);
      assert.match((await userErrorOf(loadScenario("AB-01", { variant: name, folder }))).message, /^unknown variant/);
      assert.match((await userErrorOf(loadPromptPack(name, { folder }))).message, /^unknown prompt pack/);
    }
  });
});

Deno.test("loadScenario() refuses a packet that says it is another one", async () => {
  const files = policy({
    "AB-02.json": packet,
    "AB-03.json": { ...packet, id: "AB-03", variant: "formal" },
    "AB-04__variant-formal.json": { ...packet, id: "AB-04" },
  });
  await withFiles(files, async (folder) => {
    const message = async (id: string, variant?: string) =>
      (await userErrorOf(loadScenario(id, { variant, folder }))).message.replace(/^.*policy\//, "");
    assert.equal(await message("AB-02"), "AB-02.json:3:3: id: must be AB-02, as the file is named");
    assert.match(await message("AB-03"), /^AB-03\.json:\d+:3: variant: must be absent, as the file is named$/);
    assert.equal(
      await message("AB-04", "formal"),
      "AB-04__variant-formal.json:1:1: variant: must be formal, as the file is named",
    );
  });
});

Deno.test("loadScenario() names file, line, field and rule of a malformed packet", async () => {
  const malformed = { ...packet, type: "poll", options: [{ label: "One", text: "First." }, { label: "Two", txt: "" }] };
  await withFiles(policy({ "AB-01.json": malformed }), async (folder) => {
    const { message, exitCode } = await userErrorOf(loadScenario("AB-01", { folder }));
    assert.deepEqual(message.split("\n").map((line) => line.replace(/^.*policy\//, "")), [
      'AB-01.json:5:3: type: must be "choice" or "allocation", found "poll"',
      "AB-01.json:13:5: options[1].text: is missing: text in quotes is needed",
      "AB-01.json:15:7: options[1].txt: is not a known key; remove or rename it",
    ]);
    assert.equal(exitCode, 1);
  });
});

Deno.test("fault 35: loadScenario() refuses another schema version and says which it reads", async () => {
  await withFiles(policy({ "AB-01.json": { ...packet, schema: "scenario/2" } }), async (folder) => {
    const { message } = await userErrorOf(loadScenario("AB-01", { folder }));
    assert.match(message, /AB-01\.json:2:3: schema: must be "scenario\/1", found "scenario\/2"$/);
  });
});

Deno.test("loadPromptPack() joins the standard pack's lines and refuses a pack under another name", async () => {
  const pack = await loadPromptPack();
  assert.equal(pack.id, "standard");
  assert.match(pack.preamble, /\n/);
  const written = await Deno.readTextFile(new URL("../../../scenarios/prompts/standard.json", import.meta.url));
  await withFiles({ "prompts/other.json": written }, async (folder) => {
    const { message } = await userErrorOf(loadPromptPack("other", { folder }));
    assert.match(message, /other\.json:3:3: id: must be other, as the file is named$/);
    const unknown = await userErrorOf(loadPromptPack("standard", { folder }));
    assert.equal(unknown.message, 'unknown prompt pack "standard": did you mean other?');
  });
});

Deno.test("loadLineups() names file, line, field and rule of a malformed line-up", async () => {
  const text = JSON.stringify(
    {
      schema: "lineups/1",
      lineups: { odd: { title: "", models: { Chair: "m", Welfare: "m", Rights: "m", Equity: "m", Chief: "m" } } },
      prices: { m: { input: -1, output: 2 } },
    },
    null,
    2,
  );
  await withFiles({ "lineups.json": text }, async (folder) => {
    const { message } = await userErrorOf(loadLineups({ folder }));
    const lines = message.split("\n").map((line) => line.replace(/^.*lineups\.json/, "lineups.json"));
    assert.deepEqual(lines.toSorted(), [
      "lineups.json:11:9: lineups.odd.models.Chief: is not a known key; remove or rename it",
      "lineups.json:17:7: prices.m.input: must be at least 0, found -1",
      "lineups.json:5:7: lineups.odd.title: must not be empty",
      "lineups.json:6:7: lineups.odd.models.Security: is missing: text in quotes is needed",
    ]);
  });
});

Deno.test("loadLineups() refuses a line-up whose name breaks the rule, at that name", async () => {
  const { lineups, ...rest } = await loadLineups();
  const text = JSON.stringify({ ...rest, lineups: { "All One": lineups.uniform } }, null, 2);
  await withFiles({ "lineups.json": text }, async (folder) => {
    const { message } = await userErrorOf(loadLineups({ folder }));
    const line = text.split("\n").findIndex((line) => line.includes("All One")) + 1;
    assert.ok(
      message.endsWith(`lineups.json:${line}:5: lineups["All One"]: as a key: must be lower case with hyphens`),
    );
  });
});

Deno.test("loadLineups() refuses a model without a price, naming it and its seat", async () => {
  const { lineups, ...rest } = await loadLineups();
  const { "x-ai/grok-3-mini": _, ...prices } = rest.prices;
  await withFiles({ "lineups.json": JSON.stringify({ ...rest, lineups, prices }, null, 2) }, async (folder) => {
    const { message } = await userErrorOf(loadLineups({ folder }));
    assert.match(message, /lineups\.json:\d+:3: prices: no price for x-ai\/grok-3-mini \(lineups\.mixed\.Equity\)$/);
  });
});

/** Loads a parameters file and gives the message with which it is refused. */
async function refusal(content: unknown): Promise<string> {
  let told = "accepted";
  await withFiles({ "surrogate.json": JSON.stringify(content) }, async (folder) => {
    try {
      await loadSurrogateParameters({ folder: pathToFileURL(`${folder}/`) });
    } catch (error) {
      assert.ok(error instanceof UserError);
      told = error.message;
    }
  });
  return told;
}

const { mechanism } = parameters;
const withMechanism = (more: Record<string, unknown>) => ({ ...parameters, mechanism: { ...mechanism, ...more } });

Deno.test("a parameters file of this mechanism is read", async () => {
  assert.equal(await refusal(parameters), "accepted");
});

Deno.test("a parameters file of the earlier mechanism is refused by its name, with what to do", async () => {
  const { chairNoise: _, blankOpenness: __, ...earlier } = mechanism;
  const message = await refusal({ ...parameters, schema: "surrogate-parameters/1", mechanism: earlier });
  assert.match(message, /surrogate\.json/);
  assert.match(
    message,
    /schema.*"surrogate-parameters\/1", of an earlier mechanism whose numbers mean something else/s,
  );
  assert.match(message, /take scenarios\/surrogate\.json or fit again with deno task dev fit/);
});

Deno.test("unknown and missing parameters, and values out of range, are each named with their rule", async () => {
  assert.match(await refusal(withMechanism({ conviction: 1 })), /conviction.*is not a known key/s);
  const { chairNoise: _, ...without } = mechanism;
  assert.match(await refusal({ ...parameters, mechanism: without }), /chairNoise.*is missing/s);
  for (
    const [name, value] of [["openness", 1.2], ["chairOpenness", -0.1], ["undecidedLead", 2], [
      "memoryGain",
      -1,
    ]] as const
  ) {
    assert.match(await refusal(withMechanism({ [name]: value })), new RegExp(`mechanism\\.${name}`), name);
  }
  const characters = { "x-ai/grok-3": { responsiveness: 1, noise: -1 } };
  const scenario = { ...parameters.scenarios["IM-01"]!, characters };
  assert.match(
    await refusal({ ...parameters, scenarios: { "IM-01": scenario } }),
    /characters\["x-ai\/grok-3"\]\.noise/,
  );
});

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
  for (const [name, { conditions }] of Object.entries((await loadExperiments()).experiments)) {
    const names = await Promise.all(conditions.map(async (spec) => conditionName(await loadCondition(spec))));
    assert.equal(new Set(names).size, names.length, name);
  }
});
