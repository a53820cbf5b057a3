import { mean } from "simple-statistics";
import { fixedText } from "../../../core/numbers.ts";
import { rescoreBounds } from "../../../quality/rescore_bounds.ts";
import { PUBLISHED_WEIGHTS } from "../../../quality/weights.ts";
import { rankCorrelation } from "../../../stats/rank_correlation.ts";
import { studentT } from "../../../stats/student_t.ts";
import { factValue } from "../../published_facts.ts";
import type { LiveRun, StationTables } from "../../published_station.ts";
import type { Checks, Finding } from "../evaluate_claims.ts";
import { byQ, countOf, listed, nameOf, pText, rumours, survivors, threeDecimals, words } from "../words.ts";

type Evidence = Pick<StationTables, "runs" | "facts">;

/** How many runs may count as the strongest: the claim should not hang on where the line is drawn. */
const CUTS = [3, 4, 5, 6, 7, 8, 9, 10];

/** Nearly all of a component, allowing for rounding. */
const NEARLY_ALL = 0.99;

/** The middle of a component's range. */
const HALF = 0.5;

/** What is said of the strongest runs. */
export const STRONGEST: Checks<StationTables> = {
  /** It has the highest q of all published runs, and no rumour. */
  highestRun({ runs, floor }) {
    const [first, second] = byQ(runs);
    const orderly = runs.filter(({ public_order }) => public_order > (first?.public_order ?? NaN));
    const best = Math.max(second?.q ?? 0, ...floor.map(({ q }) => q));
    return {
      holds: first !== undefined && isExample(first) && first.q > best && first.active_rumors === 0,
      evidence: words`${first && nameOf(first)} has q ${threeDecimals(first?.q ?? NaN)} with
        ${rumours(first?.active_rumors ?? NaN)}, the next ${threeDecimals(best)}; ${orderly.length} runs ended with
        more public order.`,
    };
  },

  /** Wherever the line is drawn, the strongest passed earlier on average than the rest. */
  strongestPassedEarly({ runs }) {
    const { holds, evidence } = lowerAtEveryCut(runs, (run) => run.time_to_first_pass ?? NaN, "first pass in round");
    const [live, rounds] = [survivors(runs), survivors(runs).map((run) => run.time_to_first_pass!)];
    const rank = (less: number) => rankCorrelation(live.map(({ q }, i) => q - less * (7 - rounds[i]!) / 6), rounds)!;
    const [timeless, freedom] = [rank(PUBLISHED_WEIGHTS.time_to_pass), rounds.length - 2];
    const p = 2 * studentT(-Math.abs(timeless) * Math.sqrt(freedom / (1 - timeless ** 2)), freedom);
    const byConstruction = words`It is so nearly by construction: q counts time. Its rank correlation with that round is
      ${fixedText(rank(0), 2)}, without its time term ${fixedText(timeless, 2)} (${pText(p)}).`;
    return { holds, evidence: `${evidence} ${byConstruction}` };
  },

  /** Wherever the line is drawn, the strongest ended with fewer rumours on average than the rest. */
  strongestContainedRumors: ({ runs }) => lowerAtEveryCut(runs, (run) => run.active_rumors, "active rumours"),

  /** Each of the five strongest passed before the middle round and ended with at most the average number of rumours. */
  strongestShareShape({ runs }) {
    const live = survivors(runs);
    const strongest = byQ(live).slice(0, 5);
    const [rounds, rumors] = [
      mean(live.map((run) => run.time_to_first_pass!)),
      mean(live.map((run) => run.active_rumors)),
    ];
    const shaped = strongest.filter((run) => run.time_to_first_pass! < rounds && run.active_rumors <= rumors);
    const told = strongest.map((run) =>
      `${nameOf(run)} (round ${run.time_to_first_pass}, ${rumours(run.active_rumors)})`
    );
    return {
      holds: shaped.length === strongest.length,
      evidence: words`${countOf(shaped, strongest)} strongest runs passed before the mean round ${rounds.toFixed(2)}
        with at most ${rumors.toFixed(2)} rumours: ${listed(told)}.`,
    };
  },

  /** The five strongest runs' q are possible only with at least half of the margin of information integrity. */
  strongestKeptIntegrity: ({ runs }) => strongestAtLeast(runs, "info_integrity", "information integrity"),

  /** The five strongest runs' q are possible only with at least half of the eight coalition edges. */
  strongestFormedCoalitions: ({ runs }) => strongestAtLeast(runs, "coalition", "coalition breadth"),

  /** The clean example's q is possible only if its plans needed hardly any repair. */
  exampleUnrepaired: (published) => examplePinned(published, "schema_independence", "schema independence"),

  /** The clean example's q is possible only with a broad coalition. */
  exampleBroadCoalition: (published) => examplePinned(published, "coalition", "coalition breadth"),
};

