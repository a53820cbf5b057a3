import { readFileSync } from "node:fs";
import { vote } from "@/record/mod.ts";

interface Game {
  readonly run: number;
  readonly agents: number;
  /** Two agents, and the name that each of them says. */
  readonly interactions: readonly [string, string, string, string][];
}

/** The names that were said, in alphabetical order. */
export const namesIn = (games: readonly Game[]): string[] =>
  [...new Set(games.flatMap(({ interactions }) => interactions.flatMap(([, , one, other]) => [one, other])))].sort();

export const gamesIn = (path: string): Game[] =>
  readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line));

/** Not every agent speaks in the first round, and games end when all agree: they go on to agree. */
export const options = { hold: true, ended: "carry" as const };

/** Naming games, a run a line. A round is as many interactions of two as let each agent speak once; the last word counts. */
export default function* naming(path: string) {
  const games = gamesIn(path), state = vote(namesIn(games));
  for (const { run, agents, interactions } of games) {
    const last = new Map<string, string>();
    for (const [i, [one, other, says, replies]] of interactions.entries()) {
      last.set(String(one), says).set(String(other), replies);
      if ((i + 1) % (agents / 2) > 0 && i + 1 < interactions.length) continue;
      const round = Math.ceil((i + 1) / (agents / 2));
      for (const [agent, name] of last) yield { run: String(run), round, agent, state: state(name) };
    }
  }
}
