import { referenceSlopes } from "../../../stats/reference_slopes.ts";
import type { DeliberationTables } from "../../deliberation_tables.ts";
import type { Finding } from "../../evaluate_claims.ts";
import { factBound } from "../../fact_bound.ts";
import { factValue } from "../../fact_value.ts";
import { four, HALF_DIGIT, listed, of, pOf } from "../words.ts";

type Slopes = Pick<DeliberationTables, "routes" | "landscape" | "conditions" | "models" | "facts">;

/** Every printed positive slope is steeper than growth without any sensitivity would give. */
export function positiveIsExponential({ routes, landscape, conditions, models, facts }: Slopes): Finding {
  const [from, to] = [factBound(facts, "fit-rounds", "low"), factBound(facts, "fit-rounds", "high")];
  const { randomWalk, ballistic } = referenceSlopes({ from, to });
  const tables = { "HL-01's 2×2": routes, "Table S5": conditions, "Table S6": models, "Table S8": landscape };
  const positive = Object.entries(tables).map(([name, rows]) => ({
    name,
    rows: rows.map(({ lambda }) => lambda).filter((lambda) => lambda > HALF_DIGIT),
  }));
  const above = (reference: number) =>
    positive.map(({ name, rows }) => ({ name, rows, over: rows.filter((one) => one - HALF_DIGIT > reference) }));
  const told = (reference: number) =>
    listed(above(reference).map(({ name, rows, over }) => `${of(over, rows)} in ${name}`));
  return {
    holds: above(ballistic).every(({ rows, over }) => over.length === rows.length) ? true : undefined,
    evidence: `Over rounds ${from}-${to} a random walk (D ∝ √t) has slope ${
      four(randomWalk)
    } and a straight drift (D ∝ t) ${four(ballistic)}, without exponential growth. Positive slopes above the walk's: ${
      told(randomWalk)
    }; above the drift's: ${told(ballistic)}.`,
  };
}

/** Whether the p stated can come from that many permutations; what the test rejects is another matter. */
export function permutationRejects({ facts }: Pick<DeliberationTables, "facts">): Finding {
  const permutations = factValue(facts, "permutations");
  const high = factBound(facts, "permutation-p", "high");
  const least = 1 / (permutations + 1);
  return {
    holds: least < high ? undefined : false,
    evidence:
      `The least p that ${permutations} permutations can give is ${
        pOf(least)
      }; stated is p < ${high}. Shuffling rounds within a run asks whether rounds are exchangeable, which every trend and ` +
      "every dependence between rounds refutes, growth or not.",
  };
}
