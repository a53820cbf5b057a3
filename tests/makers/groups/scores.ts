import { z } from "zod";
import { readCsv } from "@/record/read_csv.ts";
import { DATA, type PlannedCondition, RECORDS } from "./planned.ts";

const Party = z.strictObject({ game: z.string(), party: z.string(), called: z.string() });

/** A game under its own thresholds has its name, such as `base`; "base, other thresholds" has the parties of `base`. */
const gameOf = (game: string): string => game.split(",")[0]!;

/** The parties of a game by the names of their score files, and these names by those in the records. */
export async function readParties(game: string): Promise<{ parties: string[]; rename: Record<string, string> }> {
  const rows = (await readCsv(new URL("parties.csv", DATA), Party)).filter((row) => row.game === gameOf(game));
  const rename = rows.flatMap(({ party, called }) => called.split(";").map((name) => [name, party]));
  return { parties: rows.map(({ party }) => party), rename: Object.fromEntries(rename) };
}

interface Scores {
  /** The parties whose consent a deal needs. */
  readonly vetoes: string[];
  /** What a deal, as indices of its options, is worth; empty where a file of scores does not know one of them. */
  worth(chosen: readonly number[]): { points?: number[]; above?: number; vetoes?: boolean };
}

/** Options of an issue that are counted. */
const OPTIONS = 5;

/** The scores of a condition's game; undefined where its thresholds were not published. */
export async function readScores(row: PlannedCondition, seats: readonly string[]): Promise<Scores | undefined> {
  if (row.game !== gameOf(row.game)) return undefined;
  const folder = new URL(`${row.folder}/scores/${row.game}/`, RECORDS);
  const linesOf = async (name: string) => {
    const text = await Deno.readTextFile(new URL(`${name}.txt`, folder));
    return text.trim().split("\n").map((line) => line.split(",").map((cell) => cell.trim()));
  };
  const tables = await Promise.all(seats.map(async (party) => (await linesOf(party)).map((line) => line.map(Number))));
  const config = await linesOf("config");
  const vetoes = ["p1", "p2"].map((veto) => config.find(([, , role]) => role === veto)![1]!);
  // Its own settings, which are not among the records, give the second veto to the environmental league.
  if (row.condition.includes("veto_environment")) vetoes[1] = "enviroment";
  return {
    vetoes,
    worth(chosen) {
      const points = tables.map((issues) => chosen.map((k, i) => issues[i]![k % OPTIONS]));
      if (points.flat().includes(undefined)) return {};
      const totals = points.map((own) => own.reduce<number>((sum, value) => sum + value!, 0));
      const content = totals.map((total, seat) => total >= tables[seat]!.at(-1)![0]!);
      const both = seats.every((party, seat) => content[seat] || !vetoes.includes(party));
      return { points: totals, above: content.filter((yes) => yes).length, vetoes: both };
    },
  };
}
