import { CLASSIFICATIONS, type StationSummary } from "../schema/station_summary.ts";
import { NON_USE } from "../station/non_use.ts";
import { plainMarkdown } from "../station/recap_text.ts";
import { aggregateStation, type CouncilAggregate, seedRows, type StationAggregate } from "./station_aggregate.ts";

/**
 * A batch as a Markdown report. It opens with what the clerk did, with the floor of runs without a model, and with what
 * the results must not be used for; only then do councils follow, in the order of the alphabet.
 *
 * @throws {RangeError} when there is no run.
 */
export function batchReport(summaries: readonly StationSummary[]): string {
  if (summaries.length === 0) throw new RangeError("a report needs at least one run");
  const whole = aggregateStation(summaries);
  return [
    "# Mosaic-9: comparison report",
    `**Fallback share: ${percent(whole.fallbackShare)}** of all turns were the clerk's (${summaries.length} runs). ${
      causes(summaries)
    }`,
    `**No-model floor:** ${floorText(whole)}`,
    `**Not for use:** ${NON_USE}`,
    ...(summaries.some(({ synthetic, model_actions }) => synthetic && model_actions > 0)
      ? [
        "Councils marked *synthetic* are programs that play the roles: a mechanism, not evidence about language models.",
      ]
      : []),
    "## Councils",
    whole.councils.length === 0 ? "No council acted in any of these runs." : councilTable(whole),
    "Scores are descriptive, within this scenario and for these seeds. Rows stand in the order of the alphabet; with so few " +
    "seeds they are no ranking. SD is the sample standard deviation over seeds; “above floor” compares q on the seeds " +
    "that the runs without a model cover too.",
    ...(whole.councils.length > 0 ? ["## Seeds", seedTable(whole)] : []),
    "## Runs",
    runTable(summaries),
  ].join("\n\n") + "\n";
}

function floorText({ floor }: StationAggregate): string {
  if (!floor) {
    return "not known. None of these runs was without a model; run the same seeds with no council before reading any score.";
  }
  const labels = [...new Set(floor.summaries.map(({ model }) => model))].map((label) => `“${plainMarkdown(label)}”`);
  return `with no role acting for itself, ${floor.stabilized} of ${floor.n} runs stabilised all the same, mean q ` +
    `${floor.q.mean.toFixed(3)}${floor.q.sd === undefined ? "" : ` (SD ${floor.q.sd.toFixed(3)})`}; ${
      classes(floor)
    }. Labels of these runs: ${labels.join(", ")}.`;
}

function causes(summaries: readonly StationSummary[]): string {
  const total = new Map<string, number>();
  for (const { fallback_reasons } of summaries) {
    for (const [cause, n] of Object.entries(fallback_reasons)) total.set(cause, (total.get(cause) ?? 0) + n);
  }
  if (total.size === 0) return "No turn fell back.";
  return `Causes: ${[...total].map(([cause, n]) => `${plainMarkdown(cause)} ${n}`).join(", ")}.`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const CLASS_NAMES = ["strong", "adequate", "brittle", "failed after a passed plan", "failed without one"] as const;

const classes = ({ summaries }: CouncilAggregate): string =>
  CLASSIFICATIONS.flatMap((name, i) => {
    const n = summaries.filter(({ classification }) => classification === name).length;
    return n > 0 ? [`${n} ${CLASS_NAMES[i]}`] : [];
  }).join(", ");

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

function councilTable({ councils }: StationAggregate): string {
  const header = [
    "council",
    "ruleset",
    "stabilised",
    "mean q",
    "SD",
    "median q",
    "above floor",
    "fallback",
    "readable plans",
    "classes",
  ];
  return table(
    header,
    councils.map((one) => [
      `${plainMarkdown(one.council)}${one.synthetic ? " (*synthetic*)" : ""}`,
      plainMarkdown(one.ruleset),
      `${one.stabilized}/${one.n}`,
      one.q.mean.toFixed(3),
      one.q.sd?.toFixed(3) ?? "–",
      one.q.median.toFixed(3),
      one.aboveFloor ? `${signed(one.aboveFloor.mean)} (${one.aboveFloor.seeds} seeds)` : "–",
      percent(one.fallbackShare),
      `${one.proposals.rawValid} as written, ${one.proposals.normalisedValid} normalised, of ${one.proposals.filed}`,
      classes(one),
    ]),
  );
}

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

const seedTable = (whole: StationAggregate): string =>
  table(
    ["seed", "stabilised", "mean q"],
    seedRows(whole).map(({ seed, stabilized, runs, q_mean }) => [
      String(seed),
      `${stabilized}/${runs}`,
      (q_mean as number).toFixed(3),
    ]),
  );

const runTable = (summaries: readonly StationSummary[]): string =>
  table(
    ["run", "seed", "q", "class", "first pass", "passed", "order", "rumours", "own turns", "clerk's turns"],
    summaries.map((one) => [
      plainMarkdown(one.run_id),
      String(one.seed),
      one.q.toFixed(3),
      plainMarkdown(one.classification),
      one.time_to_first_pass === null ? "–" : String(one.time_to_first_pass),
      String(one.passed_count),
      one.public_order.toFixed(3),
      String(one.active_rumors),
      String(one.model_actions),
      String(one.fallback_actions),
    ]),
  );
