import { readFileSync } from "node:fs";
import { lastMention } from "@/record/mod.ts";

/** A text that names none leaves an agent's state as it was. */
export const options = { hold: true };

const state = lastMention(["park", "housing"]);

/** LangGraph: the messages of a thread's state, as JSON of `get_state(config).values` or of the server, a run a file. */
export default function* langgraph(path: string) {
  const thread = JSON.parse(readFileSync(path, "utf8"));
  for (const message of thread.values?.messages ?? thread.messages ?? thread) {
    const { type, name, content } = { ...message, ...message.kwargs };
    if (["human", "user", "system", "tool"].includes(type)) continue;
    const text = Array.isArray(content) ? content[0]?.text : content;
    yield { run: path, agent: name, state: state(text), text };
  }
}
