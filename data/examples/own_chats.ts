import { readFileSync } from "node:fs";
import { lastMention } from "@/record/mod.ts";

const state = lastMention(["A", "B"]);

/** Each agent's own chat, a run a file: the prompts (role user) quote what the others said, and are no turns. */
export default function* ownChats(path: string) {
  for (const [seat, chat] of JSON.parse(readFileSync(path, "utf8")).chats.entries()) {
    for (const { role, content: text } of chat) {
      if (role === "assistant") yield { run: path, agent: `agent ${seat + 1}`, state: state(text), text };
    }
  }
}
