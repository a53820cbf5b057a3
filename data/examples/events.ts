import { readFileSync } from "node:fs";
import { vote } from "@/record/mod.ts";

const state = vote(["A", "B"]);

/** JSON lines of several kinds of events, all runs in one file: those of the kind "turn" are statements. */
export default function* events(path: string) {
  for (const line of readFileSync(path, "utf8").trim().split("\n")) {
    const { kind, game: run, round, agent, answer } = JSON.parse(line);
    if (kind === "turn") yield { run, round, agent, state: state(answer) };
  }
}
