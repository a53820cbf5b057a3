import { cumulativeStdNormalProbability, sampleCorrelation, sampleStandardDeviation } from "simple-statistics";
import { studentT } from "@/stats/distributions.ts";
import { fisherExact, signFlipTest, signTest } from "@/stats/exact_tests.ts";
import { kendallTau, rankCorrelation } from "@/stats/rank_correlation.ts";

/**
 * What the quantities of claims compute beyond plain SQL. Samples are JSON arrays, as `json_group_array` makes them; tests are
 * two-sided and give p.
 */
export const FUNCTIONS = {
  sqrt: (x: number) => Math.sqrt(x),
  ln: (x: number) => Math.log(x),
  exp: (x: number) => Math.exp(x),
  /** Sample standard deviation. */
  sd: (values: string) => sampleStandardDeviation(numbers(values)),
  pearson: (a: string, b: string) => sampleCorrelation(numbers(a), numbers(b)),
  spearman: (a: string, b: string) => rankCorrelation(numbers(a), numbers(b)) ?? null,
  kendall: (a: string, b: string) => kendallTau(numbers(a), numbers(b)) ?? null,
  /** Distribution functions. */
  normal: (z: number) => cumulativeStdNormalProbability(z),
  student_t: (t: number, freedom: number) => studentT(t, freedom),
  sign_test: (above: number, below: number) => signTest({ above, below }),
  sign_flip: (values: string) => signFlipTest(numbers(values)),
  /** Of one share against another. */
  fisher: (part: number, whole: number, otherPart: number, otherWhole: number) =>
    fisherExact({ part, whole }, { part: otherPart, whole: otherWhole }),
};

const numbers = (values: string): number[] => JSON.parse(values);
