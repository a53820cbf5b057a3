import { csvText } from "../csv_text.ts";
import { drawnLaw } from "./measures.ts";
import type { Measured } from "./measuring.ts";

const HEADER = [
  ...["condition", "synthetic", "replicates", "round", "D", "ln_D", "in_window", "D_fitted", "law", "D_law"],
  ...["from", "to", "lambda", "low", "high"],
];

/**
 * D(t) as shown, one line a round, with the fit, the drawn law and the slope of the window. What is not known, or not yet
 * worked out, is an empty cell.
 */
export function divergenceCsv(measured: Measured): string {
  const { condition: { label, synthetic }, replicates, from, to } = measured.state;
  const { D, slope: { lambda, intercept } } = measured.quick;
  const { low, high } = measured.careful.bootstrap ?? {};
  const law = drawnLaw(measured);
  const rows = D.map((d, i) => {
    const round = i + 1, inWindow = round >= from && round <= to;
    const fitted = inWindow && lambda !== undefined && intercept !== undefined
      ? Math.exp(intercept + lambda * round)
      : undefined;
    return [
      ...[label, synthetic, replicates, round, d, d > 0 ? Math.log(d) : undefined, inWindow, fitted],
      ...[law?.law, law?.fitted[round - from], from, to, lambda, low, high],
    ];
  });
  return csvText([HEADER, ...rows]);
}
