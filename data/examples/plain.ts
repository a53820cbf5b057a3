import { readFileSync } from "node:fs";

/** What `exportRuns` writes: a run a line, every agent's shares by round. */
export default function* plain(path: string) {
  for (const line of readFileSync(path, "utf8").trim().split("\n")) {
    const { run, rounds, decision } = JSON.parse(line);
    for (const [t, { states }] of rounds.entries()) {
      for (const agent of Object.keys(states)) {
        yield { run: String(run), round: t + 1, agent, state: states[agent].pref as number[], decision };
      }
    }
  }
}
