import { mean } from "simple-statistics";
import { classify } from "../../../quality/classify.ts";
import { type Interval, printedQ, type PublishedRow } from "../../../quality/published_row.ts";
import { pairOrder } from "../../../quality/ranks.ts";
import { possibleQ, rescoreBounds } from "../../../quality/rescore_bounds.ts";
import { NAMED_WEIGHTS, PUBLISHED_WEIGHTS, type Weights } from "../../../quality/weights.ts";
import { CLASSIFICATIONS, type ComponentName } from "../../../schema/quality_names.ts";
import { recomputeTables } from "../../quality_tables.ts";
import type { FloorRun, LiveRun, StationTables } from "../../published_station.ts";
import type { Checks } from "../evaluate_claims.ts";
import { countOf, listed, nameOf, qOf, survivors, threeDecimals, words } from "../words.ts";

/** Two ways of summing the same decimals may differ in their last binary digit. */
const DUST = 1e-12;

/** Live runs that passed a plan by this round passed early. */
const EARLY = 2;

/** What is said of the score and its classes. */
export const SCORE: Checks<StationTables> = {
  /** Every printed class is the one that the printed q, outcome and passed plans give. */
  classesFollowRule({ runs, floor }) {
    const rows = [
      ...runs.map((run) => ({ name: nameOf(run), given: run.class, follows: classify(outcomeOf(run)) })),
      ...floor.map((run) => ({ name: `no model ${run.seed}`, given: run.classification, follows: classify(run) })),
    ];
    const right = rows.filter(({ given, follows }) => given === follows);
    const wrong = rows.filter((row) => !right.includes(row)).map(({ name }) => name);
    return {
      holds: wrong.length === 0,
      evidence: words`${countOf(right, rows)} printed classes follow from the printed
        values${wrong.length === 0 ? "" : `, not those of ${listed(wrong)}`};
        ${new Set(rows.map(({ given }) => given)).size} of the ${CLASSIFICATIONS.length} classes occur.`,
    };
  },

  /**
   * Every printed q is one that the published formula can give with what else is printed of the run. That would refute
   * the formula if it failed; where it holds, other formulas might give the same.
   */
  qPossible({ runs, floor }) {
    const rows = [...runs, ...floor.map(asRow)];
    const possible = rows.filter((row) => consistent(row));
    return {
      holds: possible.length === rows.length ? undefined : false,
      evidence: words`${countOf(possible, rows)} printed q lie within what the formula allows for the values printed
        beside them.`,
    };
  },

  /** Nine weights of components in [0, 1] make q a mean of them: they add up to one. */
  weightsSumToOne({ weights }) {
    const sum = sumOf(weights.map(({ weight }) => weight));
    return {
      holds: Math.abs(sum - 1) < DUST,
      evidence: words`${weights.map(({ weight }) => weight.toFixed(2)).join(" + ")} = ${sum.toFixed(2)}, over
        ${weights.length} components.`,
    };
  },

  /** Executability and public order each weigh more than trust and coalition breadth. */
  feasibilityFirst({ weights }) {
    const of = (...names: ComponentName[]) => weights.filter(({ component }) => names.includes(component));
    const [first, second] = [of("executability", "public_order"), of("trust", "coalition")];
    const told = (rows: typeof weights) => listed(rows.map(({ printed, weight }) => `${printed} ${weight.toFixed(2)}`));
    return {
      holds: Math.min(...first.map(({ weight }) => weight)) > Math.max(...second.map(({ weight }) => weight)),
      evidence: words`${told(first)}, together ${sumOf(first.map(({ weight }) => weight)).toFixed(2)}; ${told(second)},
        together ${sumOf(second.map(({ weight }) => weight)).toFixed(2)}.`,
    };
  },

  /** Some named weighting certainly turns round the order of two families' means, whatever was not published. */
  otherWeightsOtherOrder({ runs }) {
    const before = familyBounds(runs, PUBLISHED_WEIGHTS);
    const named = Object.values(NAMED_WEIGHTS).map(({ label, weights }) => ({
      label,
      turned: turnedRound(before, familyBounds(runs, weights)),
    }));
    const certain = named.filter(({ turned }) => turned.length > 0);
    const told = certain.map(({ label, turned }) => `"${label}" puts ${listed(turned)}`);
    return {
      holds: certain.length > 0 ? true : undefined,
      evidence: words`${countOf(certain, named)} named weightings certainly turn round the order of two families:
        ${listed(told)}.`,
    };
  },

  /** Every live run that passed early scores above every run without a model. */
  earlyAboveMechanical({ runs, floor }) {
    const early = survivors(runs).filter((run) => run.time_to_first_pass! <= EARLY);
    const [least, most] = [Math.min(...qOf(early)), Math.max(...qOf(floor))];
    return {
      holds: early.length > 0 && least > most,
      evidence: words`The ${early.length} live runs that passed by round ${EARLY} score at least
        ${threeDecimals(least)}, those without a model at most ${threeDecimals(most)}.`,
    };
  },

  /** Every live run that stabilised scores above every run without a model. */
  scoreSeparates({ runs, floor }) {
    const live = survivors(runs);
    const most = Math.max(...qOf(floor));
    const within = live.filter(({ q }) => q <= most);
    const pairs = live.flatMap(({ q }) => floor.map((run) => q > run.q));
    return {
      holds: within.length === 0,
      evidence: words`${countOf(within, live)} live survivors score no more than the best run without a model
        (${threeDecimals(most)}): ${listed(within.map((run) => `${nameOf(run)} ${threeDecimals(run.q)}`))}. The live
        run is above in ${(100 * pairs.filter(Boolean).length / pairs.length).toFixed(1)} % of pairs.`,
    };
  },

  /** Every cell of Tables 6 and 7 and the means of Table 8 can come from the printed rows. */
  tablesRecompute(published) {
    const cells = recomputeTables(published);
    const within = cells.filter(({ verdict }) => verdict === "within rounding");
    const wrong = cells.filter(({ verdict }) => verdict === "not compatible");
    const named = (some: typeof cells) => listed(some.map(({ name }) => name));
    return {
      holds: wrong.length === 0,
      evidence: words`Of ${cells.length} cells ${cells.length - within.length - wrong.length} come out as printed,
        ${within.length} within the rounding of their inputs (${named(within)}), ${wrong.length} not at
        all${wrong.length === 0 ? "" : ` (${named(wrong)})`}.`,
    };
  },
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const outcomeOf = ({ q, stabilized, passed_count }: LiveRun) => ({ q, stabilized, passed_count });

const asRow = ({ public_order_margin, ...run }: FloorRun) => ({ ...run, public_order: public_order_margin + 0.35 });

/** Whether the printed q is among those that the values printed beside it allow. */
function consistent(row: PublishedRow): boolean {
  const [possible, printed] = [possibleQ(row), printedQ(row)];
  return printed.low <= possible.high + DUST && printed.high >= possible.low - DUST;
}

/** Runs vary independently, so the mean's bounds are the means of the bounds. */
function familyBounds(runs: readonly LiveRun[], weights: Weights): Map<string, Interval> {
  const families = [...Map.groupBy(runs, ({ model }) => model)];
  return new Map(families.map(([model, own]) => {
    const bounds = own.map((run) => rescoreBounds(run, weights));
    return [model, { low: mean(bounds.map(({ low }) => low)), high: mean(bounds.map(({ high }) => high)) }];
  }));
}

function turnedRound(before: ReadonlyMap<string, Interval>, after: ReadonlyMap<string, Interval>): string[] {
  const names = [...before.keys()];
  return names.flatMap((a) =>
    names.filter((b) =>
      pairOrder(before.get(a)!, before.get(b)!) === "above" && pairOrder(after.get(a)!, after.get(b)!) === "below"
    ).map((b) => `${a} below ${b}`)
  );
}
