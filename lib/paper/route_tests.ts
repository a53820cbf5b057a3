import type { Rng } from "../core/rng.ts";
import { UserError } from "../core/user_error.ts";
import type { Condition } from "../schema/condition.ts";
import { benjaminiHochberg, holm } from "../stats/adjust_p_values.ts";
import type { UndefinedReason } from "../stats/input_checks.ts";
import { labelPermutation } from "../stats/label_permutation.ts";
import type { InteractionGroups } from "../stats/slope_contrast.ts";
import type { Trajectory } from "../stats/trajectory.ts";

/** A condition and the committee means of its runs: what `runExperiment` gives, and more. */
export interface RoutedCondition {
  readonly condition: Condition;
  readonly runs: readonly { readonly means: Trajectory }[];
}

/** The four committees of one scenario at T = 0: `first` has roles, `second` the mixed line-up, `both` has both. */
interface RouteGroups extends InteractionGroups {
  readonly scenario: string;
}

/**
 * The paper's 2 × 2 of every scenario that has it at T = 0, in the order of the scenarios' first condition.
 *
 * Ablations, other windows, numbers of rounds and wordings are left aside.
 *
 * @throws {UserError} when no scenario has all four cells.
 */
export function routeGroups(conditions: readonly RoutedCondition[]): RouteGroups[] {
  const plain = conditions.filter(({ condition: { temperature, ablate, window, rounds, packet } }) =>
    temperature === 0 && !ablate && window === 15 && rounds === 20 && !packet.variant
  );
  const cells = Map.groupBy(plain, ({ condition }) => condition.packet.id);
  const groups = [...cells].flatMap(([scenario, own]) => {
    const means = (roles: boolean, lineup: string) =>
      own.find(({ condition }) => condition.roles === roles && condition.lineup === lineup)?.runs.map((run) =>
        run.means
      );
    const [both, first] = [means(true, "mixed"), means(true, "uniform")];
    const [second, neither] = [means(false, "mixed"), means(false, "uniform")];
    return both && first && second && neither ? [{ scenario, both, first, second, neither }] : [];
  });
  if (groups.length > 0) return groups;
  throw new UserError("no scenario has roles on and off crossed with both line-ups at T = 0");
}

/** One scenario's test of one route to instability against the uniform committee without roles. */
interface RouteTest {
  readonly scenario: string;
  readonly route: "roles" | "mixed line-up";
  /** λ̂ with the route less λ̂ without, nats per round. */
  readonly delta?: number;
  /** Studentised label permutation, two-sided; `labelPermutation`. */
  readonly p?: number;
  /** Adjusted over all the tests given. */
  readonly holm?: number;
  readonly benjaminiHochberg?: number;
  readonly reason?: UndefinedReason;
}

/** Both routes in every scenario, with p-values adjusted for there being so many. */
export function routeTests(
  groups: readonly RouteGroups[],
  { rng, permutations }: { rng: Rng; permutations?: number | undefined },
): RouteTest[] {
  const tests = groups.flatMap(({ scenario, first, second, neither }) =>
    ([["roles", first], ["mixed line-up", second]] as const).map(([route, runs]) => ({
      ...{ scenario, route },
      ...labelPermutation(runs, neither, { rng: rng.fork(scenario).fork(route), permutations }),
    }))
  );
  const ps = tests.map(({ p }) => p);
  const [strict, lenient] = [holm(ps), benjaminiHochberg(ps)];
  return tests.map(({ scenario, route, delta, p, reason }, i) => ({
    ...{ scenario, route },
    ...(delta !== undefined && { delta }),
    ...(p !== undefined && { p, holm: strict[i]!, benjaminiHochberg: lenient[i]! }),
    ...(reason && { reason }),
  }));
}
