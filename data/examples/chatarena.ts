import { readFileSync } from "node:fs";
import { lastMention } from "@/record/mod.ts";

/** A text that names none leaves an agent's state as it was. */
export const options = { hold: true };

const state = lastMention(["park", "housing"]);

/** ChatArena: the history that `Arena.save_history` writes as JSON, a run a file. */
export default function* chatarena(path: string) {
  for (const { agent_name: agent, content: text } of JSON.parse(readFileSync(path, "utf8"))) {
    if (agent !== "Moderator" && agent !== "System") yield { run: path, agent, state: state(text), text };
  }
}
