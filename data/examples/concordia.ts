import { readFileSync } from "node:fs";
import { lastMention } from "@/record/mod.ts";

/** A text that names none leaves an agent's state as it was. */
export const options = { hold: true };

const state = lastMention(["park", "housing"]);

/** Concordia: the structured log of a simulation, `SimulationLog.to_json`, a run a file. Steps of game masters are no turns. */
export default function* concordia(path: string) {
  for (const { entry_type, entity_name: agent, summary: text } of JSON.parse(readFileSync(path, "utf8")).entries) {
    if (entry_type === "entity") yield { run: path, agent, state: state(text), text };
  }
}
