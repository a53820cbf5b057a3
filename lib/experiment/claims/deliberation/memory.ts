import { signTest } from "../../../stats/sign_test.ts";
import type { DeliberationTables } from "../../deliberation_tables.ts";
import type { Finding } from "../../evaluate_claims.ts";
import { rowOf } from "../../published_cells.ts";
import { four, LEVEL, listed, of, pOf } from "../words.ts";

/** Whether a shorter window lowers the slope wherever it was tried, beyond what chance would do. */
export function shorterMemoryLowers(
  { effects, landscape }: Pick<DeliberationTables, "effects" | "landscape">,
): Finding {
  const own = effects.filter(({ change }) => change === "k3" || change === "k1");
  const positive = own.filter(({ sign }) => sign === "positive");
  const scenarios = [...new Set(own.map(({ scenario }) => scenario))];
  const lowered = scenarios.filter((id) => own.every((row) => row.scenario !== id || row.sign === "positive"));
  const p = signTest({ above: lowered.length, below: scenarios.length - lowered.length });
  const slopes = scenarios.map((scenario) => rowOf(landscape, { scenario, roles: true, temperature: 0 }));
  const least = slopes.reduce((a, b) => b.lambda < a.lambda ? b : a);
  return {
    holds: positive.length < own.length ? false : p < LEVEL ? true : undefined,
    evidence:
      `${of(positive, own)} comparisons are said to show a fall, in ${of(lowered, scenarios)} scenarios (${
        listed(scenarios)
      }; sign test p = ${pOf(p)}); no value and no interval is printed. ` +
      `${least.scenario} starts from ${four(least.lambda)}.`,
  };
}
