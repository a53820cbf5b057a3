import { fileURLToPath } from "node:url";
import { runsOf } from "@/record/mod.ts";
import naming, { gamesIn, namesIn, options as carrying } from "../../../data/examples/naming.ts";
import { options as holding, turnsIn } from "../../../data/examples/negotiations.ts";
import { type PlannedCondition, RECORDS } from "./planned.ts";
import { readParties } from "./scores.ts";

/** The naming games of a condition, and their runs up to that round; a game that ended keeps its last states. */
export function readNaming(row: PlannedCondition, rounds: number) {
  const file = fileURLToPath(new URL(`${row.folder}/${row.condition}.jsonl`, RECORDS)), games = gamesIn(file);
  const agents = Array.from({ length: row.agents }, (_, i) => String(i + 1));
  const whole = runsOf(naming(file), { agents, rounds, ...carrying });
  return { file, games, options: namesIn(games), whole };
}

/** A turn of a negotiation; round 0, the opening, counts for its speaker but is no round. */
export type Turn = ReturnType<typeof turnsIn> extends Iterable<infer Turn> ? Turn : never;

/** The options of five or six issues, in the order of a deal's shares. */
export const optionsOf = (row: PlannedCondition): string[] =>
  [...issuesOf(row)].flatMap((issue) => [..."12345"].map((option) => issue + option));

const issuesOf = ({ agents }: PlannedCondition): string => agents === 7 ? "ABCDEF" : "ABCDE";

/** The games of a condition by their names: all turns of every game, and the runs of those that are whole. */
export async function readGames(row: PlannedCondition) {
  const { parties, rename } = await readParties(row.game);
  const folder = fileURLToPath(new URL(`${row.folder}/${row.condition}`, RECORDS));
  const games = Map.groupBy(renamed(turnsIn(folder, issuesOf(row)), rename), ({ run }) => run);
  const finished = [...games.values()].filter((turns) => turns.length > row.rounds);
  const gamesWith = (party: string) => finished.filter((turns) => turns.some(({ agent }) => agent === party)).length;
  // Not every game seats every party of its scores.
  const agents = parties.filter((party) => gamesWith(party) > finished.length / 2);
  return { folder, games, whole: runsOf(finished.flat(), { agents, rounds: row.rounds, ...holding }) };
}

function* renamed(turns: Iterable<Turn>, rename: Readonly<Record<string, string>>): Generator<Turn> {
  for (const turn of turns) yield { ...turn, agent: rename[turn.agent.trim()] ?? turn.agent.trim() };
}
