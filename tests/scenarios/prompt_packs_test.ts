import assert from "node:assert/strict";
import { createPrompter } from "@/deliberation/prompt.ts";
import { initialState } from "@/deliberation/state.ts";
import { loadCondition } from "@/runs/load_condition.ts";
import { loadPromptPack } from "@/runs/scenarios.ts";
import clauses from "../../scenarios/prompts/clauses/as-published.json" with { type: "json" };
import standard from "../../scenarios/prompts/standard.json" with { type: "json" };
import { userErrorOf } from "../runs/user_error_of.ts";
import { withFiles } from "../runs/with_files.ts";

/** A pack with every clause and placeholder that `as-published` needs, in no sentence of the paper. */
const said = (field: keyof typeof clauses) => clauses[field].join("; ");
const filledIn = {
  ...standard,
  id: "as-published",
  preamble: [`${said("preamble").replace("=1.0", "{{sum}}=1.0")};`, "{{stateLine}}"],
  stateLine: 'STATE: pref=[{{preferences}}]; conf=NN; tags=["tag1","tag2"]',
  mandates: {
    Chair: said("mandates.Chair"),
    Welfare: said("mandates.Welfare"),
    Rights: said("mandates.Rights"),
    Equity: said("mandates.Equity"),
    Security: said("mandates.Security"),
  },
  repair: said("repair"),
  clerk: `${said("clerk")}, "majority_count": N, "total": N; {{ballots}}`,
};
type Pack = { [Field in keyof typeof filledIn]?: unknown };

async function load(pack: Pack): Promise<void> {
  await withFiles({ "prompts/as-published.json": JSON.stringify(pack, null, 1) }, async (folder) => {
    await loadPromptPack("as-published", { folder });
  });
}

/** The complaints about a pack, each without the folder and the place in the file. */
async function complaints(pack: Pack): Promise<string[]> {
  const { message } = await userErrorOf(load(pack));
  return message.split("\n").map((line) => line.replace(/^.*prompts\/(as-published\.json):\d+:\d+/, "$1"));
}

Deno.test("as-published is a slot: without the user's own copy of the texts, the message says what to do", async () => {
  const { message, exitCode } = await userErrorOf(loadPromptPack("as-published"));
  assert.match(
    message,
    /^prompts\/as-published\.json is not there: .*not shipped; scenarios\/prompts\/README\.md says/,
  );
  assert.equal(exitCode, 2);
});

Deno.test("a pack with every clause is read, and its formats follow the number of options", async () => {
  await withFiles({ "prompts/as-published.json": JSON.stringify(filledIn) }, async (folder) => {
    const condition = {
      ...await loadCondition({ scenario: "CL-04" }),
      prompts: await loadPromptPack("as-published", { folder }),
    };
    const prompter = createPrompter(condition);
    const [system] = prompter(initialState(condition), { kind: "turn", round: 1, seat: 0, again: false });
    assert.match(system!.content, /pA\+pB\+pC\+pD\+pE=1\.0 \(floats\)/);
    assert.match(system!.content, /^STATE: pref=\[pA,pB,pC,pD,pE\]; conf=NN; tags=\["tag1","tag2"\]$/m);
    const [clerk] = prompter(initialState(condition), { kind: "clerk" });
    assert.match(clerk!.content, /"decision": "A"\|"B"\|"C"\|"D"\|"E"/);
  });
});

Deno.test("white space, capitals and the form of quotes and dashes do not count in a clause", async () => {
  const preamble = filledIn.preamble.map((line) => line.replaceAll(" ", "\n").replace("0-100", "0–100").toUpperCase());
  const kept = preamble.map((line) => line.replace("{{SUM}}", "{{sum}}").replace("{{STATELINE}}", "{{stateLine}}"));
  await load({ ...filledIn, preamble: kept });
});

/** The pack with one phrase of one field gone. */
function without(phrase: string, [field, key]: string[]): Pack {
  const gap = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replace(JSON.stringify(phrase).slice(1, -1), "…"));
  if (key === undefined) return { ...filledIn, [field!]: gap(filledIn[field as keyof typeof filledIn]) };
  return { ...filledIn, mandates: { ...filledIn.mandates, [key]: gap(filledIn.mandates[key as "Chair"]) } };
}

for (const [field, phrases] of Object.entries(clauses)) {
  Deno.test(`as-published without a clause of ${field} is refused, naming file, field and clause`, async () => {
    for (const phrase of phrases) {
      const found = await complaints(without(phrase, field.split(".")));
      const clause = found.filter((line) => line.includes("clause"));
      assert.deepEqual(clause, [`as-published.json: ${field}: lacks the clause with "${phrase}"`]);
    }
  });
}

Deno.test("a pack without a placeholder, a mandate, or the format that is read is refused by file, field and rule", async () => {
  const { Chair: _, ...fewer } = filledIn.mandates;
  const cases: readonly [Pack, string][] = [
    [{ ...filledIn, clerk: filledIn.clerk.replace("{{ballots}}", "") }, "clerk: lacks {{ballots}}"],
    [{ ...filledIn, ballotAgain: "Again." }, "ballotAgain: lacks {{letters}} or {{choices}}"],
    [{ ...filledIn, clerk: filledIn.clerk.replace('"total"', '"all"') }, 'clerk: lacks "total", which the reply'],
    [{ ...filledIn, stateLine: "STATE pref=[{{preferences}}]" }, "stateLine: must be STATE: pref=[{{preferences}}]"],
    [{ ...filledIn, mandates: fewer }, "mandates.Chair: is missing"],
    [{ ...filledIn, id: "mine" }, "id: must be as-published, as the file is named"],
  ];
  for (const [pack, rule] of cases) {
    const found = await complaints(pack);
    assert.ok(found.some((line) => line.startsWith(`as-published.json: ${rule}`)), found.join("\n"));
  }
});

Deno.test("the shipped pack is in other words than the paper's, in every field that the paper gives", async () => {
  const found = await complaints({ ...standard, id: "as-published" });
  const fields = new Set(found.map((line) => /: ([\w.]+): lacks the clause/.exec(line)?.[1]));
  assert.deepEqual(Object.keys(clauses).filter((field) => !fields.has(field)), ["roleHeading"]);
});
