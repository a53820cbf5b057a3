import { createHash } from "node:crypto";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { z } from "zod";
import { createRng } from "@/core/rng.ts";
import type { CountedCondition } from "@/lab/paper/groups.ts";
import type { ImportedRun } from "@/record/source_runs.ts";
import { importRuns, loadRunSource } from "@/lab/runs/import_runs.ts";
import { independentDivergence } from "@/stats/mod.ts";
import { type PlannedCondition, RECORDS } from "./planned.ts";
import { readParties, readScores } from "./scores.ts";

type Counted = Omit<z.input<typeof CountedCondition>, "schema" | "set" | "condition">;
type States = ImportedRun["states"];

/** Rounds of a naming game that are counted. */
const ROUNDS = 40;
/** Draws of exchanged agents. */
const DRAWS = 200;

/** The line of `data/groups/SET.jsonl` about one condition, made from its records. */
export async function conditionLine(row: PlannedCondition): Promise<string> {
  const { set, condition } = row;
  const counted = set === "naming" ? await countNaming(row) : await countNegotiation(row);
  return JSON.stringify({ schema: "group-counts/1", set, condition, ...counted }) + "\n";
}

async function countNaming(row: PlannedCondition): Promise<Counted> {
  const file = fileURLToPath(new URL(`${row.folder}/${row.condition}.jsonl`, RECORDS));
  const source = await loadRunSource("naming-games");
  const { options, agents, runs } = await importRuns(file, { ...source, rounds: ROUNDS });
  return {
    options: [...options],
    agents: agents.length,
    exchanged: exchanged(runs.map(({ states }) => states), row),
    sources: { [basename(file)]: sha256(file) },
    runs: runs.map(({ id, ended, states, said }) => ({
      ...{ run: id, ended, held: states.slice(0, ended).map((agents) => countsOf(agents, options.length)) },
      said: said.slice(0, ended).map((counts) => [...counts]),
    })),
  };
}

/** The games of a condition: those that are whole, the first round of all that have one, and all of these. */
export async function games(row: PlannedCondition) {
  const folder = fileURLToPath(new URL(`${row.folder}/${row.condition}`, RECORDS));
  const { parties, rename } = await readParties(row.game);
  const five = row.set === "reproduction" ? "negotiations-reproduced" : "negotiations";
  const source = await loadRunSource(row.agents === 7 ? "negotiations-seven-parties" : five);
  const whole = await importRuns(folder, { ...source, agents: { rename, different: "exclude" } });
  // Games that broke off later, whoever spoke in them.
  const anybody = { ...source, agents: { rename, different: "allow" } } as const;
  const begun = await importRuns(folder, { ...anybody, rounds: 1 });
  const all = () => importRuns(begun.runs.map(({ file }) => file), { ...anybody, ended: "carry" });
  return { folder, parties, whole, begun, all };
}

async function countNegotiation(row: PlannedCondition): Promise<Counted> {
  const { folder, parties, whole, begun } = await games(row);
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  const seats = parties.filter((party) => whole.agents.includes(party));
  const seated = (states: States) => states.map((round) => seats.map((party) => round[whole.agents.indexOf(party)]));
  // One game alone has no other to be compared with.
  const runs = whole.runs.length > 1 ? whole.runs : [];
  const scores = await readScores(row, seats);
  const options = whole.options.map((option) => option.replace(": ", ""));
  return {
    options,
    parties: seats,
    vetoes: scores?.vetoes ?? [],
    files: files.length,
    calls: identicalCalls(begun.runs),
    ...(runs.length > 1 && { exchanged: exchanged(runs.map(({ states }) => seated(states)), row) }),
    sources: Object.fromEntries(files.map((file) => [basename(file, ".json"), sha256(`${folder}/${file}`)])),
    runs: runs.map((run) => {
      const held = run.states.map((agents) => countsOf(agents, options.length).join(""));
      const { chosen, votes, deal: decision } = dealOf(run, options) ?? {};
      const worth = chosen === undefined ? undefined : scores?.worth(chosen);
      return {
        run: basename(run.file, ".json"),
        unread: run.unread,
        held,
        ...(chosen && { decision, votes }),
        ...worth,
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

/** Pairs of games with the same opening and the same party after it, by whether it said the same. */
function identicalCalls(runs: readonly ImportedRun[]): NonNullable<Counted["calls"]> {
  const pairs = runs.flatMap((a, i) => runs.slice(i + 1).map((b) => [a, b] as const)).filter(([a, b]) =>
    a.opening!.agent === b.opening!.agent && a.opening!.words === b.opening!.words && a.first!.agent === b.first!.agent
  );
  const read = pairs.filter(([a, b]) => a.first!.state && b.first!.state);
  return {
    pairs: pairs.length,
    words: pairs.filter(([a, b]) => a.first!.words === b.first!.words).length,
    read: read.length,
    deal: read.filter(([a, b]) => String(a.first!.state) === String(b.first!.state)).length,
  };
}

const chosenIn = (state: readonly number[]): number[] => state.flatMap((share, k) => share > 0 ? k : []);

/** The deal that most parties named last; of several, the one named latest by anybody. */
export function dealOf({ states, said, opening }: ImportedRun, options: readonly string[]) {
  const latest = new Map([opening?.state, ...said].map((state, turn) => [chosenIn(state ?? []).join(), turn]));
  const deals = Map.groupBy(states.at(-1)!.flatMap((state) => state ? [chosenIn(state)] : []), (deal) => deal.join());
  const [best] = [...deals].sort(([a, one], [b, other]) =>
    other.length - one.length || latest.get(b)! - latest.get(a)!
  );
  if (best === undefined) return undefined;
  const chosen = best[1][0]!;
  return { chosen, votes: best[1].length, deal: chosen.map((k) => options[k]!).join(",") };
}
