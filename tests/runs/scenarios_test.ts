import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { listScenarios, loadLineups, loadPromptPack, loadScenario } from "@/runs/scenarios.ts";
import { userErrorOf } from "./user_error_of.ts";
import { withFiles } from "./with_files.ts";

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
  const written = await Deno.readTextFile(new URL("../../scenarios/prompts/standard.json", import.meta.url));
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
