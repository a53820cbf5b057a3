import { share } from "../../../core/numbers.ts";
import { ROLES } from "../../../schema/scenario.ts";
import type { DeliberationTables } from "../../published_deliberation.ts";
import { factBound, factValue } from "../../published_facts.ts";
import type { Checks } from "../evaluate_claims.ts";
import { countOf, listed, words } from "../words.ts";
import { sweep } from "./pairs.ts";

type Accounting = Pick<DeliberationTables, "accounting">;

/** What is said of missing runs. */
export const ACCOUNTING: Checks<DeliberationTables> = {
  /** Every mixed cell has all its runs. */
  mixedEstimated({ mixed, accounting, facts }) {
    const target = factValue(facts, "replicate-target");
    const full = mixed.filter(({ n }) => n === target);
    const totals = accounting.filter(({ condition }) => /matrix: Mixed/.test(condition));
    const [realised, wanted] = [sumOf(totals, "realised"), sumOf(totals, "target")];
    const printed = mixed.filter(({ lambda }) => lambda !== undefined);
    return {
      holds: full.length === mixed.length && realised === wanted,
      evidence: words`${countOf(full, mixed)} mixed cells have ${target} runs, ${realised} of ${wanted} in the totals;
        the slopes of ${countOf(printed, mixed)} are printed.`,
    };
  },

  /** Even if every missing run failed to parse, no condition exceeds the rate stated. */
  parseFailures({ accounting, models, failures, facts }) {
    const high = factBound(facts, "parse-failure-rate", "high");
    const target = factValue(facts, "replicate-target");
    const cells = [
      ...accounting.map((row) => ({ name: row.condition, share: 1 - row.realised / row.target })),
      ...models.map((row) => ({ name: nameOf(row), share: 1 - row.n / target })),
    ];
    const over = cells.filter(({ share }) => share >= high);
    const worst = cells.reduce((a, b) => b.share > a.share ? b : a);
    const matrix = accounting.filter(({ condition }) => /matrix/.test(condition));
    const status = failures.find(({ failure_source }) => failure_source.startsWith("Parser"))?.status;
    return {
      holds: over.length === 0 ? true : undefined,
      evidence: words`If every missing run had failed to parse, the rate would be
        ${(100 * (1 - sumOf(matrix, "realised") / sumOf(matrix, "target"))).toFixed(1)} % of the landscape's
        ${sumOf(matrix, "target")} runs and ${share(worst.share)} in ${worst.name}; ${countOf(over, cells)} rows of
        Tables S1 and S6 lack ${share(high)} or more. Table S3 calls parser failures
        ${status?.toLowerCase() ?? "nothing"}.`,
    };
  },

  /** Table S1 has a row for each ablated role and each temperature of IM-01. */
  accountingCovers({ accounting, conditions }) {
    const named = accounting.map(({ condition }) => condition);
    const roles = ROLES.filter((role) => named.some((name) => name.startsWith(`Ablate ${role} (IM-01`)));
    const temperatures = [...new Set(sweep(conditions, true).map(({ temperature }) => temperature))];
    const own = named.filter((name) => name.startsWith("Uniform roles (IM-01"));
    const counted = temperatures.filter((temperature) => own.some((name) => temperatureOf(name) === temperature));
    return {
      holds: roles.length === ROLES.length && counted.length === temperatures.length,
      evidence: words`Table S1 counts the runs of ${countOf(roles, ROLES)} ablated roles in IM-01 (${listed(roles)})
        and of ${countOf(counted, temperatures)} temperatures
        (${listed(counted.map((temperature) => `T = ${temperature}`))}).`,
    };
  },

  /** The agent-runs of Table S7 are the runs of the temperatures pooled. */
  switchesPooled({ switches, conditions, facts }) {
    const temperatures = factValue(facts, "switches-temperatures");
    const rows = sweep(conditions, true);
    const runs = [...new Set(rows.map(({ n }) => n))];
    const product = temperatures * runs[0]!;
    const right = switches.filter(({ n }) => n === product);
    return {
      holds: runs.length === 1 && right.length === switches.length,
      evidence: words`${temperatures} temperatures of ${listed(runs.map(String))} runs give ${product};
        ${countOf(right, switches)} rows of Table S7 have that n. ${rows.length - temperatures} of the ${rows.length}
        temperatures of Table S5 are not pooled, and why is not said.`,
    };
  },

  /** Whatever is referred to stands under the number that it is given. */
  referencesResolve({ references }) {
    const lost = references.filter(({ named, stands }) => named !== stands);
    return {
      holds: lost.length === 0,
      evidence: words`${references.length - lost.length} of ${references.length} references lead to what they
        name${lost.length === 0 ? "" : `; not ${listed(lost.map(told))}`}.`,
    };
  },

  /** The causes of all missing runs are known. */
  attritionCause({ models, failures, facts }) {
    const target = factValue(facts, "replicate-target");
    const short = models.filter(({ n }) => n < target);
    const lacking = short.reduce((sum, { n }) => sum + target - n, 0);
    const known = failures.filter(({ status }) => status === "Known");
    return {
      holds: known.length === failures.length ? true : undefined,
      evidence: words`${lacking} runs are missing in ${short.length} of ${models.length} cells of Table S6, most in
        ${nameOf(short.reduce((a, b) => b.n < a.n ? b : a))}. Table S3:
        ${listed(failures.map(({ failure_source, status }) => `${failure_source} ${status.toLowerCase()}`))}.`,
    };
  },
};

const told = ({ part, named, stands, source }: DeliberationTables["references"][number]): string =>
  `the ${part} (${source} names ${named}, printed as ${stands})`;

const temperatureOf = (condition: string): number => Number(/T = ([\d.e-]+)/.exec(condition)?.[1]);

const nameOf = ({ model, roles, temperature }: DeliberationTables["models"][number]): string =>
  `${model} ${roles ? "with" : "without"} roles at T = ${temperature}`;

const sumOf = (rows: Accounting["accounting"], column: "target" | "realised"): number =>
  rows.reduce((sum, row) => sum + row[column], 0);
