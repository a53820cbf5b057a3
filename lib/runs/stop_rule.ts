import { contentHash } from "../core/json.ts";
import { slope } from "../core/numbers.ts";
import { known } from "../core/options.ts";
import { createRng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import type { StopRule } from "../live/run_condition.ts";
import type { RunPlan } from "../live/run_plan.ts";
import { endOfDesign } from "../record/plan_differences.ts";
import { Until, UntilSpec } from "../schema/until.ts";
import { referenceSlopes } from "../stats/lyapunov_slope.ts";
import { sequentialSlope } from "../stats/sequential.ts";
import { sequentialWidth } from "../stats/sequential_width.ts";

/** Runs between two looks where none are named, and before the first. */
const [STEP, FIRST] = [4, 8];

/**
 * A stopping design made whole, with the estimators that decide at its looks: `sequentialSlope` or `sequentialWidth`.
 *
 * @param spec `{ reach: "growth", looks: [8, 12, 16, 20] }` or `{ reach: "width", halfWidth: 0.02, atMost: 40 }`.
 * @param options `replicates`: the number of runs at which the design must end; `usual`: the most where nothing says; `rounds`: those of the conditions.
 * @throws {UserError} (`exitCode` 2) on a design out of form, and on more runs than `replicates`, where that is given.
 */
export function stopRule(
  spec: UntilSpec,
  { replicates, rounds, usual = 20 }: {
    readonly replicates?: number | undefined;
    readonly rounds: number;
    readonly usual?: number | undefined;
  },
): StopRule {
  const most = replicates ?? usual, window = { from: 3, to: Math.min(20, rounds) };
  const asked = onlyValid(UntilSpec.safeParse(spec));
  const design = onlyValid(Until.safeParse({
    ...asked.reach === "growth" ? { looks: looksTo(most) } : { atMost: most },
    ...known(asked),
    window: asked.window ?? window,
  }));
  const largest = design.reach === "growth" ? design.looks.at(-1)! : design.atMost;
  if (replicates !== undefined && replicates !== largest) {
    throw refused(`ends at ${largest} runs, and ${replicates} are asked for: leave the replicates out`);
  }
  const { from, to } = design.window;
  if (to > rounds) throw refused(`fits rounds to ${to}, the conditions have ${rounds}`);
  if (to < from + 2) throw refused(`fits rounds ${from} to ${to}: a slope needs at least 3`);
  return wholeRule(design);
}

/** The rule of a design as a record holds it. */
export const wholeRule = (design: Until): StopRule =>
  design.reach === "growth" ? growthRule(design) : widthRule(design);

const refused = (words: string): UserError => new UserError(`the stopping design ${words}`, { exitCode: 2 });

function onlyValid<T>({ data, error }: { data?: T | undefined; error?: import("zod").ZodError | undefined }): T {
  if (data !== undefined) return data;
  const words = error!.issues.map(({ path, message }) => `${path.join(".") || "as a whole"}: ${message}`);
  throw refused(`is not in form: ${words.join("; ")}`);
}

/** Looks at 8 runs and after every 4 more, the last one at the most there may be. */
function looksTo(most: number): number[] {
  const before = Array.from({ length: Math.max(0, Math.ceil((most - FIRST) / STEP)) }, (_, i) => FIRST + i * STEP);
  return [...before, most];
}

type Design<Reach extends Until["reach"]> = Extract<Until, { reach: Reach }>;

function growthRule(design: Design<"growth">): StopRule {
  const { looks: planned, window, reach: _, ...settings } = design, largest = planned.at(-1)!;
  return {
    ...{ design, largest },
    next: (looks) => endOfDesign({ looks }) === undefined ? planned[looks.length] : undefined,
    look(means, { begun, looks, seed }) {
      const look = looks.length + 1, n = means.length, isLast = look === planned.length;
      const seen = { look, begun, runs: n, decision: isLast ? "no decision" : "skipped" } as const;
      if (n === 0) return { ...seen, reason: "too-few-replicates" };
      // Where runs were lost, levels follow the runs that there are.
      const before = looks.map(({ runs }) => runs).filter((runs) => runs > 0);
      const after = planned.slice(look).map((runs) => Math.max(runs, n));
      const { looks: found, lambda, low, high } = sequentialSlope(means, {
        ...{ ...settings, ...window, looks: [...before, n, ...after], largest },
        rng: createRng(seed).fork("looks"),
      });
      const { n: _, decision, ...own } = found.at(-1)!;
      const last = decision === "skipped" ? seen.decision : decision;
      return { ...seen, ...own, ...known({ lambda, low, high }), decision: last };
    },
  };
}

function widthRule(design: Design<"width">): StopRule {
  const { window, reach: _, ...settings } = design;
  return {
    ...{ design, largest: design.atMost },
    next: (looks) => endOfDesign({ looks }) === undefined ? looks.at(-1)?.needed ?? design.pilot : undefined,
    look(means, { begun, looks, seed }) {
      const seen = { look: looks.length + 1, begun, runs: means.length };
      // Runs that the pilot lost are not replaced: its spread is that of those it has.
      const pilot = looks[0]?.runs ?? means.length;
      if (pilot < 8) return { ...seen, decision: "no decision", reason: "too-few-replicates" };
      const rng = createRng(seed).fork("looks");
      const { decision, ...found } = sequentialWidth(means, { ...settings, ...window, pilot, rng });
      const needed = found.needed === undefined ? undefined : Math.max(found.needed, begun);
      const isLast = looks.length > 0 || needed === undefined || needed <= begun;
      const last = decision === "go on" && isLast ? "no decision" : decision;
      return { ...seen, ...known({ ...found, needed }), decision: last };
    },
  };
}

/**
 * The stopping design of a command, its own or that of the experiment; undefined where there is none.
 *
 * @throws {UserError} (`exitCode` 2) where both have one, and as `stopRule`.
 */
export function stopRuleOf(
  { title, conditions, until: declared, replicates: planned }: RunPlan,
  { until, replicates }: { readonly until?: UntilSpec | undefined; readonly replicates?: number | undefined },
): StopRule | undefined {
  const rounds = Math.min(...conditions.map((condition) => condition.rounds));
  if (declared === undefined) return until && stopRule(until, { replicates, rounds, usual: planned });
  if (until === undefined) return stopRule(declared, { replicates: replicates ?? planned, rounds });
  throw new UserError(`${title}: the experiment declares when it may stop, so until cannot be given`, { exitCode: 2 });
}

/** A stopping design in words, for a plan: what is asked, when, and the hash that its ledgers carry. */
export function describeRule({ design }: StopRule): string {
  const end = `design ${contentHash(design).slice(0, 12)}); planned below is the most there may be`;
  if (design.reach === "width") {
    const { pilot, atMost } = design, width = slope(design.halfWidth);
    return `each condition stops once its interval is ± ${width} wide: a pilot of ${pilot} runs says how many it takes, ` +
      `${atMost} at most (${end}`;
  }
  const { alpha, spending, against, window } = design, looks = design.looks.join(", ");
  const more = against === "walk" ? `above a random walk's ${slope(referenceSlopes(window).randomWalk)}` : "above zero";
  return `each condition may stop at ${looks} runs, once λ is shown to be ${more} (α ${alpha} over all looks, ` +
    `${spending} spending, ${end}`;
}
