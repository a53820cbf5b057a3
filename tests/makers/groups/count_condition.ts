import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { z } from "zod";
import { createRng } from "@/core/rng.ts";
import type { CountedCondition } from "@/lab/paper/groups.ts";
import { independentDivergence } from "@/stats/mod.ts";
import { optionsOf, readGames, readNaming, type Turn } from "./games.ts";
import type { PlannedCondition } from "./planned.ts";
import { readScores } from "./scores.ts";

type Counted = Omit<z.input<typeof CountedCondition>, "schema" | "set" | "condition">;
type States = readonly (readonly (readonly number[] | undefined)[])[];

/** Rounds of a naming game that are counted. */
const ROUNDS = 40;
/** Draws of exchanged agents. */
const DRAWS = 200;

/** The line of `data/groups/SET.jsonl` about one condition, made from its records. */
export async function conditionLine(row: PlannedCondition): Promise<string> {
  const { set, condition } = row;
  const counted = set === "naming" ? countNaming(row) : await countNegotiation(row);
  return JSON.stringify({ schema: "group-counts/1", set, condition, ...counted }) + "\n";
}

function countNaming(row: PlannedCondition): Counted {
  const { file, games, options, whole: { runs, agents } } = readNaming(row, ROUNDS);
  return {
    options,
    agents: agents.length,
    exchanged: exchanged(runs.map(({ preferences }) => carried(preferences)), row),
    sources: { [basename(file)]: sha256(file) },
    runs: runs.map(({ run, preferences }) => {
      const game = games.find((one) => String(one.run) === run)!;
      const said = wordsByRound(game).map((words) => options.map((name) => words.filter((w) => w === name).length));
      const held = preferences.slice(0, said.length).map((agents) => countsOf(agents, options.length));
      return { run, ended: said.length, held, said: said.slice(0, ROUNDS) };
    }),
  };
}

/** All counted rounds, also where every game ended before: who has agreed goes on to agree. */
const carried = (states: States): States => Array.from({ length: ROUNDS }, (_, t) => states[t] ?? states.at(-1)!);

/** What was said in each round alone: a word for each agent of each pair. */
const wordsByRound = ({ agents, interactions }: ReturnType<typeof readNaming>["games"][number]): string[][] =>
  [...Map.groupBy(interactions.entries(), ([i]) => Math.floor(2 * i / agents)).values()]
    .map((round) => round.flatMap(([, [, , one, other]]) => [one, other]));

async function countNegotiation(row: PlannedCondition): Promise<Counted> {
  const { folder, games, whole: { runs: whole, agents: seats } } = await readGames(row);
  // One game alone has no other to be compared with.
  const runs = whole.length > 1 ? whole : [], options = optionsOf(row), scores = await readScores(row, seats);
  return {
    options,
    parties: seats,
    vetoes: scores?.vetoes ?? [],
    files: games.size,
    calls: identicalCalls([...games.values()]),
    ...(runs.length > 1 && { exchanged: exchanged(runs.map(({ preferences }) => preferences), row) }),
    sources: Object.fromEntries(
      [...games.keys()].map((file) => [basename(file, ".json"), sha256(`${folder}/${file}`)]),
    ),
    runs: runs.map(({ run, preferences }) => {
      const turns = games.get(run)!.slice(0, row.rounds + 1), deal = dealOf(turns, preferences.at(-1)!, options);
      return {
        run: basename(run, ".json"),
        unread: turns.filter(({ state }) => state === undefined).length,
        held: preferences.map((agents) => countsOf(agents, options.length).join("")),
        ...(deal && { decision: deal.deal, votes: deal.votes, ...scores?.worth(deal.chosen) }),
      };
    }),
  };
}

const sha256 = (file: string): string => createHash("sha256").update(Deno.readFileSync(file)).digest("hex");

/** Agents by the options that they have chosen. */
const countsOf = (agents: States[number], options: number): number[] =>
  Array.from({ length: options }, (_, k) => agents.filter((state) => state !== undefined && state[k]! > 0).length);

function exchanged(states: readonly States[], { from, rounds }: PlannedCondition): Counted["exchanged"] {
  const { D = [], ratio, p } = independentDivergence(states, { rng: createRng(1), draws: DRAWS, from, to: rounds });
  return { D: D.map(sixDecimals), ratio: ratio && sixDecimals(ratio), p: p && sixDecimals(p) };
}

export const sixDecimals = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Pairs of games in which the same party speaks first after the same opening. */
export const pairsOf = (games: readonly (readonly Turn[])[]): [readonly Turn[], readonly Turn[]][] =>
  games.flatMap((one, i) => games.slice(i + 1).map((other): [readonly Turn[], readonly Turn[]] => [one, other]))
    .filter(([[a, c], [b, d]]) => c && d && a!.agent === b!.agent && a!.text === b!.text && c.agent === d.agent);

/** Pairs of games with the same first call, by whether it was answered alike. */
function identicalCalls(games: readonly (readonly Turn[])[]): NonNullable<Counted["calls"]> {
  const pairs = pairsOf(games).map(([one, other]) => [one[1]!, other[1]!] as const);
  const read = pairs.filter(([one, other]) => one.state && other.state);
  return {
    pairs: pairs.length,
    words: pairs.filter(([one, other]) => one.text === other.text).length,
    read: read.length,
    deal: read.filter(([one, other]) => String(one.state) === String(other.state)).length,
  };
}

export const chosenIn = (state: readonly number[] = []): number[] => state.flatMap((share, k) => share > 0 ? k : []);

/** The deal that most parties named last; of several, the one named latest by anybody. */
export function dealOf(turns: readonly Turn[], states: States[number], options: readonly string[]) {
  const latest = new Map(turns.map(({ state }, turn) => [chosenIn(state).join(), turn]));
  const deals = Map.groupBy(states.flatMap((state) => state ? [chosenIn(state)] : []), (deal) => deal.join());
  const [best] = [...deals].sort(([a, one], [b, other]) =>
    other.length - one.length || latest.get(b)! - latest.get(a)!
  );
  if (best === undefined) return undefined;
  const chosen = best[1][0]!;
  return { chosen, votes: best[1].length, deal: chosen.map((k) => options[k]!).join(",") };
}
