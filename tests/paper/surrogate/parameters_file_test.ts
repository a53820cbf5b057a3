import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { parameters } from "../../model/surrogate/parameters.ts";
import { withFiles } from "../../runs/with_files.ts";
import { UserError } from "@/core/user_error.ts";
import { loadSurrogateParameters } from "@/runs/scenarios.ts";

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
