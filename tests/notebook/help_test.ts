import assert from "node:assert/strict";
import { bootstrapSlope } from "@/stats/mod.ts";
import { help, runShown } from "@/notebook/mod.ts";
import { helpBundle } from "@/notebook/help.ts";

const wordsOf = async (what: Parameters<typeof helpBundle>[0]) => String((await helpBundle(what))["text/markdown"]);

Deno.test("help() shows signature, meaning, example and options of a function, by itself or by its name", async () => {
  const words = await wordsOf(runShown);
  assert.equal(await wordsOf("runShown"), words);
  const parts = [
    'import { runShown } from "@/notebook/mod.ts";',
    "export async function runShown<const Specs extends Wanted>(\n  wanted: Specs,\n  options: RunShownOptions = {},\n): Promise<Shown<Specs>>\n```",
    "Runs a declared experiment or ad hoc conditions and shows their progress.",
    "- **wanted**: the name of an experiment",
    "- **Throws UserError** on an unknown name",
    "**Example**\n```ts\nconst committee =",
    "export interface RunShownOptions\n",
    "  /** `surrogate`, `live` or `live:MODEL`",
  ];
  const places = parts.map((part) => words.indexOf(part));
  assert.ok(places.every((place, i) => place > (places[i - 1] ?? -1)), `${places}\n${words}`);
  assert.doesNotMatch(words, /checkShown\(|\n \* /, "neither the body nor the marks of a comment");
});

Deno.test("help() follows an option's type into the file that declares it, and shows overloads without their common body", async () => {
  assert.match(await wordsOf(bootstrapSlope), /interface ResamplingOptions[\s\S]*resamples/);
  const finding = await wordsOf("finding");
  assert.match(finding, /finding\(options: FindingOptions\): Tag<Promise<void>>;\n```/);
});

Deno.test("help() shows types and values whole, up to a screenful", async () => {
  assert.match(await wordsOf("Figure"), /import \{ type Figure \}[\s\S]*readonly svg: string;[\s\S]*\n\}\n```/);
  assert.match(await wordsOf("Condition"), /export type Condition =\n {2}& [\s\S]*\n {4}seats: [\s\S]*\n {2}\}>;\n```/);
  assert.match(await wordsOf("ROLES"), /export const ROLES = \["Chair", [\s\S]*\] as const;\n```/);
});

Deno.test("help() names the nearest for a name that nothing has", async () => {
  await assert.rejects(help("runShwon"), /UserError: unknown name "runShwon": did you mean runShown/);
  for (const what of [3, undefined, () => 1]) {
    await assert.rejects(help(what as never), /TypeError: help takes a function/);
  }
});
