import { flatGroup, rollups, sort, sum } from "d3-array";
import { mean, median, sampleStandardDeviation } from "simple-statistics";
import {
  type Classification,
  CLASSIFICATIONS,
  NON_USE,
  UNGOVERNED,
  UNGOVERNED_WORDS,
} from "../schema/quality_names.ts";
import { type StationSummary } from "../schema/station_summary.ts";
import { plainMarkdown } from "../station/plain_markdown.ts";
import { isUngoverned } from "../quality/rescore.ts";
import { type CsvRow, template } from "../core/text.ts";
import words from "./bundle_words.json" with { type: "json" };

/**
 * The comparison of a batch. A run without any action of its own is evidence about the clerk alone, so it never counts as
 * its council's. It is the floor where no model was asked (`floor.summaries` still say whose label it bore), and set apart
 * as ungoverned where models were.
 *
 * @returns `councils`: by council and ruleset, in the order of the alphabet, which is no ranking; `floor`: absent where no
 * run was without a model; `ungoverned` runs are in no mean, neither a council's nor the floor's.
 */
export function aggregateStation(summaries: readonly StationSummary[]) {
  const ungoverned = summaries.filter(isUngoverned);
  const idle = summaries.filter((one) => one.model_actions === 0 && !isUngoverned(one));
  const acted = summaries.filter(({ model_actions }) => model_actions > 0);
  const councils = flatGroup(acted, (one) => one.model, (one) => one.ruleset, (one) => one.synthetic)
    .map(([_model, _ruleset, _synthetic, own]) => aggregate(own, idle));
  const rulesets = [...new Set(idle.map(({ ruleset }) => ruleset))].join("; ");
  return {
    councils: sort(councils, ({ council }) => council, ({ ruleset }) => ruleset),
    ...(idle.length > 0 && { floor: { ...aggregate(idle, []), council: "no model", ruleset: rulesets } }),
    ungoverned,
    fallbackShare: fallbackShare(summaries),
  };
}

type StationAggregate = ReturnType<typeof aggregateStation>;

/** Share of the turns of some runs that the clerk took; 0 turns are not asked for. */
function fallbackShare(summaries: readonly StationSummary[]): number {
  const clerk = sum(summaries, ({ fallback_actions }) => fallback_actions);
  return clerk / (clerk + sum(summaries, ({ model_actions }) => model_actions));
}

function aggregate(summaries: readonly StationSummary[], floor: readonly StationSummary[]) {
  const { model: council, ruleset, synthetic } = summaries[0]!;
  const q = summaries.map(({ q }) => q);
  const gaps = summaries.flatMap(({ seed, q }) => {
    const below = floor.filter((one) => one.seed === seed).map(({ q }) => q);
    return below.length > 0 ? [{ seed, gap: q - mean(below) }] : [];
  });
  return {
    ...{ council, ruleset, synthetic, summaries, runs: summaries.length, [UNGOVERNED]: 0 },
    stabilized: summaries.filter(({ stabilized }) => stabilized).length,
    q_mean: mean(q),
    q_sd: q.length > 1 ? sampleStandardDeviation(q) : undefined,
    q_median: median(q),
    /** Mean q less that of the runs without a model, over the seeds that both have. */
    q_above_floor: gaps.length > 0 ? mean(gaps.map(({ gap }) => gap)) : undefined,
    seeds_shared_with_floor: new Set(gaps.map(({ seed }) => seed)).size,
    fallback_share: fallbackShare(summaries),
    plans_filed: sum(summaries, ({ proposals }) => proposals.filed),
    plans_raw_valid: sum(summaries, ({ proposals }) => proposals.raw_valid),
    plans_normalised_valid: sum(summaries, ({ proposals }) => proposals.normalised_valid),
    ...countClasses(summaries),
  };
}

/** Number of runs in each class. */
export const countClasses = (runs: readonly { readonly classification?: string | undefined }[]) =>
  Object.fromEntries(
    CLASSIFICATIONS.map((name) => [name, runs.filter(({ classification }) => classification === name).length]),
  ) as Record<Classification, number>;

/** The councils and the floor as rows of a table, and last, counted by council, what models left ungoverned. */
export function councilRows({ councils, floor, ungoverned }: StationAggregate): CsvRow[] {
  const apart = Map.groupBy(ungoverned, ({ model, ruleset }) => JSON.stringify([model, ruleset]));
  const scored = [...councils, ...(floor ? [floor] : [])].map(({ summaries: _, ...row }) => row);
  const counted = [...apart.values()].map((runs) => {
    const { model: council, ruleset, synthetic } = runs[0]!;
    return { council, ruleset, synthetic, runs: runs.length, [UNGOVERNED]: runs.length };
  });
  return [...scored, ...counted];
}

/** Every run as a row of a table: what a summary says, without its nested parts. An ungoverned run has no q to average. */
export function runRows(summaries: readonly StationSummary[]): CsvRow[] {
  return summaries.map(({ components, fallback_reasons, proposals, degraded_rounds, made, schema: _, ...flat }) => ({
    ...flat,
    q: isUngoverned(flat) ? undefined : flat.q,
    plans_filed: proposals.filed,
    plans_raw_valid: proposals.raw_valid,
    plans_normalised_valid: proposals.normalised_valid,
    plans_infeasible: proposals.infeasible,
    degraded_rounds: degraded_rounds.join(" "),
    fallback_reasons: Object.entries(fallback_reasons).map(([cause, n]) => `${cause}: ${n}`).join("; "),
    ...Object.fromEntries(Object.entries(components).map(([name, value]) => [`component_${name}`, value])),
    library: made.library,
  }));
}

