import type { Condition } from "../schema/condition.ts";
import type { Role } from "../schema/scenario.ts";

/** What tells the conditions of one experiment apart; what is left out takes the paper's default. */
export interface WantedCondition {
  readonly scenario: string;
  /** Default true. */
  readonly roles?: boolean | undefined;
  /** Default: nobody's mandate is taken away. */
  readonly ablate?: Role | undefined;
  /** Default `uniform`. */
  readonly lineup?: string | undefined;
  /** Default 0. */
  readonly temperature?: number | undefined;
  /** Default 15. */
  readonly window?: number | undefined;
}

/**
 * The condition among those of an experiment; undefined where it was not run.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadCondition } from "./load_condition.ts";
 * const run = [{ condition: await loadCondition({ scenario: "HL-01", window: 3 }), runs: [] }];
 * assert.equal(findCondition(run, { scenario: "HL-01", window: 3 }), run[0]);
 * assert.equal(findCondition(run, { scenario: "HL-01" }), undefined);
 * ```
 */
export function findCondition<One extends { readonly condition: Condition }>(
  conditions: readonly One[],
  { scenario, roles = true, ablate, lineup = "uniform", temperature = 0, window = 15 }: WantedCondition,
): One | undefined {
  return conditions.find(({ condition }) =>
    condition.packet.id === scenario && condition.packet.variant === undefined && condition.roles === roles &&
    condition.ablate === ablate && condition.lineup === lineup && condition.temperature === temperature &&
    condition.window === window
  );
}

/**
 * A condition in words, as short as it can be told apart: `SP-03, roles on, k = 3`. What is the paper's default is left
 * out: uniform line-up, T = 0, k = 15, nobody ablated.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadCondition } from "./load_condition.ts";
 * const condition = await loadCondition({ scenario: "HL-01", roles: false, lineup: "mixed", temperature: 0.1 });
 * assert.equal(conditionWords(condition), "HL-01, roles off, mixed, T = 0.1");
 * ```
 */
export function conditionWords({ packet, roles, ablate, lineup, temperature, window }: Condition): string {
  return [
    packet.id,
    packet.variant,
    ablate ? `without ${ablate}` : `roles ${roles ? "on" : "off"}`,
    lineup !== "uniform" && lineup,
    temperature !== 0 && `T = ${temperature}`,
    window !== 15 && `k = ${window}`,
  ].filter(Boolean).join(", ");
}
