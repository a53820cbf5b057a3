import type { z } from "zod";
import { createRng } from "@/core/rng.ts";
import type { GroupReasons } from "@/lab/paper/group_reasons.ts";
import { reasonedRuns } from "@/lab/runs/mod.ts";
import { reasonDivergence, type ReasonedRun, sameVerdict } from "@/stats/mod.ts";
import { chosenIn, dealOf, pairsOf, sixDecimals } from "./count_condition.ts";
import { optionsOf, readGames, type Turn } from "./games.ts";
import type { PlannedCondition } from "./planned.ts";

type Reasons = z.input<typeof GroupReasons>;
type Distances = readonly { distance?: number; low?: number; high?: number }[];

/** Shuffles of the runs' deals. */
const PERMUTATIONS = 999;

/**
 * How far apart the words and the deals of a condition's games lie, in numbers alone; undefined for naming games, whose
 * words are the choice itself, and for a condition with one whole game.
 */
export async function reasonsOf(row: PlannedCondition): Promise<Reasons | undefined> {
  if (row.set === "naming") return undefined;
  const { games, whole: { runs } } = await readGames(row), options = optionsOf(row);
  if (runs.length < 2) return undefined;
  const spoken = reasonedRuns({ runs }, { align: "utterance" }).map((reasoned, i) => {
    const { run, texts = [], preferences } = runs[i]!, turns = games.get(run)!.slice(0, row.rounds + 1);
    const tags = dealsByUtterance(texts, preferences, options);
    return { ...reasoned, tags, decision: dealOf(turns, preferences.at(-1)!, options)?.deal };
  });
  const words = reasonDivergence(spoken, { of: "words" }), deals = reasonDivergence(spoken, { of: "tags" });
  return {
    ...{ set: row.set, condition: row.condition, games: runs.length, texts: words.entries, silent: words.silent },
    words: { runs: rounded(words.runs), rounds: rounded(words.rounds), agents: rounded(words.agents) },
    characters: rounded(reasonDivergence(spoken, { of: "characters" }).runs),
    deals: rounded(deals.runs),
    change: { words: rounded([words.change.runs])[0]!, deals: rounded([deals.change.runs])[0]! },
    verdict: { words: verdict(spoken, "words"), characters: verdict(spoken, "characters") },
    parting: parting([...games.values()].map((turns) => turns.slice(0, row.rounds + 1))),
  };
}

/** The file of all conditions, one a line. */
export const reasonsFile = (conditions: readonly Reasons[]): string =>
  `{"schema":"group-reasons/1","conditions":[\n${conditions.map((one) => JSON.stringify(one)).join(",\n")}\n]}\n`;

const rounded = (distances: Distances) =>
  distances.map(({ distance, low, high }) =>
    [distance, low, high].map((value) => value === undefined ? null : sixDecimals(value)) as [
      number | null,
      number | null,
      number | null,
    ]
  );

function verdict(runs: readonly ReasonedRun[], of: "words" | "characters"): Reasons["verdict"]["words"] {
  const { decisions, ...found } = sameVerdict(runs, { of, rng: createRng(1), permutations: PERMUTATIONS });
  const { statistic, alike, different, p, apart: _, exact: _exact, least: _least, subset: _subset, ...rest } = found;
  const numbers = Object.entries({ statistic, alike, different, p }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, sixDecimals(value)]]
  );
  return {
    ...rest,
    ...Object.fromEntries(numbers),
    decisions: decisions.map(({ runs }) => runs).sort((a, b) => b - a),
  };
}

/** The deal that each party holds after its n-th utterance, as tags: the options it names. */
function dealsByUtterance(
  texts: NonNullable<ReasonedRun["texts"]>,
  states: readonly (readonly (readonly number[] | undefined)[])[],
  options: readonly string[],
) {
  const spoken = (texts[0] ?? []).map((_, seat) =>
    texts.flatMap((round, t) => round[seat] === undefined ? [] : [states[t]![seat]])
  );
  const most = Math.max(...spoken.map((own) => own.length));
  return Array.from(
    { length: most },
    (_, n) => spoken.map((own) => own[n] && chosenIn(own[n]).map((k) => options[k]!)),
  );
}

/**
 * By turn: pairs of games in which the same parties have spoken up to it after one opening, and those of them that agree in
 * every word up to it. `[pairs, alike]` of turn 1 first; turns without a pair are left out.
 */
function parting(games: readonly (readonly Turn[])[]): [number, number][] {
  const counts: [number, number][] = [];
  for (const [one, other] of pairsOf(games)) {
    let alike = true;
    for (let t = 1; t < Math.min(one.length, other.length) && one[t]!.agent === other[t]!.agent; t++) {
      alike &&= one[t]!.text === other[t]!.text;
      const count = counts[t - 1] ??= [0, 0];
      count[0] += 1;
      count[1] += alike ? 1 : 0;
    }
  }
  return counts;
}
