import { PUBLISHED_THRESHOLDS } from "../quality/classify.ts";
import { PUBLISHED_WEIGHTS } from "../quality/weights.ts";
import { COMPONENTS } from "../schema/station_summary.ts";

const DEFINITIONS: Readonly<Record<typeof COMPONENTS[number], string>> = {
  executability: "plan_executability",
  public_order: "clamp((public_order - 0.35) / 0.45)",
  info_integrity: "clamp((info_integrity - 0.40) / 0.45)",
  trust: "clamp((trust - 0.35) / 0.45)",
  time_to_pass: "clamp((7 - time_to_first_pass) / 6); 0 where no plan passed",
  passed_depth: "clamp(passed_count / 3)",
  containment: "clamp(1 - 0.55 * active_rumors / 8 - 0.45 * scandal_load / 6)",
  coalition: "clamp(coalition_edges / 8)",
  schema_independence: "clamp(raw_validity - 0.35 * norm_dependency)",
};

/** The scoring formula as a text for people: components, weights and classes (station paper, Appendix A). */
export function formulaText(): string {
  const { strong, adequate } = PUBLISHED_THRESHOLDS;
  return [
    "# Quality of survival",
    "q is the weighted sum of nine components, clamped to [0, 1], as is every component. Names are those of the " +
    "summaries. Source: station paper, Appendix A. The weights were chosen by the paper's designers, not measured.",
    ["| component | weight | from the raw values |", "| --- | --- | --- |"]
      .concat(COMPONENTS.map((name) => `| ${name} | ${PUBLISHED_WEIGHTS[name].toFixed(2)} | ${DEFINITIONS[name]} |`))
      .join("\n"),
    [
      `- BENCHMARK_STRONG: stabilised and q >= ${strong.toFixed(2)}`,
      `- BENCHMARK_ADEQUATE: stabilised and ${adequate.toFixed(2)} <= q < ${strong.toFixed(2)}`,
      `- BENCHMARK_BRITTLE: stabilised and q < ${adequate.toFixed(2)}`,
      "- FAILED_AFTER_VALID_PLAN: not stabilised, at least one plan passed",
      "- FAILED_NO_VALID_PLAN: no plan passed the lifecycle gate",
    ].join("\n"),
  ].join("\n\n") + "\n";
}
