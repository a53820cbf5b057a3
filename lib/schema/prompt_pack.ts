import { z } from "zod";
import { Role } from "./role.ts";

/** A text kept as lines, so that a change of wording is a small diff. */
const Lines = z.union([z.string(), z.array(z.string()).min(1)])
  .transform((lines) => (typeof lines === "string" ? lines : lines.join("\n")));

/** A text with `{{placeholders}}`: each of the given names at least once, and no other. */
const template = (...names: string[]) =>
  Lines.superRefine((text, context) => {
    const used = [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!);
    const missing = names.filter((name) => !used.includes(name)).map((name) => `lacks {{${name}}}`);
    const unknown = used.filter((name) => !names.includes(name)).map((name) =>
      `holds {{${name}}}, which nothing fills in`
    );
    for (const message of [...missing, ...unknown]) context.addIssue({ code: "custom", message });
  });

/**
 * Every text a committee is sent, as data. `{{name}}` is filled in by `lib/deliberation/prompt.ts`.
 * The words are this project's own; each clause of the deliberation paper's S2.2-S2.4 is kept and the machine
 * formats (STATE line, ballot and clerk JSON) are exact.
 */
export const PromptPack = z.strictObject({
  schema: z.literal("prompt-pack/1"),
  id: z.string().min(1),
  preamble: template("stateLine", "letters"),
  stateLine: template("preferences").describe("the format asked for, named in preamble and repair request"),
  roleHeading: template("label").describe("opens the mandate; kept when the mandate is ablated"),
  neutralHeading: template("label").describe("names the agent where roles are off"),
  mandates: z.record(Role, Lines),
  packet: template("id", "title", "background", "options", "question"),
  option: template("letter", "label", "text"),
  emptyWindow: Lines.describe("stands for the transcript before anyone has spoken"),
  argument: template("round", "label", "text").describe("one line of the transcript window"),
  tableHeading: Lines,
  tableRow: template("label", "preferences", "confidence", "tags"),
  emptyTableRow: template("label"),
  turn: template("packet", "window", "table", "round", "rounds", "label"),
  repair: template("stateLine"),
  ballot: template("packet", "window", "table", "letters", "label"),
  ballotAgain: template("letters"),
  clerk: template("ballots", "letters"),
});
export type PromptPack = z.infer<typeof PromptPack>;