/** Seeds as rows of a table, over the runs in which a council acted. */
export function seedRows({ councils }: StationAggregate) {
  const seeds = Map.groupBy(councils.flatMap(({ summaries }) => summaries), ({ seed }) => seed);
  return [...seeds].toSorted(([a], [b]) => a - b).map(([seed, own]) => ({
    seed,
    runs: own.length,
    stabilized: own.filter(({ stabilized }) => stabilized).length,
    q_mean: mean(own.map(({ q }) => q)),
  }));
}

/**
 * A batch as a Markdown report. It opens with what the clerk did, with the floor of runs without a model, and with what
 * the results must not be used for; only then do councils follow, in the order of the alphabet.
 *
 * @throws {RangeError} when there is no run.
 */
export function batchReport(summaries: readonly StationSummary[]): string {
  if (summaries.length === 0) throw new RangeError("a report needs at least one run");
  const whole = aggregateStation(summaries), { councils, floor, ungoverned } = whole;
  return textOf(words.report, {
    ...{ share: percent(whole.fallbackShare), runs: summaries.length, causes: causes(summaries), nonUse: NON_USE },
    floor: floor ? floorText(floor) : words.noFloor,
    ungoverned: ungoverned.length === 0 ? "" : template(words.ungoverned)({
      runs: `${ungoverned.length} ${ungoverned.length === 1 ? "run" : "runs"}`,
      labels: labelsOf(ungoverned),
    }),
    synthetic: councils.some(({ synthetic }) => synthetic) ? words.synthetic : "",
    councils: councils.length === 0 ? words.noCouncil : councilTable(whole),
    seeds: councils.length === 0 ? "" : `## Seeds\n\n${seedTable(whole)}`,
    table: runTable(summaries),
  });
}

/** A text of the bundle, paragraph by paragraph; one without words is left out. */
export const textOf = (paragraphs: readonly string[], values: Parameters<ReturnType<typeof template>>[0]): string =>
  `${paragraphs.map((text) => template(text)(values)).filter((text) => text !== "").join("\n\n")}\n`;

function floorText(floor: NonNullable<StationAggregate["floor"]>): string {
  const { stabilized, runs, q_mean, q_sd, summaries } = floor;
  const q = q_mean.toFixed(3) + (q_sd === undefined ? "" : ` (SD ${q_sd.toFixed(3)})`);
  return template(words.floor)({ stabilized, runs, q, classes: classes(floor), labels: labelsOf(summaries) });
}

const labelsOf = (runs: readonly StationSummary[]): string =>
  [...new Set(runs.map(({ model }) => `“${plainMarkdown(model)}”`))].join(", ");

function causes(summaries: readonly StationSummary[]): string {
  const reasons = summaries.flatMap(({ fallback_reasons }) => Object.entries(fallback_reasons));
  const total = rollups(reasons, (own) => sum(own, ([, n]) => n), ([cause]) => cause);
  if (total.length === 0) return "No turn fell back.";
  return `Causes: ${total.map(([cause, n]) => `${plainMarkdown(cause)} ${n}`).join(", ")}.`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const classes = (one: Record<Classification, number>): string =>
  CLASSIFICATIONS.flatMap((name, i) => one[name] > 0 ? [`${one[name]} ${words.classes[i]}`] : []).join(", ");

const table = (header: string, rows: readonly (readonly (string | number)[])[]): string => {
  const names = header.split(",");
  return [names, names.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
};

const councilTable = ({ councils }: StationAggregate): string =>
  table(
    "council,ruleset,stabilised,mean q,SD,median q,above floor,fallback,readable plans,classes",
    councils.map((one) => [
      `${plainMarkdown(one.council)}${one.synthetic ? " (*synthetic*)" : ""}`,
      plainMarkdown(one.ruleset),
      `${one.stabilized}/${one.runs}`,
      ...[one.q_mean.toFixed(3), one.q_sd?.toFixed(3) ?? "–", one.q_median.toFixed(3)],
      one.q_above_floor === undefined ? "–" : `${signed(one.q_above_floor)} (${one.seeds_shared_with_floor} seeds)`,
      percent(one.fallback_share),
      `${one.plans_raw_valid} as written, ${one.plans_normalised_valid} normalised, of ${one.plans_filed}`,
      classes(one),
    ]),
  );

const signed = (value: number): string => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

const seedTable = (whole: StationAggregate): string =>
  table(
    "seed,stabilised,mean q",
    seedRows(whole).map(({ seed, stabilized, runs, q_mean }) => [seed, `${stabilized}/${runs}`, q_mean.toFixed(3)]),
  );

const runTable = (summaries: readonly StationSummary[]): string =>
  table(
    "run,seed,q,class,first pass,passed,order,rumours,own turns,clerk's turns",
    summaries.map((one) => [
      plainMarkdown(one.run_id),
      one.seed,
      ...(isUngoverned(one) ? ["–", UNGOVERNED_WORDS] : [one.q.toFixed(3), plainMarkdown(one.classification)]),
      one.time_to_first_pass ?? "–",
      one.passed_count,
      one.public_order.toFixed(3),
      ...[one.active_rumors, one.model_actions, one.fallback_actions],
    ]),
  );
