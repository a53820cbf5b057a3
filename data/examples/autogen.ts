import { readFileSync } from "node:fs";
import { lastMention } from "@/record/mod.ts";

/** A text that names none leaves an agent's state as it was. */
export const options = { hold: true };

const state = lastMention(["park", "housing"]);

interface Thread {
  readonly message_thread?: readonly unknown[];
}

/** AutoGen: the JSON of a `TaskResult`, or of a team's `save_state`, a run a file. Tools' events are no turns. */
export default function* autogen(path: string) {
  const saved = JSON.parse(readFileSync(path, "utf8"));
  const thread = () => Object.values<Thread>(saved.agent_states).flatMap(({ message_thread = [] }) => message_thread);
  for (const { type, source: agent, content: text } of saved.messages ?? thread()) {
    if (type === "TextMessage" && agent !== "user") yield { run: path, agent, state: state(text), text };
  }
}
