import { readdirSync, readFileSync } from "node:fs";
import { lastMention } from "@/record/mod.ts";

/** A text that names none leaves an agent's state as it was. */
export const options = { hold: true };

const state = lastMention(["A", "B"]);

/** A folder of debates, a run a file; the moderator has no vote. */
export default function* debate(folder: string) {
  for (const name of readdirSync(folder).sort()) {
    for (const { who: agent, text } of JSON.parse(readFileSync(`${folder}/${name}`, "utf8")).log) {
      if (agent !== "Moderator") yield { run: name, agent, state: state(text), text };
    }
  }
}
