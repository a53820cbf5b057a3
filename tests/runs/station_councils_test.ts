import assert from "node:assert/strict";
import { apiKey } from "../model/endpoint.ts";
import { STATION_PERSONAS } from "@/model/station/station_persona.ts";
import { nameCouncil, stationCouncil, stationCouncils } from "@/runs/station_council.ts";
import { userErrorOf } from "./user_error_of.ts";

const NONE = new Map<string, string>();

const refusalOf = (name: string) => userErrorOf(Promise.try(() => stationCouncil(name, NONE)));

Deno.test("stationCouncil('none') leaves every slot to the clerk", () => {
  const none = { chat: "none", label: "none", synthetic: true, live: false, model: "none" };
  assert.deepEqual(stationCouncil("none", NONE), none);
});

Deno.test("stationCouncil() knows every persona, and marks it as synthetic", () => {
  for (const name of STATION_PERSONAS) {
    const { chat, ...labels } = stationCouncil(name, NONE);
    assert.equal(typeof chat, "function");
    assert.deepEqual(labels, { label: name, synthetic: true, live: false, model: `surrogate/${name}` });
  }
});

Deno.test("stationCouncil('live:MODEL') is no surrogate, and its label is the model asked for", () => {
  const { chat, ...labels } = stationCouncil("live:gpt-x:mini", new Map([["OPENAI_API_KEY", apiKey]]));
  assert.equal(typeof chat, "function");
  assert.deepEqual(labels, { label: "gpt-x:mini", synthetic: false, live: true, model: "gpt-x:mini" });
});

Deno.test("stationCouncil('live:MODEL') without a key is a UserError that names the variable", async () => {
  const error = await refusalOf("live:gpt-x");
  assert.match(error.message, /OPENAI_API_KEY/);
});

for (
  const [name, nearest] of [["triag", "triage"], ["nobody", "none"], ["live.MODEL", "live:MODEL"], [
    "toString",
    "triage",
  ]]
) {
  Deno.test(`stationCouncil() refuses ${name} with exit code 2 and offers the nearest`, async () => {
    const error = await refusalOf(name!);
    assert.match(error.message, new RegExp(`^unknown station council "${name}": did you mean .*${nearest}`));
    assert.equal(error.exitCode, 2);
  });
}

for (const name of ["live", "live:"]) {
  Deno.test(`stationCouncil(${JSON.stringify(name)}) is refused with exit code 2: a model must be named`, async () => {
    const error = await refusalOf(name);
    assert.match(error.message, /live needs a model: --council live:MODEL/);
    assert.equal(error.exitCode, 2);
  });
}
