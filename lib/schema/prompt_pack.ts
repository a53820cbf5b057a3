import { z } from "zod";
import { PromptLines, promptTemplate } from "./prompt_template.ts";
import { Role } from "./role.ts";

/**
 * Every text a committee is sent, as data. `{{name}}` is filled in by `lib/deliberation/prompt.ts`.
 * The words are this project's own; each clause of the deliberation paper's S2.2-S2.4 is kept and the machine
 * formats (STATE line, ballot and clerk JSON) are exact.
 */
export const PromptPack = z.strictObject({
  schema: z.literal("prompt-pack/1"),
  id: z.string().min(1),
  preamble: promptTemplate("stateLine", "letters"),
  stateLine: promptTemplate("preferences").describe("the format asked for, named in preamble and repair request"),
  roleHeading: promptTemplate("label").describe("opens the mandate; kept when the mandate is ablated"),
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
  ballot: promptTemplate("packet", "window", "table", "letters", "label"),
  ballotAgain: promptTemplate("letters"),
  clerk: promptTemplate("ballots", "letters"),
});
export type PromptPack = z.infer<typeof PromptPack>;