/** The clean example of the paper. */
const isExample = ({ model, seed }: LiveRun): boolean => model.startsWith("MIMO") && seed === 109;

function lowerAtEveryCut(runs: readonly LiveRun[], value: (run: LiveRun) => number, what: string): Finding {
  const ordered = byQ(survivors(runs));
  const meanOf = (part: readonly LiveRun[]) => mean(part.map(value));
  const cuts = CUTS.map((cut) => [cut, meanOf(ordered.slice(0, cut)), meanOf(ordered.slice(cut))] as const);
  const held = cuts.filter(([, strongest, rest]) => strongest < rest);
  const failed = cuts.filter((cut) => !held.includes(cut)).map(([cut, a, b]) =>
    `${cut} (${a.toFixed(2)}, ${b.toFixed(2)})`
  );
  const [, strongest, rest] = cuts.find(([cut]) => cut === 5)!;
  return {
    holds: held.length === 0 ? false : held.length === cuts.length ? true : undefined,
    evidence: words`Mean ${what} of the five strongest ${strongest.toFixed(2)}, of the ${ordered.length - 5} others
      that stabilised ${rest.toFixed(2)} (runs that failed are left out); lower for the strongest at
      ${countOf(held, cuts)} cuts from ${CUTS[0]} to ${CUTS.at(-1)}
      runs${failed.length === 0 ? "" : `, not at ${listed(failed)}`}.`,
  };
}

/** What q and the values beside it leave of a component in the five strongest runs, whatever else was not printed. */
function strongestAtLeast(
  runs: readonly LiveRun[],
  component: "info_integrity" | "coalition",
  name: string,
): Finding {
  const bounds = byQ(survivors(runs)).slice(0, CUTS.at(-1)).map((run) => rescoreBounds(run, { [component]: 1 }));
  const five = bounds.slice(0, 5);
  const enough = (some: typeof bounds) => some.filter(({ low }) => low >= HALF);
  return {
    holds: five.some(({ high }) => high < HALF) ? false : enough(five).length === five.length ? true : undefined,
    evidence: words`What is printed leaves ${name} at ${threeDecimals(Math.min(...five.map(({ low }) => low)))} or more
      in each of the five strongest runs; at ${HALF} or more in ${countOf(enough(bounds), bounds)} strongest.`,
  };
}

function examplePinned(
  { runs, facts }: Evidence,
  component: "schema_independence" | "coalition",
  name: string,
): Finding {
  const run = runs.find(isExample);
  if (run === undefined) return { holds: undefined, evidence: `The run is not among those published.` };
  const further = {
    plan_executability: factValue(facts, "mimo-109-executability"),
    info_integrity: factValue(facts, "mimo-109-info-integrity"),
  };
  const { low, high } = rescoreBounds({ ...run, ...further }, { [component]: 1 });
  return {
    holds: low >= NEARLY_ALL ? true : high < NEARLY_ALL ? false : undefined,
    evidence: `What is printed of ${nameOf(run)} leaves its ${name} from ${low.toFixed(4)} to ${high.toFixed(4)}.`,
  };
}
