import * as z from "zod";
import { Role } from "./scenario.ts";

/** A text kept as lines, so that a change of wording is a small diff. */
export const PromptLines = z.union([z.string(), z.array(z.string()).min(1)], {
  error: ({ input }) => `${input === undefined ? "is missing: it" : "it"} must be a text or a list of lines`,
})
  .transform((lines) => (typeof lines === "string" ? lines : lines.join("\n")));

/** A text with `{{placeholders}}`: each of the given names at least once, of `letters|choices` one of both; and no other. */
export const promptTemplate = (...names: string[]) =>
  PromptLines.superRefine((text, context) => {
    const wanted = names.map((name) => name.split("|"));
    const used = [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!);
    const missing = wanted.filter((either) => !either.some((name) => used.includes(name))).map((either) =>
      `lacks ${either.map((name) => `{{${name}}}`).join(" or ")}`
    );
    const unknown = used.filter((name) => !wanted.flat().includes(name)).map((name) =>
      `holds {{${name}}}, which nothing fills in`
    );
    for (const message of [...missing, ...unknown]) context.addIssue({ code: "custom", message });
  });

/**
 * Every text a committee is sent, as data; `scenarios/prompts/README.md` describes the file. `{{name}}` is filled in by
 * `lib/deliberation/prompt.ts`. The machine formats (STATE line, ballot and clerk JSON) are the deliberation paper's.
 */
export const PromptPack = z.strictObject({
  schema: z.literal("prompt-pack/1"),
  id: z.string().min(1),
  preamble: promptTemplate("stateLine", "letters|sum"),
  stateLine: promptTemplate("preferences").describe("the format asked for, named in preamble and repair request"),
  roleHeading: promptTemplate("label").describe("opens the mandate; kept when the mandate alone is ablated"),
  neutralHeading: promptTemplate("label").describe("names the agent where roles are off"),
  mandates: z.record(Role, PromptLines),
  packet: promptTemplate("id", "title", "background", "options", "question"),
  option: promptTemplate("letter", "label", "text"),
  emptyWindow: PromptLines.describe("stands for the transcript before anyone has spoken"),
  argument: promptTemplate("round", "label", "text").describe("one line of the transcript window"),
  tableHeading: PromptLines,
  tableRow: promptTemplate("label", "preferences", "confidence", "tags"),
  emptyTableRow: promptTemplate("label"),
  turn: promptTemplate("packet", "window", "table", "round", "rounds", "label"),
  repair: promptTemplate("stateLine"),
  ballot: promptTemplate("packet", "window", "table", "letters|choices", "label"),
  ballotAgain: promptTemplate("letters|choices"),
  clerk: promptTemplate("ballots", "letters|choices"),
  ablated: z.strictObject({
    turn: promptTemplate("packet", "window", "table", "round", "rounds", "label"),
    ballot: promptTemplate("packet", "window", "table", "letters|choices", "label"),
  }).optional().describe("asks a seat whose heading went with its mandate; in a condition, this says that it went"),
});
export type PromptPack = z.infer<typeof PromptPack>;
