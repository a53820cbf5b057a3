import { readdirSync, readFileSync } from "node:fs";

/** One party speaks in a round. */
export const options = { hold: true };

/** Reads the deal that a text names last: a share for each issue's options 1 to 5; undefined without all issues. */
export const dealOver = (issues: string) => (text: string): number[] | undefined => {
  const tagged = [...text.matchAll(/<DEAL>(.*?)<\/?DEAL>/gis)].reverse();
  const passages = tagged.map(([, deal]) => deal!.matchAll(/([A-F])\s*:?\s*([1-5])/gi));
  for (const passage of [...passages, text.matchAll(/([A-F])([1-5])/g)]) {
    const deal = new Map([...passage].map(([, issue, option]) => [issue!.toUpperCase(), option]));
    if (![...issues].every((issue) => deal.has(issue))) continue;
    return [...issues].flatMap((issue) =>
      [..."12345"].map((option) => deal.get(issue) === option ? 1 / issues.length : 0)
    );
  }
};

/** All turns of the games in a folder, a game a file. Turn 0 opens a game: it counts for its speaker but is no round. */
export function* turnsIn(folder: string, issues: string) {
  const state = dealOver(issues);
  for (const run of readdirSync(folder).sort()) {
    const turns = JSON.parse(readFileSync(`${folder}/${run}`, "utf8")).rounds;
    for (const [round, { agent, public_answer: text }] of turns.entries()) {
      yield { run, round, agent: String(agent), state: state(text), text: String(text) };
    }
  }
}

/** Games of that many rounds; those that broke off are left out, and so are later turns. */
export function* wholeGames(folder: string, issues: string, rounds: number) {
  const games = Map.groupBy(turnsIn(folder, issues), ({ run }) => run);
  for (const turns of games.values()) if (turns.length > rounds) yield* turns.slice(0, rounds + 1);
}

/** Negotiations of three to six parties over five issues in 24 rounds. */
export default function* negotiations(folder: string) {
  yield* wholeGames(folder, "ABCDE", 24);
}
